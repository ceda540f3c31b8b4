"""Transport of lines over byte streams, and the queue of requests.

The size of waiting requests is limited for each connection and for each user. The transport does
not depend on JSON.
"""

from __future__ import annotations

import select
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import NamedTuple, cast

from esoplay.descriptors import read_some, write_all
from esoplay.rpc.connection import Call
from esoplay.rpc.protocol import InvalidRequest

MAX_LINE_BYTES = 8 << 20
"""Maximum length of a line in bytes; enough for a program of 6 MB in base64."""

MAX_SMALL_LINE = 64 << 10
"""Maximum length of a small line in bytes; a user can send only one larger line at a time."""

_CHUNK = 1 << 16
_MAX_DEFERRED_BYTES = 64 << 10  # bytes of short lines that are queued during a long line


class OverlongLine(NamedTuple):
    """Placeholder for a discarded line of more than ``limit`` bytes."""

    limit: int


class LineReader:
    """Iterator over the lines of a byte stream, without newlines, in bounded memory.

    ``read(n)`` returns at most n bytes as soon as any are available, and ``b""`` at the end. The
    last line need not end with a newline. ``large_line``: returns a context manager that is active
    while a line of more than MAX_SMALL_LINE bytes is read and processed.
    """

    def __init__(
        self,
        read: Callable[[int], bytes],
        limit: int = MAX_LINE_BYTES,
        large_line: Callable[[], AbstractContextManager[object]] = nullcontext,
    ):
        self._read = read
        self._limit = limit
        self._large_line = large_line

    def __iter__(self) -> Generator[bytes | OverlongLine]:
        pending = bytearray()
        discarding = False
        with ExitStack() as held:
            while chunk := self._read(_CHUNK):
                *complete, rest = chunk.split(b"\n")
                for part in complete:
                    if discarding:
                        discarding = False
                    elif len(pending) + len(part) > self._limit:
                        pending.clear()
                        yield OverlongLine(self._limit)
                    else:
                        pending += part
                        yield _take_line(pending)
                    held.close()
                if discarding:
                    continue
                if len(pending) + len(rest) > self._limit:
                    # Report it now: a broken client may never send the newline.
                    pending.clear()
                    held.close()
                    discarding = True
                    yield OverlongLine(self._limit)
                    continue
                if len(pending) <= MAX_SMALL_LINE < len(pending) + len(rest):
                    held.enter_context(self._large_line())
                pending += rest
            if pending:
                yield _take_line(pending)


def _take_line(pending: bytearray) -> bytes:
    line = bytes(pending)
    pending.clear()
    return line


class LineWriter:
    """Thread-safe writer of whole lines.

    ready: returns whether a short line can be written without blocking.
    """

    def __init__(self, write: Callable[[bytes], object], ready: Callable[[], bool] = lambda: True):
        self._write = write
        self._ready = ready
        self._changed = threading.Condition()
        self._long = False
        self._deferred: list[bytes] = []

    def write_line(self, data: bytes) -> None:
        """Write a line and its newline; raise OSError if the reader has disconnected.

        While another thread writes a long line, the line is queued.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: not self._long or sum(map(len, self._deferred)) < _MAX_DEFERRED_BYTES
            )
            if self._long:
                self._deferred.append(data)
            else:
                self._write(data + b"\n")

    def try_write_line(self, data: bytes) -> None:
        """Write a line if this does not block; otherwise discard it."""
        if not self._changed.acquire(blocking=False):
            return
        try:
            if not self._long and self._ready():
                self._write(data + b"\n")
        finally:
            self._changed.release()

    def begin_long_line(self) -> None:
        """Start a long line that is written in parts; other lines wait until it ends."""
        with self._changed:
            self._changed.wait_for(lambda: not self._long)
            self._long = True

    def write_part(self, data: bytes) -> None:
        """Write a part of a long line; the last part must end with a newline."""
        self._write(data)

    def end_long_line(self, *, complete: bool) -> None:
        """End a long line, and write the lines that were queued since its start.

        complete: whether the whole long line was written; if not, the queued lines are discarded.
        """
        with self._changed:
            deferred = b"".join(line + b"\n" for line in self._deferred)
            self._deferred.clear()
            self._long = False
            self._changed.notify_all()
            if complete and deferred:
                self._write(deferred)


def descriptor_reader(descriptor: int) -> Callable[[int], bytes]:
    """Return a ``read`` function for :class:`LineReader` that returns available bytes at once."""
    return lambda size: read_some(descriptor, size)


def descriptor_writer(descriptor: int) -> Callable[[bytes], None]:
    """Return a ``write`` function for :class:`LineWriter` that writes all bytes."""
    return lambda data: write_all(descriptor, data)


def descriptor_readiness(descriptor: int) -> Callable[[], bool]:
    """Return a ``ready`` function for :class:`LineWriter`: whether a pipe accepts more bytes."""
    return lambda: bool(select.select([], [descriptor], [], 0)[1])


# Waiting requests

USER_BYTES = 16 << 20
"""Maximum size of a user's waiting requests in bytes; further requests remain in the sockets."""

