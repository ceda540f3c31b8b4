"""Bytes through file descriptors, also those that some other program left non-blocking."""

from __future__ import annotations

import os


def read_some(descriptor: int, size: int) -> bytes:
    """At most ``size`` bytes as soon as there are any, ``b""`` at the end.  Raises OSError."""
    while True:
        try:
            return os.read(descriptor, size)
        except BlockingIOError:
            from select import select

            select([descriptor], [], [])


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte, however slowly they are taken.  Raises OSError."""
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(descriptor, rest) :]
        except BlockingIOError:
            from select import select

            select([], [descriptor], [])
