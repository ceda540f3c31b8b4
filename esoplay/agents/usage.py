"""Read the token reports that an agent writes to a file in its home, as JSON lines.

    {"input_tokens": 5210, "output_tokens": 700, "cost": 0.031, "time_ms": 1767312040000}

``cost``, ``reasoning_tokens`` and ``time_ms`` are optional; a line without a time gets the time at
which it was written. The file is read while the agent runs, and valid lines are saved next to the
session's export. The values are not verified, and errors in them do not affect the session.
"""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, cast

from esolangs.wording import format_count
from esoplay.agents.agent_log import LoggedTokens
from esoplay.agents.records import HOME, USAGE, compute_digest, open_regular_file
from esoplay.errors import UsageError
from esoplay.reporting.usage import parse_entry

USAGE_VARIABLE = "ESOPLAY_USAGE"
"""Environment variable with the path of the file to which an agent writes its token reports."""
MAX_BYTES = 64 << 20
"""Maximum number of bytes that are read from a file of token reports."""
_MAX_READ_BYTES = 1 << 20  # maximum bytes of one read and of one line
_CLOCK_TOLERANCE_MS = 60_000  # tolerated clock difference of other machines
_MAX_ERROR_LENGTH = 200  # maximum characters of an error in a line
_APPEND_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class ReportedUsage(NamedTuple):
    """Totals of all reports. tokens, cost: None if not reported. sha256: digest of saved lines."""

    tokens: int | None
    cost: float | None
    sha256: str | None
    notes: tuple[str, ...]


class UsageFile:
    """Reader of the token reports of one attempt; it resumes where a killed run stopped.

    began_ms: start of the attempt, in milliseconds of Unix time.
    """

    def __init__(self, attempt: Path, session: str, began_ms: int):
        self._source = attempt / HOME / USAGE
        self._saved = attempt / USAGE
        self._session = session
        self._began_ms = began_ms
        self._offset = 0
        self._bytes_read = 0
        self._tokens: int | None = None
        self._cost: float | None = None
        self._skipped = 0
        self._reason = ""
        self._problem = ""
        self._resume()

    def read_lines(self) -> bool:
        """Read the next complete lines; return whether more may be available."""
        return self._read_new_lines(final=False)

    @property
    def tokens(self) -> int | None:
        """Tokens reported so far; None without a report."""
        return self._tokens

    def add(self, entries: Iterable[LoggedTokens]) -> None:
        """Save tokens from the agent's log; times outside of the attempt are clamped to it."""
        now = int(time.time() * 1000)
        for entry in entries:
            at = now if entry.time_ms is None else entry.time_ms
            members = {
                "session": self._session,
                "time_ms": max(self._began_ms, min(at, now)),
                "input_tokens": entry.input,
                "output_tokens": entry.output,
                "cost": entry.cost,
                "cached_tokens": entry.cached,
                "reasoning_tokens": entry.reasoning,
            }
            self._append({**members, "at": self._offset})
            self._add_to_totals(members)

    def finish(self) -> ReportedUsage:
        """Read the rest of the file after the agent has exited, and return the totals."""
        while self._read_new_lines(final=True):
            pass
        notes: list[str] = []
        if self._skipped:
            lines = format_count(self._skipped, "line")
            notes.append(f"skipped {lines} of token reports; reason for the first: {self._reason}")
        if self._problem:
            notes.append(f"token reports: {self._problem}")
        found = None if self._tokens is None else compute_digest(self._saved, MAX_BYTES * 2)
        return ReportedUsage(self._tokens, self._cost, found, tuple(notes))

    def _resume(self) -> None:
        """Restore the totals and the read position from the reports that an earlier run saved."""
        try:
            with open_regular_file(self._saved) as stream:
                for line in stream.read(MAX_BYTES * 2).split(b"\n"):
                    if line:
                        self._add_to_totals(note := cast("dict[str, Any]", json.loads(line)))
                        self._offset = self._bytes_read = _check_offset(note["at"])
        except FileNotFoundError:
            pass
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            self._problem = f"the saved reports are damaged: {error}"
        except (RecursionError, UsageError):
            self._problem = "the saved reports are damaged"

    def _read_new_lines(self, *, final: bool) -> bool:
        try:
            with open_regular_file(self._source) as stream:
                found = os.fstat(stream.fileno())
                if found.st_size < self._offset:
                    self._offset = 0  # the file was truncated
                if self._bytes_read >= MAX_BYTES:
                    self._problem = f"only the first {MAX_BYTES:,} bytes were read"
                    return False
                stream.seek(self._offset)
                data = stream.read(_MAX_READ_BYTES)
        except FileNotFoundError:
            return False
        except OSError as error:
            self._problem = f"cannot be read: {error.strerror or error}"
            return False
        more = len(data) == _MAX_READ_BYTES
        whole = data.rfind(b"\n") + 1
        if (final and not more) or (more and not whole):  # the last line, or a very long line
            whole = len(data)
        now = int(time.time() * 1000)
        written = min(now, max(self._began_ms, found.st_mtime_ns // 1_000_000))
        for line in BytesIO(data[:whole]):
            self._offset += len(line)
            self._bytes_read += len(line)
            if line.strip():
                self._save_line(line, written, now)
        return whole > 0

    def _save_line(self, line: bytes, modified_ms: int, now_ms: int) -> None:
        """Save one line, or skip it and save the reason."""
        try:
            try:
                found: object = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise UsageError(f"not valid JSON: {error}") from None
            record = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
            members = {
                "session": self._session,
                "time_ms": record.get("time_ms", modified_ms),
                **{name: record.get(name) for name in ("input_tokens", "output_tokens", "cost")},
                **{name: record[name] for name in ("reasoning_tokens",) if name in record},
            }
            entry = parse_entry(members)
            earliest, latest = self._began_ms - _CLOCK_TOLERANCE_MS, now_ms + _CLOCK_TOLERANCE_MS
            if not earliest <= entry.time_ms <= latest:
                expected = f"Unix time in milliseconds, from {earliest} to {latest}"
                raise UsageError(f"time_ms: expected {expected}, not {entry.time_ms}")
        except UsageError as error:
            self._skipped += 1
            self._reason = self._reason or str(error)[:_MAX_ERROR_LENGTH]
            return
        self._append({**members, "at": self._offset})
        self._add_to_totals(members)

    def _add_to_totals(self, members: dict[str, Any]) -> None:
        entry = parse_entry(members)
        self._tokens = (self._tokens or 0) + entry.tokens
        if entry.cost is not None:
            self._cost = (self._cost or 0.0) + entry.cost

    def _append(self, members: dict[str, Any]) -> None:
        try:
            descriptor = os.open(self._saved, _APPEND_FLAGS, 0o600)
            try:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise OSError("not a regular file")
                os.write(descriptor, json.dumps(members).encode() + b"\n")
            finally:
                os.close(descriptor)
        except OSError as error:
            self._problem = f"cannot be recorded: {error.strerror or error}"


def _check_offset(value: object) -> int:
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise ValueError(f"at: expected an offset in the file, not {value!r}")
    return value
