"""The file of results that a batch begins or goes on with."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import cast

from esoplay.errors import UsageError
from esoplay.service.batch.lines import Lines
from esoplay.service.batch.results import Head, beginning
from esoplay.service.batch.terms import line_digest


class ResultsFile:
    """A file of results that is begun, or gone on with.  Use as a context manager."""

    def __init__(self, path: Path):
        """Open or make ``path`` for this process alone; raises UsageError."""
        self.path = path
        try:
            self._file = open(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")  # noqa: SIM115
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(f"cannot write {path}: {reason}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise UsageError(f"{path} is being written by another batch") from None

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def is_same_as(self, fd: int) -> bool:
        """Whether this is the open file ``fd``."""
        return os.path.sameopenfile(self._file.fileno(), fd)

    def skip_done(self, lines: Lines, terms: str) -> int:
        """Take from ``lines`` what has a result here; returns how many.

        A last line without its end is cut off.  Raises UsageError, and changes nothing, where
        the file does not hold the results of these submissions under these terms.
        """
        if not os.fstat(self._file.fileno()).st_size:
            return 0
        done = 0
        for line in self._file:
            found = lines.wait()
            if found is None:
                raise UsageError(f"{self.path} holds more results than there are submissions")
            number, submission = found
            expected = Head(number, line_digest(submission), terms, None)
            if not line.endswith(b"\n"):
                self._cut_off(line, expected)
                lines.put_back(number, submission)
                break
            done += 1
            self._check(line, done, expected)
        self._file.seek(0, os.SEEK_END)
        return done

    def write(self, line: bytes) -> None:
        """Add a result."""
        self._file.write(line)
        self._file.flush()

    def _check(self, line: bytes, at: int, expected: Head) -> None:
        try:
            found: object = json.loads(line)
            if not isinstance(found, dict):
                raise TypeError
            data = cast("dict[str, object]", found)
            head = data["line"], data["submission"], data["terms"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise UsageError(
                f"{self.path}: line {at} is no result of a batch; name another file"
            ) from None
        if head[:2] != (expected.line, expected.submission):
            raise UsageError(
                f"{self.path}: line {at} is the result of another submission than that in "
                f"line {expected.line}; name another file for the results of these"
            )
        if head[2] != expected.terms:
            raise UsageError(
                f"{self.path}: line {at} was graded under other terms (seed, dialect, compare, "
                "pack or version of esoplay); name another file"
            )

    def _cut_off(self, half: bytes, expected: Head) -> None:
        whole = beginning(expected)
        if half[: len(whole)] != whole[: len(half)]:
            raise UsageError(f"{self.path}: its end is no result of a batch; name another file")
        self._file.seek(-len(half), os.SEEK_END)
        self._file.truncate()
