"""Lines of a byte stream, and the requests that wait for their turn.

What waits is bounded for each connection and for each user.  The lines know nothing of JSON.
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

MAX_LINE = 8 << 20
"""Bytes a line may have: a program of 6 MB in base64 fits."""

LARGE_LINE = 64 << 10
"""Bytes beyond which a line counts as large; a user sends one such line at a time."""

_CHUNK = 1 << 16
_DEFERRED = 64 << 10  # bytes of short lines that wait for the end of a long one


class TooLong(NamedTuple):
    """Placeholder for a line of more than ``limit`` bytes, which was discarded."""

    limit: int


class LineReader:
    """Iterates over the lines of a byte stream without their newline, keeping memory bounded.

    ``read(n)`` gives at most n bytes, as soon as there are any, and ``b""`` at the end.
    What stands after the last newline is a line too, so a script need not end with one.
    ``large``: entered while a line of more than LARGE_LINE bytes is read and processed.
    """

    def __init__(
        self,
        read: Callable[[int], bytes],
        limit: int = MAX_LINE,
        large: Callable[[], AbstractContextManager[object]] = nullcontext,
    ):
        self._read = read
        self._limit = limit
        self._large = large

    def __iter__(self) -> Generator[bytes | TooLong]:
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
                        yield TooLong(self._limit)
                    else:
                        pending += part
                        yield _taken(pending)
                    held.close()
                if discarding:
                    continue
                if len(pending) + len(rest) > self._limit:
                    # Said at once, not at a newline that a broken client may never send.
                    pending.clear()
                    held.close()
                    discarding = True
                    yield TooLong(self._limit)
                    continue
                if len(pending) <= LARGE_LINE < len(pending) + len(rest):
                    held.enter_context(self._large())
                pending += rest
            if pending:
                yield _taken(pending)


def _taken(pending: bytearray) -> bytes:
    line = bytes(pending)
    pending.clear()
    return line


class LineWriter:
    """Writes whole lines from any thread, never interleaved.

    ready: whether a short line could be written without waiting.
    """

    def __init__(self, write: Callable[[bytes], object], ready: Callable[[], bool] = lambda: True):
        self._write = write
        self._ready = ready
        self._changed = threading.Condition()
        self._long = False
        self._deferred: list[bytes] = []

    def line(self, data: bytes) -> None:
        """Write one line and its newline; raises OSError when the reader is gone.

        While another thread writes a long line, the line is queued.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: not self._long or sum(map(len, self._deferred)) < _DEFERRED
            )
            if self._long:
                self._deferred.append(data)
            else:
                self._write(data + b"\n")

    def offer(self, data: bytes) -> None:
        """Write one line if that needs no waiting; else it is lost."""
        if not self._changed.acquire(blocking=False):
            return
        try:
            if not self._long and self._ready():
                self._write(data + b"\n")
        finally:
            self._changed.release()

    def begin_long(self) -> None:
        """Start a line that is written in parts; others wait for its end."""
        with self._changed:
            self._changed.wait_for(lambda: not self._long)
            self._long = True

    def part(self, data: bytes) -> None:
        """Write a part of the long line, the last with its newline."""
        self._write(data)

    def end_long(self, *, complete: bool) -> None:
        """End the long line and write what came meanwhile, if the line is ``complete``."""
        with self._changed:
            deferred = b"".join(line + b"\n" for line in self._deferred)
            self._deferred.clear()
            self._long = False
            self._changed.notify_all()
            if complete and deferred:
                self._write(deferred)


def descriptor_reader(descriptor: int) -> Callable[[int], bytes]:
    """``read`` for :class:`LineReader` that gives what a pipe holds without waiting for more."""
    return lambda size: read_some(descriptor, size)


def descriptor_writer(descriptor: int) -> Callable[[bytes], None]:
    """``write`` for :class:`LineWriter` that goes on until the pipe has taken everything."""
    return lambda data: write_all(descriptor, data)


