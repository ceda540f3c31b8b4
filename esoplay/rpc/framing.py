"""Bytes to lines and lines to bytes: the transport knows nothing of JSON."""

from __future__ import annotations

import select
import threading
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import NamedTuple

from esoplay.descriptors import read_some, write_all

MAX_LINE = 8 << 20
"""Bytes a line may have: a program of 6 MB in base64 fits."""

LARGE_LINE = 64 << 10
"""Bytes beyond which a line counts as large; a user sends one such line at a time."""

_CHUNK = 1 << 16
_DEFERRED = 64 << 10  # bytes of short lines that wait for the end of a long one


class TooLong(NamedTuple):
    """Stands in for a line of more than ``limit`` bytes, of which nothing was kept."""

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
        """Write one line and its newline; raises OSError when nobody reads any more.

        While a long line is written, it is kept for later.
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
