"""The request ``launch``: its arguments, the debugger, and the sources with their positions."""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from esolangs.errors import ParseError
from esolangs.limits import Limits
from esolangs.source import BYTE_ORDER_MARK
from esoplay.dap.protocol import (
    Arguments,
    RequestError,
    boolean_argument,
    integer_argument,
    object_argument,
    required_text,
    text_argument,
)
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.source_maps import SourceMap
from esoplay.programs.execution import language_for
from esoplay.timeline.timeline import DEBUG_LIMITS

MAX_FILE_BYTES = 64 << 20
"""The maximum size of a program or an input, in bytes."""


@dataclass(frozen=True, slots=True)
class LineNumbering:
    """The number of the client's first line and first column: 0 or 1."""

    first_line: int = 1
    first_column: int = 1

    def places(self, source: bytes) -> TextPlaces:
        """Return the converter between byte offsets in ``source`` and the client's positions."""
        return TextPlaces(source, self.first_line, self.first_column)


@dataclass(frozen=True, slots=True)
class Launch:
    """The arguments of a launch, and the debugger opened for them.

    stop_on_entry: whether to stop at step 0 first. stop_at_end: whether to stop at the last step
    instead of ending the session, so that the client can go back. debug: False to run without
    stops.
    """

    path: Path
    debugger: Debugger
    stop_on_entry: bool
    stop_at_end: bool
    debug: bool


class InvalidProgram(RequestError):
    """Raised if a program cannot be parsed; ``line`` and ``column`` are the client's numbers."""

    def __init__(self, error: ParseError, path: Path, places: TextPlaces):
        self.path = path
        self.line, self.column = places.place(error.offset)
        super().__init__(f"{path.name}, line {error.line}, column {error.column}: {error.message}")


def launch(arguments: Arguments, numbering: LineNumbering) -> Launch:
    """Open the program that a launch request names.

    Raises RequestError for invalid arguments or an unreadable file, UsageError for an unknown
    language or option, and InvalidProgram if the program cannot be parsed.
    """
    path = Path(required_text(arguments, "program")).expanduser()
    if not path.is_absolute():
        path = Path(text_argument(arguments, "cwd") or ".", path)
    language = language_for(str(path), text_argument(arguments, "language"))
    source = read_bytes(path)
    places = numbering.places(source)
    stdin = _stdin(arguments, path.parent)
    steps = integer_argument(arguments, "maxSteps")
    if steps is not None and steps < 1:
        raise RequestError(f"invalid maxSteps {steps}; expected at least 1")
    try:
        debugger = Debugger.open(
            language.id,
            source,
            stdin=stdin or b"",
            closed=not boolean_argument(arguments, "openInput"),
            dialect=text_argument(arguments, "dialect") or "standard",
            options=_options(arguments),
            seed=integer_argument(arguments, "seed") or 0,
            limits=None if steps is None else Limits(steps, DEBUG_LIMITS.output),
            started=int(time.time()),
            file=path,
        )
    except ParseError as error:
        raise InvalidProgram(error, path, places) from None
    debug = not boolean_argument(arguments, "noDebug")
    return Launch(
        path,
        debugger,
        boolean_argument(arguments, "stopOnEntry") and debug,
        boolean_argument(arguments, "stopAtEnd", True) and debug,
        debug,
    )


