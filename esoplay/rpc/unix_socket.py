"""Server for many clients on a Unix socket, with a connection for each client.

Each client has its own threads, and its requests are executed in order; sessions are shared. Memory
is limited for each client, for each user, and by the number of clients.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import select
import signal
import socket
import stat
import sys
import threading
import time
from collections.abc import Callable, Collection, Generator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FrameType

from esoplay.errors import UsageError
from esoplay.rpc.connection import Connection
from esoplay.rpc.methods import METHODS
from esoplay.rpc.peers import NamespaceRule, namespace_refusal, peer_uid
from esoplay.rpc.protocol import (
    RpcError,
    domain_error,
    encode_message,
    error_message,
    rejected_error,
)
from esoplay.rpc.server import RpcServer
from esoplay.rpc.transport import ConnectionQuota

MAX_CLIENTS = 16
"""Maximum number of clients; a new client replaces the client that was idle for longest."""

SEND_SECONDS = 60.0
"""Maximum seconds by which a slow client may delay the server; see ``ClientLag``."""

MIN_BYTES_PER_SECOND = 16 << 10
"""Minimum average rate, in bytes per second, at which a client must read its answers."""

STOP_SECONDS = 5.0
"""Seconds for requests to finish when the server stops; then the remaining ones are cancelled."""

INBOX_BYTES = 8 << 20
"""Maximum size of waiting requests of each client, in bytes."""


def serve_socket(
    path: Path,
    connect: Callable[[], Connection],
    *,
    mode: int = 0o600,
    uids: Collection[int] = (),
    namespaces: NamespaceRule = "any",
) -> None:
    """Serve all clients that connect to ``path`` until SIGTERM or Ctrl-C, then remove the file.

    connect: creates the connection of a new client. uids: other users who may connect; all others
    are refused regardless of the file's mode. namespaces: PID namespaces from which clients may
    connect. Raises UsageError if the socket cannot be created.
    """
    _configure_allocator()
    with bind_socket(path, mode) as listener, _stop_socket() as stop:
        # One write including the newline: other threads may write, too.
        print(f"esoplay: listening on {path}\n", end="", file=sys.stderr, flush=True)
        front = _ConnectedClients(connect, {os.getuid(), *uids}, namespaces)
        try:
            while listener in select.select([listener, stop], [], [])[0]:
                front.accept(listener)
        finally:
            front.close()


class _ConnectedClients:
    """Connected clients, at most ``MAX_CLIENTS``."""

    def __init__(
        self, connect: Callable[[], Connection], uids: Collection[int], namespaces: NamespaceRule
    ):
        self._connect = connect
        self._uids = uids
        self._namespaces: NamespaceRule = namespaces
        self._clients: list[_Client] = []
        self._quotas: dict[int | None, ConnectionQuota] = {}

    def accept(self, listener: socket.socket) -> None:
        """Accept the waiting client, or send it the reason for a refusal."""
        try:
            sock, _ = listener.accept()
        except OSError:  # the client is gone, or no descriptor is free; it can retry
            time.sleep(0.01)
            return
        uid = peer_uid(sock)
        self._clients = [client for client in self._clients if client.thread.is_alive()]
        if uid is not None and uid not in self._uids:
            _refuse(
                sock,
                rejected_error(
                    f"user {uid} may not connect to this socket; expected its owner or a user "
                    "named with --allow-uid"
                ),
            )
        elif (refusal := namespace_refusal(sock, self._namespaces)) is not None:
            _refuse(sock, rejected_error(refusal))
        elif len(self._clients) < MAX_CLIENTS or self._make_room():
            quota = self._quotas.setdefault(uid, ConnectionQuota())
            client = _Client(sock, self._connect(), quota)
            try:
                client.thread.start()
            except RuntimeError:  # no further thread can be started
                client.connection.close()
                _refuse(
                    sock,
                    domain_error("limit", "the server cannot start a thread for another client"),
                )
                return
            self._clients.append(client)
        else:
            _refuse(
                sock,
                domain_error(
                    "limit",
                    f"the server is busy with requests of {MAX_CLIENTS} clients, its maximum; "
                    "try again later",
                ),
            )

    def _make_room(self) -> bool:
        """Disconnect the client that was idle for longest; return False if all clients are busy."""
        idle = [client for client in self._clients if not client.connection.in_flight]
        if not idle:
            return False
        chosen = min(idle, key=lambda client: client.last_active)
        chosen.end()
        self._clients.remove(chosen)
        return True

    def close(self) -> None:
        """Stop reading from clients, and give running requests time to finish."""
        for client in self._clients:
            client.end(stop_sending=False)
        deadline = time.monotonic() + STOP_SECONDS
        for client in self._clients:
            client.thread.join(max(0.0, deadline - time.monotonic()))
            client.connection.in_flight.cancel_all()


class ClientLag:
    """Delay of the server that a client causes, in seconds.

    The delay is the time for which the server waited for the client, minus the time that the
    transfers take at ``MIN_BYTES_PER_SECOND``, minus the time between transfers.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self._lag = 0.0
        self._since = clock()

    def start(self) -> None:
        """Start a transfer; reduce the delay by the time since the last transfer."""
        self._lag = max(0.0, self._lag - (self._clock() - self._since))
        self._since = self._clock()

    def add_transfer(self, size: int) -> None:
        """Count ``size`` transferred bytes and the time they took."""
        now = self._clock()
        self._lag = max(0.0, self._lag + now - self._since - size / MIN_BYTES_PER_SECOND)
        self._since = now

    @property
    def remaining_seconds(self) -> float:
        """Return for how many more seconds the client may delay the server."""
        return SEND_SECONDS - self._lag - (self._clock() - self._since)


