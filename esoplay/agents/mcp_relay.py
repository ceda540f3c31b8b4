"""Relay MCP messages from an isolated agent to a server outside its sandbox.

The MCP server reads the store, which must be invisible in the sandbox. MCP clients therefore start
this file as a program, ``python3 mcp_relay.py SOCKET``, which connects its standard input and
output to a socket. Outside, :class:`ToolServer` listens on the socket and starts a server for each
connection. Imports only the standard library, as the agent's home contains a copy.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

MAX_SERVERS = 8
"""Maximum number of servers at a time; further connections are closed immediately."""
_END_SECONDS = 5.0
_RETRY_SECONDS = 0.1
_PIECE = 1 << 16


class ToolServer:
    """Listener on the Unix socket ``path`` that starts ``command`` for each client."""

    def __init__(self, path: Path, command: Sequence[str], environment: Mapping[str, str]):
        self._command = list(command)
        self._environment = dict(environment)
        self._running: list[subprocess.Popen[bytes]] = []
        self._closing = threading.Event()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        path.chmod(0o600)
        self._listener.listen(MAX_SERVERS)
        self._thread = threading.Thread(target=self._accept, name="esoplay-tools", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop accepting clients, and stop the servers of all connected clients."""
        self._closing.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()
        for process in self._running:
            process.terminate()
        for process in self._running:
            try:
                process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:  # closed, or the client disconnected, or no file descriptors left
                if self._closing.wait(_RETRY_SECONDS):
                    return
                continue
            self._running = [process for process in self._running if process.poll() is None]
            with client, suppress(OSError):
                if len(self._running) < MAX_SERVERS:
                    self._running.append(self._start(client))

    def _start(self, client: socket.socket) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._command,
            env=self._environment,
            stdin=client.fileno(),
            stdout=client.fileno(),
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # only the run handles Ctrl-C at the terminal
        )


def main() -> None:
    """Copy standard input to the socket, and data from the socket to standard output."""
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(sys.argv[1])
        threading.Thread(target=_send, args=(server,), daemon=True).start()
        while data := server.recv(_PIECE):
            while data:
                data = data[os.write(1, data) :]


def _send(server: socket.socket) -> None:
    with suppress(OSError):
        while data := os.read(0, _PIECE):
            server.sendall(data)
        server.shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    main()
