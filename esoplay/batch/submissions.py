"""Read and check submissions in JSON lines."""

from __future__ import annotations

import base64
import binascii
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NoReturn, cast

from msgspec import Meta

from esoplay.decoding import DecodingError, FileWording, StrictTable, decode
from esoplay.errors import UsageError
from esoplay.grading.output_comparison import Compare

MAX_PROGRAM_BYTES = 64 << 20
"""Maximum size of a program in bytes, as in ``esoplay grade``."""

MAX_LINE_BYTES = 128 << 20
"""Maximum size of a line in bytes, enough for the largest program in base64."""

_SOURCES = ("program", "program_base64", "path")


Id = Annotated[str | int | None, Meta(extra={"expected": "a string or an integer"})]
CompareWord = Annotated[Compare, Meta(extra={"expected": "exact, newline, strip or numeric"})]
Options = Annotated[dict[str, Any], Meta(extra={"expected": "an object"})]


class SubmissionLine(StrictTable, kw_only=True):
    """Line of a batch, with exactly one of ``program``, ``program_base64`` and ``path``."""

    id: Id = None
    problem: str
    language: str | None = None
    program: str | None = None
    program_base64: str | None = None
    path: str | None = None
    dialect: str | None = None
    options: Options | None = None
    compare: CompareWord | None = None
    pack: str | None = None

    def __post_init__(self) -> None:
        for name, choice in (self.options or {}).items():
            if isinstance(choice, bool) or not isinstance(choice, str | int):
                words = f"{name}: expected a string or an integer, found {_describe_type(choice)}"
                raise DecodingError("options", words)


class BadSubmission(UsageError):
    """Raised for a line that is not a valid submission; the message contains the reason."""


@dataclass(frozen=True, slots=True)
class BatchSubmission:
    """Submission of a program for a problem; a field that is None uses the batch's setting."""

    problem: str
    language: str
    source: bytes
    dialect: str | None
    options: Mapping[str, str | int]
    compare: Compare | None
    pack: str | None


