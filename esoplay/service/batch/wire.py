"""What goes between a batch and the processes that grade: frames, and a pulse.

A frame is a head and bytes: to a process the line of a submission, from it the line of a result.
The pulse is a file of a few bytes in which a process notes where it is before each run: it can
be read whatever became of the process, and costs no message.
"""

from __future__ import annotations

import os
import select
import struct
from typing import Literal, NamedTuple

Word = Literal["solved", "unsolved", "invalid", "voided"]
WORDS: tuple[Word, ...] = ("solved", "unsolved", "invalid", "voided")
"""What became of a submission; the frame of a result carries its place in this list."""

IDLE = 0
"""The line of a process that grades none; lines count from 1."""

_HEAD = struct.Struct("<BQI")
_PULSE = struct.Struct("<QQ")
_READ = 256 << 10  # bytes at a time


class Frame(NamedTuple):
    """word: of a result its place in ``WORDS``, of a submission 1 where care is asked for.

    number: of the line, from 1.
    """

    word: int
    number: int
    data: bytes


def frame(word: int, number: int, data: bytes) -> bytes:
    """A frame as bytes."""
    return _HEAD.pack(word, number, len(data)) + data


class Frames:
    """Cuts a stream of bytes into frames; one that is not whole yet waits for its rest."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> None:
        self._bytes += data

    def take(self) -> Frame | None:
        """The next whole frame."""
        if len(self._bytes) < _HEAD.size:
            return None
        word, number, length = _HEAD.unpack_from(self._bytes)
        end = _HEAD.size + length
        if len(self._bytes) < end:
            return None
        data = bytes(memoryview(self._bytes)[_HEAD.size : end])
        del self._bytes[:end]
        return Frame(word, number, data)


class Inbox:
    """Frames from a pipe, one at a time."""

    def __init__(self, fd: int):
        self._fd = fd
        self._frames = Frames()
        self._next: Frame | None = None

    def wait(self) -> Frame | None:
        """The next frame, None when the pipe has ended."""
        found, self._next = self._next, None
        while found is None:
            found = self._frames.take()
            if found is None and not self._read():
                return None
        return found

    def more(self) -> bool:
        """Whether the next frame is there already."""
        while self._next is None:
            self._next = self._frames.take()
            if self._next is None:
                ready, _, _ = select.select([self._fd], [], [], 0)
                if not ready or not self._read():
                    return False
        return True

    def _read(self) -> bool:
        data = os.read(self._fd, _READ)
        self._frames.feed(data)
        return bool(data)


class Pulse(NamedTuple):
    """line: being graded, or ``IDLE``.  beat: grows with each run that begins."""

    line: int
    beat: int


def write_pulse(fd: int, pulse: Pulse) -> None:
    """Note where this process is."""
    os.pwrite(fd, _PULSE.pack(*pulse), 0)


def read_pulse(fd: int) -> Pulse:
    """Where a process is, or was when it ended."""
    data = os.pread(fd, _PULSE.size, 0)
    return Pulse(*_PULSE.unpack(data)) if len(data) == _PULSE.size else Pulse(IDLE, 0)