UNTRACKED_BYTES = 64 << 10
"""Bytes of each connection's waiting requests that are not part of the limit ``USER_BYTES``."""

_POLL_SECONDS = 0.5  # seconds between two checks of the connection


class RequestWork(NamedTuple):
    """The requests of one input line that are not executed at once.

    items: these requests, and invalid requests, which also get an answer. answers: encoded answers
    to requests of the line that were executed at once. is_batch: whether the line is a JSON-RPC
    batch. size: estimated memory of the requests in bytes.
    """

    items: tuple[Call | InvalidRequest, ...]
    answers: list[bytes]
    is_batch: bool
    size: int


class ConnectionQuota:
    """Limit on waiting requests and large lines in all connections of one user. Thread-safe."""

    def __init__(self, capacity: int = USER_BYTES):
        self._capacity = capacity
        self._held = 0
        self._large_lines = 0  # connections that send a large line, or wait for it
        self._large = threading.Lock()
        self._large_thread: int | None = None  # the thread that reads the large line
        self._large_number = 0  # number of the current or last large line
        self._changed = threading.Condition()

    def acquire(self, size: int, is_disconnected: Callable[[], bool]) -> None:
        """Reserve ``size`` bytes; wait until they are available or the connection is closed.

        A size above the capacity waits until nothing else is reserved.
        """
        with self._changed:
            while self._held and self._held + size > self._capacity and not is_disconnected():
                self._changed.wait(_POLL_SECONDS)
            self._held += size

    def release(self, size: int) -> None:
        """Release reserved bytes."""
        with self._changed:
            self._held -= size
            self._changed.notify_all()

    @contextmanager
    def reserve_large_line(self, is_disconnected: Callable[[], bool]) -> Generator[None]:
        """Reserve the right to send a large line, which one connection has at a time.

        Waits until no other connection has it, or ``is_disconnected`` returns true; releases it
        when the context ends.
        """
        with self._changed:
            self._large_lines += 1
        taken = False
        try:
            while not taken and not is_disconnected():
                taken = self._large.acquire(timeout=_POLL_SECONDS)
            if taken:
                self._large_number += 1
                self._large_thread = threading.get_ident()
            yield
        finally:
            if taken:
                self._large_thread = None
                self._large.release()
            with self._changed:
                self._large_lines -= 1

    def large_line_number(self) -> int | None:
        """Return the number of the large line that this thread reads, or None; counted from 1."""
        return self._large_number if self._large_thread == threading.get_ident() else None

    @property
    def is_contended(self) -> bool:
        """Whether another connection waits to send a large line."""
        return self._large_lines > 1


class RequestQueue:
    """First-in, first-out queue of requests with limited size; further ones remain in the pipe.

    quota: shared by the connections of one user. is_disconnected: returns whether the client has
    stopped waiting for answers.
    """

    def __init__(self, capacity: int, quota: ConnectionQuota, is_disconnected: Callable[[], bool]):
        self._capacity = capacity
        self._quota = quota
        self._is_disconnected = is_disconnected
        self._work: deque[RequestWork] = deque()
        self._size = 0  # size of all waiting and running work
        self._shared = 0  # the part that is charged to the user
        self._closed = False
        self._changed = threading.Condition()

    def put(self, work: RequestWork) -> None:
        """Append work; first wait while the queue is full or the user's quota is exhausted."""
        with self._changed:
            self._changed.wait_for(lambda: self._size == 0 or self._size < self._capacity)
            self._size += work.size
            more = self._update_shared()
        if more > 0:
            self._quota.acquire(more, self._is_disconnected)
        with self._changed:
            self._work.append(work)
            self._changed.notify_all()

    def take(self) -> RequestWork | None:
        """Return the next work, or None if the queue is closed and empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._work or self._closed)
            return self._work.popleft() if self._work else None

    def finish(self, work: RequestWork) -> None:
        """Release the memory of ``work``, which was executed and answered."""
        with self._changed:
            self._size -= work.size
            less = -self._update_shared()
            self._changed.notify_all()
        if less > 0:
            self._quota.release(less)

    def close(self) -> None:
        """Close the queue to new work; queued work can still be taken."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _update_shared(self) -> int:
        """Update the number of bytes charged to the user; return its increase."""
        before, self._shared = self._shared, max(0, self._size - UNTRACKED_BYTES)
        return self._shared - before


def estimate_memory(value: object) -> int:
    """Estimate the memory of a JSON value in bytes."""
    total, waiting = 0, [value]
    while waiting:
        each = waiting.pop()
        total += sys.getsizeof(each)
        if isinstance(each, dict):
            waiting += cast("dict[object, object]", each).keys()
            waiting += cast("dict[object, object]", each).values()
        elif isinstance(each, list):
            waiting += cast("list[object]", each)
    return total
