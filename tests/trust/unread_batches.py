"""Clients that send batches of endless runs and read little or nothing: how large a server gets.

    python tests/trust/unread_batches.py                    read nothing for three minutes
    python tests/trust/unread_batches.py --read 200000      read 200 KB every 40 seconds
    python tests/trust/unread_batches.py --method run       runs of the operator's, without limits

It prints the resident memory of the server's own process at the start, at most, and after the
clients have left.  ``--python`` names the interpreter of another installation to attack.  It
stops by itself: after ``--seconds``, or once the server is larger than ``--ceiling``.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
MEBIBYTE = 1 << 20


class MemoryFigures(NamedTuple):
    """Resident bytes of the server; ``left`` counts the clients that it hung up on."""

    start: int
    most: int
    after: int
    left: int


class Server:
    """``esoplay serve`` on a socket, in a process of its own."""

    def __init__(self, path: Path, process: subprocess.Popen[bytes]):
        self.path = path
        self.process = process

    @property
    def resident(self) -> int:
        """Bytes of memory that the process has now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) << 10

    def connect(self) -> socket.socket:
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(PATIENCE)
        client.connect(os.fspath(self.path))
        return client

    def call(self, method: str, **params: Any) -> Any:
        """The result of one request on a connection of its own."""
        with self.connect() as client, client.makefile("rb") as lines:
            client.sendall(request(method, params) + b"\n")
            answer = json.loads(next(line for line in lines if b'"id":' in line[:40]))
        return answer["result"]


def request(method: str, params: Mapping[str, Any], id: int = 1) -> bytes:
    message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
    return json.dumps(message).encode()


@contextmanager
def serving(
    folder: Path, python: str = sys.executable, *arguments: str, **environment: str
) -> Generator[Server]:
    """A server whose files are in ``folder``; it is ended in any case."""
    path = folder / "bench.sock"
    if python == sys.executable and (ROOT / "esoplay").is_dir():
        environment["PYTHONPATH"] = f"{ROOT}{os.pathsep}{ROOT / 'interpreters'}"
    process = subprocess.Popen(
        [python, "-m", "esoplay", "serve", "--socket", str(path), *arguments],
        env={**os.environ, "ESOPLAY_HOME": str(folder / "home"), **environment},
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        cwd=folder,
    )
    assert process.stderr is not None
    try:
        assert b"listening" in process.stderr.readline()
        yield Server(path, process)
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stderr.close()


class Flood(NamedTuple):
    """How the clients behave: each sends one batch and reads ``read`` bytes every ``every`` s."""

    clients: int = 12
    batch: int = 40
    method: str = "session.run"
    program: str = "+[.]"
    read: int = 0
    every: float = 40.0


def flood(
    server: Server,
    how: Flood,
    *,
    go_on: Callable[[int], bool],
    back: Callable[[int, int], bool],
) -> MemoryFigures:
    """Attack until ``go_on`` says no to the memory of now, leave, and wait until ``back``.

    ``back`` is given the memory at the start and now.
    """
    start = most = server.resident
    params: dict[str, Any] = {"program": how.program}
    if how.method == "session.run":
        session = server.call("session.init", language="brainfuck", protocol="practice")
        params["session"] = session["session"]
        server.call("session.fetch", session=session["session"])
    else:
        params["language"] = "brainfuck"
    batch = b"[" + b",".join(request(how.method, params, id) for id in range(how.batch)) + b"]\n"
    clients = [server.connect() for _ in range(how.clients)]
    left = 0
    try:
        for client in clients:
            client.sendall(batch)
            client.setblocking(False)
        next_read = time.monotonic() + how.every
        while go_on(most := max(most, server.resident)):
            time.sleep(0.1)
            if how.read and time.monotonic() > next_read:
                next_read += how.every
                for client in clients:
                    take(client, how.read)
        left = sum(map(has_ended, clients))
    finally:
        for client in clients:
            client.close()
    while not back(start, after := server.resident):
        time.sleep(0.1)
    return MemoryFigures(start, most, after, left)


def take(client: socket.socket, size: int) -> None:
    """Read up to ``size`` bytes of what is there."""
    with suppress(OSError):
        while size > 0 and (data := client.recv(min(size, 1 << 16))):
            size -= len(data)


def has_ended(client: socket.socket) -> bool:
    """Whether the server has closed the connection, whatever is still to be read."""
    with suppress(BlockingIOError):
        try:
            client.send(b"\n")
        except OSError:
            return True
    return False


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--batch", type=int, default=40)
    parser.add_argument("--method", choices=["session.run", "run"], default="session.run")
    parser.add_argument("--program", default="+[.]")
    parser.add_argument("--read", type=int, default=0, help="bytes, every --every seconds")
    parser.add_argument("--every", type=float, default=40.0)
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--after", type=float, default=60.0)
    parser.add_argument("--ceiling", type=int, default=1500, help="MiB")
    chosen = parser.parse_args()
    how = Flood(
        chosen.clients, chosen.batch, chosen.method, chosen.program, chosen.read, chosen.every
    )
    end = time.monotonic() + chosen.seconds
    gone = 0.0

    def go_on(most: int) -> bool:
        return most < chosen.ceiling * MEBIBYTE and time.monotonic() < end

    def back(start: int, now: int) -> bool:
        nonlocal gone
        gone = gone or time.monotonic()
        return time.monotonic() > gone + chosen.after

    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), chosen.python) as server:
        figures = flood(server, how, go_on=go_on, back=back)
    start, most, after = (each / MEBIBYTE for each in figures[:3])
    print(
        f"{how.clients} clients, batches of {how.batch} × {how.method} {how.program}, "
        + (f"read {how.read} bytes every {how.every:g} s" if how.read else "read nothing")
    )
    print(
        f"resident memory: {start:.0f} MiB at the start, {most:.0f} MiB at most, "
        f"{after:.0f} MiB {chosen.after:g} s after they left; "
        f"{figures.left} of {how.clients} clients were let go before"
    )


if __name__ == "__main__":
    main()
