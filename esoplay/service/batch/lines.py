"""The lines of a file or a pipe, with their numbers, none of which is waited for."""

from __future__ import annotations

import os
import stat

from esoplay.service.batch.submissions import MAX_LINE

_READ = 256 << 10  # bytes at a time


class Lines:
    """The lines of an open file that are not blank; ``number`` is of the last one, from 1.

    Of a line that is longer than ``MAX_LINE`` bytes only so much is kept, and one byte more.
    """

    def __init__(self, fd: int):
        regular = stat.S_ISREG(os.fstat(fd).st_mode)
        self.fd = None if regular else fd
        """What to wait for before ``read``; None for a file, which is always there."""
        self.size = os.fstat(fd).st_size if regular else None
        """Bytes of a file, None of a pipe."""
        self.taken = 0
        """Bytes of the lines taken so far."""
        self._fd = fd
        self._number = 0
        self._bytes = bytearray()
        self._searched = 0
        self._dropped = 0
        self._at_end = False
        self._returned: tuple[int, bytes] | None = None

    @property
    def ended(self) -> bool:
        """Whether the last line was taken."""
        return self._at_end and not self._bytes and self._returned is None

    def take(self) -> tuple[int, bytes] | None:
        """The next line with its number; None when none is there yet, or no more."""
        while True:
            found, self._returned = self._returned or self._cut(), None
            if found is not None:
                return found
            if self.fd is not None or self._at_end:
                return None
            self.read()

    def wait(self) -> tuple[int, bytes] | None:
        """The next line; None when there are no more."""
        while (found := self.take()) is None and not self.ended:
            self.read()
        return found

    def put_back(self, number: int, line: bytes) -> None:
        """Let the line that was taken last be the next one."""
        self._returned = number, line

    def read(self) -> None:
        """Read once more; a pipe that is not ready is waited for."""
        data = os.read(self._fd, _READ)
        self._at_end = not data
        self._bytes += data
        if len(self._bytes) > MAX_LINE + _READ and self._bytes.find(b"\n", self._searched) < 0:
            self._dropped += len(self._bytes) - MAX_LINE - 1
            del self._bytes[MAX_LINE + 1 :]
            self._searched = MAX_LINE + 1

    def _cut(self) -> tuple[int, bytes] | None:
        """The next whole line that is not blank among the bytes that are there."""
        while self._bytes:
            end = self._bytes.find(b"\n", self._searched) + 1
            if not end:
                self._searched = len(self._bytes)
                if not self._at_end:
                    return None
                end = len(self._bytes)
            line = bytes(memoryview(self._bytes)[:end])
            del self._bytes[:end]
            self._searched = 0
            self._number += 1
            self.taken += len(line) + self._dropped
            self._dropped = 0
            if line.strip():
                return self._number, line.rstrip(b"\r\n")[: MAX_LINE + 1]
        return None
