"""Bytes to lines and lines to bytes: the transport knows nothing of JSON."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

from esoplay.descriptors import read_some, write_all

MAX_LINE = 8 << 20
"""Bytes a line may have: a program of 6 MB in base64 fits."""

_CHUNK = 1 << 16


class TooLong(NamedTuple):
    """Stands in for a line of more than ``limit`` bytes, of which nothing was kept."""

    limit: int


class LineReader:
    """Iterates over the lines of a byte stream without their newline, keeping memory bounded.

    ``read(n)`` gives at most n bytes, as soon as there are any, and ``b""`` at the end.
    What stands after the last newline is a line too, so a script need not end with one.
    """

    def __init__(self, read: Callable[[int], bytes], limit: int = MAX_LINE):
        self._read = read
        self._limit = limit

    def __iter__(self) -> Iterator[bytes | TooLong]:
        pending = bytearray()
        discarding = False
        while chunk := self._read(_CHUNK):
            *complete, rest = chunk.split(b"\n")
            for part in complete:
                if discarding:
                    discarding = False
                elif len(pending) + len(part) > self._limit:
                    yield TooLong(self._limit)
                else:
                    yield bytes(pending) + part
                pending.clear()
            if discarding:
                continue
            if len(pending) + len(rest) > self._limit:
                # Said at once, not at a newline that a broken client may never send.
                yield TooLong(self._limit)
                pending.clear()
                discarding = True
            else:
                pending += rest
        if pending:
            yield bytes(pending)


class LineWriter:
    """Writes whole lines from any thread, never interleaved."""

    def __init__(self, write: Callable[[bytes], object]):
        self._write = write
        self._lock = threading.Lock()

    def line(self, data: bytes) -> None:
        """Write one line and its newline; raises OSError when nobody reads any more."""
        with self._lock:
            self._write(data + b"\n")


def descriptor_reader(descriptor: int) -> Callable[[int], bytes]:
    """``read`` for :class:`LineReader` that gives what a pipe holds without waiting for more."""
    return lambda size: read_some(descriptor, size)


def descriptor_writer(descriptor: int) -> Callable[[bytes], None]:
    """``write`` for :class:`LineWriter` that goes on until the pipe has taken everything."""
    return lambda data: write_all(descriptor, data)
