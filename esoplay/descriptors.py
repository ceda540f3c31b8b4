"""Reads and writes on file descriptors, including non-blocking ones."""

from __future__ import annotations

import os
import sys


def read_some(descriptor: int, size: int) -> bytes:
    """Wait for input and return at most ``size`` bytes; ``b""`` at the end.

    Raises OSError if reading fails.
    """
    while True:
        try:
            return os.read(descriptor, size)
        except BlockingIOError:
            from select import select

            select([descriptor], [], [])


def write_all(descriptor: int, data: bytes) -> None:
    """Write all bytes, waiting as necessary. Raise OSError if writing fails."""
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(descriptor, rest) :]
        except BlockingIOError:
            from select import select

            select([], [descriptor], [])


def claim_stdio() -> tuple[int, int]:
    """Return new descriptors of stdin and stdout for a protocol; redirect descriptors 0 and 1.

    Afterwards descriptor 0 is empty and descriptor 1 is stderr, so that neither a stray print nor a
    child process can interfere with the protocol.
    """
    sys.stdout.flush()
    protocol_input, protocol_output = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    return protocol_input, protocol_output