def descriptor_ready(descriptor: int) -> Callable[[], bool]:
    """``ready`` for :class:`LineWriter`: a pipe that can be written to takes a page at once."""
    return lambda: bool(select.select([], [descriptor], [], 0)[1])


# Requests that wait for their turn.

USER_BYTES = 16 << 20
"""Of requests that wait in all connections of one user; further ones wait in their sockets."""

FREE_BYTES = 64 << 10
"""Of requests that a connection may have waiting whatever the others of its user have."""

_POLL = 0.5  # seconds between two looks at whether the connection is still there


class RequestWork(NamedTuple):
    """One line's worth of requests, and the encoded answers that some of them have already."""

    items: tuple[Call | InvalidRequest, ...]
    answers: list[bytes]
    is_batch: bool
    size: int


class ConnectionQuota:
    """What the connections of one user may hold together.  Safe from any thread."""

    def __init__(self, capacity: int = USER_BYTES):
        self._capacity = capacity
        self._held = 0
        self._large_lines = 0  # how many connections have one, or wait for their turn
        self._large = threading.Lock()
        self._large_thread: int | None = None  # the one that reads the large line
        self._large_number = 0  # of the large line that is read, or was read last
        self._changed = threading.Condition()

    def take(self, size: int, gone: Callable[[], bool]) -> None:
        """Count ``size`` bytes; waits for room, but not for a connection that is gone.

        What is larger than the whole waits until nothing else is held.
        """
        with self._changed:
            while self._held and self._held + size > self._capacity and not gone():
                self._changed.wait(_POLL)
            self._held += size

    def give(self, size: int) -> None:
        """Give back what was taken."""
        with self._changed:
            self._held -= size
            self._changed.notify_all()

    @contextmanager
    def large_line(self, gone: Callable[[], bool]) -> Generator[None]:
        """The right to send a large line, which one connection has at a time."""
        with self._changed:
            self._large_lines += 1
        taken = False
        try:
            while not taken and not gone():
                taken = self._large.acquire(timeout=_POLL)
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
        """Which large line this thread reads, None if it is not this one that reads one."""
        return self._large_number if self._large_thread == threading.get_ident() else None

    @property
    def is_contended(self) -> bool:
        """Whether a connection waits for the large line of another one."""
        return self._large_lines > 1


class RequestQueue:
    """Work in the order it came; bounded, so that a flood waits in the client's pipe.

    allowance: shared with other connections of the same user.  gone: whether the client no longer
    waits for answers.
    """

    def __init__(self, capacity: int, allowance: ConnectionQuota, gone: Callable[[], bool]):
        self._capacity = capacity
        self._allowance = allowance
        self._gone = gone
        self._work: deque[RequestWork] = deque()
        self._size = 0  # of what waits or is executed
        self._shared = 0  # how much of that counts for the user
        self._closed = False
        self._changed = threading.Condition()

    def put(self, work: RequestWork) -> None:
        """Append; waits while there is more than ``capacity`` bytes already."""
        with self._changed:
            self._changed.wait_for(lambda: self._size == 0 or self._size < self._capacity)
            self._size += work.size
            more = self._change_of_shared()
        if more > 0:
            self._allowance.take(more, self._gone)
        with self._changed:
            self._work.append(work)
            self._changed.notify_all()

    def take(self) -> RequestWork | None:
        """The next work; None when there will be no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._work or self._closed)
            return self._work.popleft() if self._work else None

    def done(self, work: RequestWork) -> None:
        """Make room: ``work`` has been executed and answered."""
        with self._changed:
            self._size -= work.size
            less = -self._change_of_shared()
            self._changed.notify_all()
        if less > 0:
            self._allowance.give(less)

    def close(self) -> None:
        """Say that no more will come; what is there is still handed out."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _change_of_shared(self) -> int:
        before, self._shared = self._shared, max(0, self._size - FREE_BYTES)
        return self._shared - before


def memory_of(value: object) -> int:
    """Bytes that a JSON value takes in memory."""
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