class _Client:
    """A client and the thread that reads its requests."""

    def __init__(self, sock: socket.socket, connection: Connection, quota: ConnectionQuota):
        self.connection = connection
        self.last_active = time.monotonic()
        self.thread = threading.Thread(target=self._serve, name="esoplay-client", daemon=True)
        self._sock = sock
        self._quota = quota
        self._sending, self._receiving = ClientLag(), ClientLag()
        self._large_line: int | None = None

    def end(self, *, stop_sending: bool = True) -> None:
        """Stop reading from the client; ``stop_sending``: also stop sending answers."""
        with suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR if stop_sending else socket.SHUT_RD)

    def _serve(self) -> None:
        server = RpcServer(
            METHODS,
            self.connection,
            self._read,
            self._write,
            inbox_bytes=INBOX_BYTES,
            ready=self._is_ready,
            quota=self._quota,
            end=self.end,
        )
        with self._sock, closing(self.connection):  # always release its memory and sockets
            server.serve()
        del server
        _trim_memory()

    def _read(self, size: int) -> bytes:
        number = self._quota.large_line_number()
        if number != self._large_line:  # the wait for a turn is not a delay by the client
            self._large_line, self._receiving = number, ClientLag()
        try:
            if number is not None:
                self._wait_for_large_line()
            data = self._sock.recv(size)
        except OSError:  # reset by the client: same as the end of input
            return b""
        if number is not None:
            self._receiving.add_transfer(len(data))
        self.last_active = time.monotonic()
        return data

    def _wait_for_large_line(self) -> None:
        """Wait until the client sends more of a large line.

        If it is too slow and another connection waits to send a large line, disconnect it.
        """
        while not select.select([self._sock], [], [], 0)[0]:
            if self._receiving.remaining_seconds <= 0 and self._quota.is_contended:
                self.end()
                return
            select.select([self._sock], [], [], 1.0)

    def _is_ready(self) -> bool:
        return bool(select.select([], [self._sock], [], 0)[1])

    def _write(self, data: bytes) -> None:
        self.last_active = time.monotonic()
        rest = memoryview(data)
        self._sending.start()
        try:
            while rest:
                left = self._sending.remaining_seconds
                if left <= 0 or not select.select([], [self._sock], [], left)[1]:
                    raise TimeoutError("the client reads its answers too slowly")
                sent = 0
                with suppress(BlockingIOError):
                    sent = self._sock.send(rest, socket.MSG_DONTWAIT)
                self._sending.add_transfer(sent)
                rest = rest[sent:]
        except OSError:
            self.end()  # notify the reading thread
            raise