def parse_line(line: bytes) -> dict[str, Any]:
    """Parse a line into its fields.  Raise BadSubmission if it is not a JSON object."""
    if len(line) > MAX_LINE_BYTES:
        raise BadSubmission(f"the line is longer than {MAX_LINE_BYTES} bytes")
    try:
        value = json.loads(line, parse_constant=_refuse_constant)
    except RecursionError:
        raise BadSubmission("cannot read the JSON: it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise BadSubmission(f"not valid JSON: {error.msg} (column {error.colno})") from None
    except UnicodeDecodeError as error:
        raise BadSubmission(f"not valid JSON: byte {error.start + 1} is not UTF-8") from None
    except ValueError:
        raise BadSubmission(
            "cannot read the JSON: it contains NaN, Infinity or a number with too many digits"
        ) from None
    if not isinstance(value, dict):
        raise BadSubmission(f"expected an object, found {_describe_type(value)}")
    return cast("dict[str, Any]", value)


def find_id(line: bytes) -> str | int | None:
    """Return the ``id`` of a line, or None if it is missing or invalid."""
    try:
        return get_id(parse_line(line))
    except BadSubmission:
        return None


def get_id(fields: Mapping[str, Any]) -> str | int | None:
    """Return the ``id`` in ``fields``, or None if it is missing or invalid."""
    id = fields.get("id")
    return id if isinstance(id, str | int) and not isinstance(id, bool) else None


def read_submission(fields: Mapping[str, Any], folder: str) -> BatchSubmission:
    """Convert ``fields`` to a submission; paths are relative to ``folder``.

    Raises BadSubmission if a field is invalid.
    """
    try:
        given = {name: value for name, value in fields.items() if value is not None}
        line = decode(given, SubmissionLine, _WORDING)
    except DecodingError as mistake:
        raise BadSubmission(str(mistake)) from None
    return BatchSubmission(
        line.problem,
        _find_language_id(line.language, line.path),
        _load_source(line, folder),
        line.dialect,
        cast("dict[str, str | int]", line.options or {}),
        line.compare,
        line.pack,
    )


def _find_language_id(language: str | None, path: str | None) -> str:
    from esoplay.programs.host_lanes import language_id_for

    if language is None and path is None:
        raise BadSubmission("language: this field is missing")
    return language_id_for(path or "-", language)


def _load_source(line: SubmissionLine, folder: str) -> bytes:
    given = [name for name in _SOURCES if getattr(line, name) is not None]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        raise BadSubmission(f"expected one of program, program_base64 and path, found {found}")
    if line.path is not None:
        return _read_program(os.path.join(folder, line.path))
    try:
        if line.program is not None:
            source = line.program.encode()
        else:
            source = base64.b64decode(line.program_base64 or "", validate=True)
    except UnicodeEncodeError:
        raise BadSubmission("program: unpaired surrogate; expected valid Unicode text") from None
    except (binascii.Error, ValueError) as error:
        raise BadSubmission(f"program_base64: {error}") from None
    return _check_size(source, given[0])


def _read_program(path: str) -> bytes:
    try:
        # Do not wait for the writer of a pipe: the batch must continue.
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            with open(fd, "rb", closefd=False) as file:
                return _check_size(file.read(MAX_PROGRAM_BYTES + 1) or b"", path)
        finally:
            os.close(fd)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadSubmission(f"path: cannot read {path}: {reason}") from None


def _check_size(source: bytes, name: str) -> bytes:
    if len(source) > MAX_PROGRAM_BYTES:
        raise BadSubmission(
            f"{name} is longer than {MAX_PROGRAM_BYTES} bytes, the limit for programs"
        )
    return source


def _describe_type(value: object) -> str:
    words: dict[type, str] = {
        dict: "an object",
        list: "a list",
        str: "a string",
        bool: "true or false",
    }
    words |= {int: "a number", float: "a number", type(None): "null"}
    return words[type(value)]


def _format_value(value: object) -> str:
    return repr(value) if isinstance(value, str) else _describe_type(value)


_WORDING = FileWording(
    unknown="unknown field {name!r}; expected {known}",
    show=_format_value,
    unknown_before_missing=True,
)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


# Lines of a file or a pipe with their numbers

_MAX_READ_BYTES = 256 << 10  # maximum bytes of one read


class SubmissionLines:
    """Reader of the nonblank lines of an open file, with line numbers from 1.

    A line longer than ``MAX_LINE_BYTES`` bytes is truncated to ``MAX_LINE_BYTES`` + 1 bytes.
    """

    def __init__(self, fd: int):
        regular = stat.S_ISREG(os.fstat(fd).st_mode)
        self.pipe_fd = None if regular else fd
        """Descriptor of a pipe to wait for before ``read``; None for a file."""
        self.size = os.fstat(fd).st_size if regular else None
        """Size of a file in bytes; None for a pipe."""
        self.taken_bytes = 0
        """Number of bytes in the lines returned so far."""
        self._fd = fd
        self._number = 0
        self._bytes = bytearray()
        self._searched = 0
        self._dropped = 0
        self._at_end = False
        self._put_back_line: tuple[int, bytes] | None = None

    @property
    def has_ended(self) -> bool:
        """Whether all lines were returned."""
        return self._at_end and not self._bytes and self._put_back_line is None

    def take(self) -> tuple[int, bytes] | None:
        """Return the next line with its number; None if none is available yet, and at the end."""
        while True:
            found, self._put_back_line = self._put_back_line or self._next_buffered_line(), None
            if found is not None:
                return found
            if self.pipe_fd is not None or self._at_end:
                return None
            self.read()

    def wait(self) -> tuple[int, bytes] | None:
        """Wait for the next line and return it, or None at the end."""
        while (found := self.take()) is None and not self.has_ended:
            self.read()
        return found

    def put_back(self, number: int, line: bytes) -> None:
        """Put back a line; the next ``take`` returns it again."""
        self._put_back_line = number, line

    def read(self) -> None:
        """Read the next bytes; wait if a pipe is not ready."""
        data = os.read(self._fd, _MAX_READ_BYTES)
        self._at_end = not data
        self._bytes += data
        if (
            len(self._bytes) > MAX_LINE_BYTES + _MAX_READ_BYTES
            and self._bytes.find(b"\n", self._searched) < 0
        ):
            self._dropped += len(self._bytes) - MAX_LINE_BYTES - 1
            del self._bytes[MAX_LINE_BYTES + 1 :]
            self._searched = MAX_LINE_BYTES + 1

    def _next_buffered_line(self) -> tuple[int, bytes] | None:
        """Return the next complete nonblank line in the buffer, or None."""
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
            self.taken_bytes += len(line) + self._dropped
            self._dropped = 0
            if line.strip():
                return self._number, line.rstrip(b"\r\n")[: MAX_LINE_BYTES + 1]
        return None