def read_bytes(path: Path) -> bytes:
    """Return the content of a file.  Raises RequestError if it cannot be read or is too large."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise RequestError(f"cannot read {path}: {reason}") from None
    if len(data) > MAX_FILE_BYTES:
        raise RequestError(f"{path} is larger than {MAX_FILE_BYTES:,} bytes")
    return data


def _stdin(arguments: Arguments, folder: Path) -> bytes | None:
    text, file = text_argument(arguments, "stdin"), text_argument(arguments, "stdinFile")
    if text is not None and file is not None:
        raise RequestError("stdin and stdinFile cannot be combined")
    if file is not None:
        return read_bytes(folder / Path(file).expanduser())
    return None if text is None else text.encode("utf-8", "surrogateescape")


def _options(arguments: Arguments) -> dict[str, str | int]:
    options = cast("dict[str, Any]", object_argument(arguments, "options"))
    for name, value in options.items():
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise RequestError(f"options.{name} must be a string or an integer")
    return options


# The texts of a debug session: the program, and the source it was generated from.

Role = Literal["program", "generator"]

GENERATOR_REFERENCE = 1
"""The ``sourceReference`` of the source that generated the program, if it is not in a file."""


class ClientSources:
    """The source files of a session and their names in the protocol."""

    def __init__(self, program: Path, source_map: SourceMap | None, numbering: LineNumbering):
        self._program = Path(os.path.abspath(program))
        self._map = source_map
        self._generator: Path | None = None
        self.generator_places: TextPlaces | None = None
        if source_map is not None:
            text = source_map.text.encode("utf-8", "surrogateescape")
            self.generator_places = numbering.places(text)
            beside = self._program.parent / Path(source_map.name).name
            # Another version of the source has other line numbers.
            if _has_text(beside, text):
                self._generator = beside

    @property
    def program(self) -> dict[str, Any]:
        """The program as the protocol's ``Source``."""
        return {"name": self._program.name, "path": str(self._program)}

    @property
    def generator(self) -> dict[str, Any] | None:
        """The source that generated the program, as a ``Source``; None without a source map."""
        if self._map is None:
            return None
        name = Path(self._map.name).name
        if self._generator is not None:
            return {"name": name, "path": str(self._generator)}
        return {
            "name": name,
            "sourceReference": GENERATOR_REFERENCE,
            "origin": "from the source map",
        }

    @property
    def as_json(self) -> list[dict[str, Any]]:
        """All sources, each as the protocol's ``Source``."""
        return [source for source in (self.program, self.generator) if source is not None]

    def role(self, source: Arguments) -> Role | None:
        """Return whether a client's source is the program or its generator; None if neither."""
        if (
            self._map is not None
            and integer_argument(source, "sourceReference") == GENERATOR_REFERENCE
        ):
            return "generator"
        path = source.get("path")
        if not isinstance(path, str):
            return None
        if _is_same_file(path, self._program):
            return "program"
        if self._generator is not None and _is_same_file(path, self._generator):
            return "generator"
        return None

    def text(self, reference: int | None) -> str:
        """Return the text of a ``sourceReference``. Raises RequestError if it is unknown."""
        if self._map is None or reference != GENERATOR_REFERENCE:
            raise RequestError(f"unknown source reference {reference}")
        return self._map.text


def _has_text(file: Path, text: bytes) -> bool:
    try:
        return file.is_file() and file.read_bytes() == text
    except OSError:
        return False


def _is_same_file(path: str, other: Path) -> bool:
    """Return whether two paths name the same file, also through links."""
    return os.path.normcase(os.path.realpath(path)) == os.path.normcase(os.path.realpath(other))


# Places in texts as editors count them: lines, and columns in UTF-16 code units.
#
# Engines count bytes, and only ``\n`` ends a line. Editors count the same lines unless a text
# contains lone carriage returns.


class TextPlaces:
    """Conversion between byte offsets in a text and an editor's lines and columns.

    first_line, first_column: the client's number of the first line or column, 0 or 1.
    """

    def __init__(self, source: bytes, first_line: int = 1, first_column: int = 1):
        self._source = source
        self._first_line = first_line
        self._first_column = first_column
        self._starts = [0]
        at = source.find(b"\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = source.find(b"\n", at + 1)

    def place(self, offset: int) -> tuple[int, int]:
        """Return the client's line and column of the byte at ``offset``."""
        row = bisect_right(self._starts, offset) - 1
        before = self._source[self.bounds(row)[0] : offset]
        return row + self._first_line, _utf16_units(before) + self._first_column

    def row(self, line: int) -> int | None:
        """Return the zero-based index of a client's line, or None if the line does not exist."""
        row = line - self._first_line
        return row if 0 <= row < len(self._starts) else None

    def client_line(self, number: int) -> int:
        """Return the client's number of a line; ``number`` is counted from 1."""
        return number - 1 + self._first_line

    def line_number(self, line: int) -> int:
        """Return the number, counted from 1, of a client's line; the line need not exist."""
        return line - self._first_line + 1

    def bounds(self, row: int) -> tuple[int, int]:
        """Return the byte offsets of the start and end of a line, without its line break."""
        start = self._starts[row]
        if row == 0 and self._source.startswith(BYTE_ORDER_MARK):  # editors do not show it
            start = len(BYTE_ORDER_MARK)
        end = self._starts[row + 1] - 1 if row + 1 < len(self._starts) else len(self._source)
        return start, end

    def offset(self, row: int, column: int) -> int:
        """Return the byte offset of a client's column in a row, limited to the end of the row."""
        start, end = self.bounds(row)
        left = column - self._first_column
        for character in self._source[start:end].decode("utf-8", "surrogateescape"):
            if left <= 0:
                break
            left -= 1 if ord(character) < 0x10000 else 2
            start += len(character.encode("utf-8", "surrogateescape"))
        return start


def _utf16_units(data: bytes) -> int:
    """Return the length of a text in UTF-16 code units; an invalid byte counts as one."""
    text = data.decode("utf-8", "surrogateescape")
    return len(text) + sum(ord(character) >= 0x10000 for character in text)