def _refuse(sock: socket.socket, error: RpcError) -> None:
    """Send one error line if that does not block, and close the connection."""
    with sock, suppress(OSError):
        sock.send(encode_message(error_message(None, error)) + b"\n", socket.MSG_DONTWAIT)


@contextmanager
def _stop_socket() -> Generator[socket.socket]:
    """Yield a socket that becomes readable on SIGTERM; outside the main thread it never does."""
    receiver, sender = socket.socketpair()
    sender.setblocking(False)

    def stop(number: int, frame: FrameType | None) -> None:
        with suppress(OSError):
            sender.send(b".")

    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, stop) if main else None
    try:
        with receiver, sender:
            yield receiver
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)


def _configure_allocator() -> None:
    """Configure glibc to release large freed blocks immediately and to use few arenas.

    By default glibc retains large freed blocks for reuse. Other C libraries are not configured.
    """
    libc = _glibc()
    if libc is not None:
        libc.mallopt(_M_MMAP_THRESHOLD, _LARGE_BLOCK)
        libc.mallopt(_M_TRIM_THRESHOLD, _LARGE_BLOCK)
        libc.mallopt(_M_ARENA_MAX, _ARENAS)


def _trim_memory() -> None:
    """Return freed memory to the system."""
    libc = _glibc()
    if libc is not None:
        libc.malloc_trim(0)


@cache
def _glibc() -> ctypes.CDLL | None:
    try:
        libc = ctypes.CDLL(None)
        return libc if hasattr(libc, "gnu_get_libc_version") else None
    except (OSError, TypeError):
        return None


_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # malloc.h
_LARGE_BLOCK = 128 << 10
_ARENAS = 2


# The file of a Unix socket: creation with a mode, detection of stale files, removal.

BACKLOG = 64
"""Maximum number of clients that wait to be accepted."""

_LOCK_SECONDS = 5.0  # maximum wait for another server that starts in the same folder


@contextmanager
def bind_socket(path: Path, mode: int) -> Generator[socket.socket]:
    """Yield a socket that listens at ``path``; its file is created with ``mode``.

    Replaces the socket of a server that has exited. Raises UsageError if a server is listening, if
    the path is not a socket, or if the system refuses.
    """
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        try:
            with _lock_folder(path.parent):
                _remove_stale_socket(path)
                _bind(listener, path, mode)
            made = path.lstat()
            listener.listen(BACKLOG)
        except OSError as error:
            reason = error.strerror or error
            raise UsageError(f"cannot listen on {path}: {reason}") from None
        try:
            yield listener
        finally:
            _remove(path, made)
    finally:
        listener.close()


def _remove_stale_socket(path: Path) -> None:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(found.st_mode):
        raise UsageError(f"{path} exists and is not a socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_LOCK_SECONDS)
        try:
            probe.connect(os.fspath(path))
        except ConnectionRefusedError:  # no server listens
            path.unlink()
            return
        except OSError:
            pass  # a server listens, but is busy or denies access
    raise UsageError(f"a server listens on {path} already")


def _bind(listener: socket.socket, path: Path, mode: int) -> None:
    # Use the umask: with chmod, others could connect before the mode is set.
    before = os.umask(0o777 & ~mode)
    try:
        listener.bind(os.fspath(path))
    finally:
        os.umask(before)


def _remove(path: Path, created: os.stat_result) -> None:
    """Remove the socket file unless it now belongs to another server."""
    try:
        found = path.lstat()
        if (found.st_dev, found.st_ino) == (created.st_dev, created.st_ino):
            path.unlink()
    except OSError:
        pass


@contextmanager
def _lock_folder(folder: Path) -> Generator[None]:
    """Prevent servers that start at the same time from removing each other's socket as stale."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        deadline = time.monotonic() + _LOCK_SECONDS
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        yield
    finally:
        os.close(fd)
