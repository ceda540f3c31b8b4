"""From the arguments of ``launch`` to an open debugger, its texts, and the places in them."""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from esolangs.errors import ParseError
from esolangs.limits import Limits
from esolangs.source import MARK
from esoplay.dap.protocol import (
    Arguments,
    RequestError,
    flag_of,
    object_of,
    required_text,
    text_of,
    whole_of,
)
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.source_maps import SourceMap
from esoplay.programs.execution import language_for
from esoplay.timeline.timeline import DEBUG_LIMITS

LARGEST_FILE = 64 << 20
"""Bytes of a program or an input that are read."""


@dataclass(frozen=True, slots=True)
class LineNumbering:
    """From which number the client counts lines and columns."""

    lines_from: int = 1
    columns_from: int = 1

    def places(self, source: bytes) -> TextPlaces:
        """The places of a text as this client counts them."""
        return TextPlaces(source, self.lines_from, self.columns_from)


@dataclass(frozen=True, slots=True)
class Launch:
    """What a client wants to debug.

    stop_on_entry: stand at step 0 first.  stop_at_end: stay at the last step, from where one can
    go back, instead of ending the session.  debug: false to run without a stop.
    """

    path: Path
    debugger: Debugger
    stop_on_entry: bool
    stop_at_end: bool
    debug: bool


class Unparsable(RequestError):
    """The program is none; line and column are the client's."""

    def __init__(self, error: ParseError, path: Path, places: TextPlaces):
        self.path = path
        self.line, self.column = places.place(error.offset)
        super().__init__(f"{path.name}, line {error.line}, column {error.column}: {error.message}")


def launch(arguments: Arguments, counting: LineNumbering) -> Launch:
    """Open the program; raises RequestError, UsageError, and Unparsable for an invalid program."""
    path = Path(required_text(arguments, "program")).expanduser()
    if not path.is_absolute():
        path = Path(text_of(arguments, "cwd") or ".", path)
    language = language_for(str(path), text_of(arguments, "language"))
    source = read_bytes(path)
    places = counting.places(source)
    stdin = _stdin(arguments, path.parent)
    steps = whole_of(arguments, "maxSteps")
    if steps is not None and steps < 1:
        raise RequestError(f"maxSteps counts from 1, so it cannot be {steps}")
    try:
        debugger = Debugger.open(
            language.id,
            source,
            stdin=stdin or b"",
            closed=not flag_of(arguments, "openInput"),
            dialect=text_of(arguments, "dialect") or "standard",
            options=_options(arguments),
            seed=whole_of(arguments, "seed") or 0,
            limits=None if steps is None else Limits(steps, DEBUG_LIMITS.output),
            started=int(time.time()),
            file=path,
        )
    except ParseError as error:
        raise Unparsable(error, path, places) from None
    debug = not flag_of(arguments, "noDebug")
    return Launch(
        path,
        debugger,
        flag_of(arguments, "stopOnEntry") and debug,
        flag_of(arguments, "stopAtEnd", True) and debug,
        debug,
    )


def read_bytes(path: Path) -> bytes:
    """What is in a file; raises RequestError."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise RequestError(f"cannot read {path}: {reason}") from None
    if len(data) > LARGEST_FILE:
        raise RequestError(f"{path} has more than {LARGEST_FILE:,} bytes")
    return data


def _stdin(arguments: Arguments, folder: Path) -> bytes | None:
    text, file = text_of(arguments, "stdin"), text_of(arguments, "stdinFile")
    if text is not None and file is not None:
        raise RequestError("stdin and stdinFile exclude each other")
    if file is not None:
        return read_bytes(folder / Path(file).expanduser())
    return None if text is None else text.encode("utf-8", "surrogateescape")


def _options(arguments: Arguments) -> dict[str, str | int]:
    options = cast("dict[str, Any]", object_of(arguments, "options"))
    for name, value in options.items():
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise RequestError(f"options.{name} is a text or a whole number")
    return options


# The texts of a debug session: the program, and the source it was generated from.

Role = Literal["program", "generator"]

GENERATOR_REFERENCE = 1
"""By which a client asks for the text of a generator that is in no file."""


class ClientSources:
    """Which text a client means, and how to name each to it."""

    def __init__(self, program: Path, source_map: SourceMap | None, counting: LineNumbering):
        self._program = Path(os.path.abspath(program))
        self._map = source_map
        self._generator: Path | None = None
        self.generator_places: TextPlaces | None = None
        if source_map is not None:
            text = source_map.text.encode("utf-8", "surrogateescape")
            self.generator_places = counting.places(text)
            beside = self._program.parent / Path(source_map.name).name
            # Another version would show lines that have made nothing of this program.
            if _holds(beside, text):
                self._generator = beside

    @property
    def program(self) -> dict[str, Any]:
        """The program, as the protocol describes a source."""
        return {"name": self._program.name, "path": str(self._program)}

    @property
    def generator(self) -> dict[str, Any] | None:
        """The source it was generated from; None where there is no map."""
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
    def all(self) -> list[dict[str, Any]]:
        """Every source there is."""
        return [source for source in (self.program, self.generator) if source is not None]

    def role(self, source: Arguments) -> Role | None:
        """Which of the texts a client names; None where it is another file."""
        if self._map is not None and whole_of(source, "sourceReference") == GENERATOR_REFERENCE:
            return "generator"
        path = source.get("path")
        if not isinstance(path, str):
            return None
        if _same(path, self._program):
            return "program"
        if self._generator is not None and _same(path, self._generator):
            return "generator"
        return None

    def text(self, reference: int | None) -> str:
        """Return the text that a reference names; raises RequestError."""
        if self._map is None or reference != GENERATOR_REFERENCE:
            raise RequestError(f"there is no source {reference}")
        return self._map.text


def _holds(file: Path, text: bytes) -> bool:
    try:
        return file.is_file() and file.read_bytes() == text
    except OSError:
        return False


def _same(path: str, other: Path) -> bool:
    """Whether both name one file, be it by links."""
    return os.path.normcase(os.path.realpath(path)) == os.path.normcase(os.path.realpath(other))


# Places in texts as editors count them: lines, and columns in UTF-16 code units.
#
# Engines count bytes and end a line at ``\n`` alone, as do editors for all texts that have no
# lone carriage returns.


class TextPlaces:
    """Converts between byte offsets of one text and an editor's lines and columns.

    lines_from, columns_from: the number of the first one, 0 or 1, as the client says.
    """

    def __init__(self, source: bytes, lines_from: int = 1, columns_from: int = 1):
        self._source = source
        self._lines_from = lines_from
        self._columns_from = columns_from
        self._starts = [0]
        at = source.find(b"\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = source.find(b"\n", at + 1)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of the byte at ``offset``, for the client."""
        row = bisect_right(self._starts, offset) - 1
        before = self._source[self.bounds(row)[0] : offset]
        return row + self._lines_from, _units(before) + self._columns_from

    def row(self, line: int) -> int | None:
        """The number from 0 of a client's line; None where the text has no such line."""
        row = line - self._lines_from
        return row if 0 <= row < len(self._starts) else None

    def line(self, number: int) -> int:
        """The client's number of a line that is counted from 1."""
        return number - 1 + self._lines_from

    def number(self, line: int) -> int:
        """The number from 1 of a client's line, which may be none of the text."""
        return line - self._lines_from + 1

    def bounds(self, row: int) -> tuple[int, int]:
        """The bytes of a line, its line break not among them."""
        start = self._starts[row]
        if row == 0 and self._source.startswith(MARK):  # editors do not show it
            start = len(MARK)
        end = self._starts[row + 1] - 1 if row + 1 < len(self._starts) else len(self._source)
        return start, end

    def offset(self, row: int, column: int) -> int:
        """The byte at a client's column of a line; its end where the line is shorter."""
        start, end = self.bounds(row)
        left = column - self._columns_from
        for character in self._source[start:end].decode("utf-8", "surrogateescape"):
            if left <= 0:
                break
            left -= 1 if ord(character) < 0x10000 else 2
            start += len(character.encode("utf-8", "surrogateescape"))
        return start

    @property
    def rows(self) -> int:
        """How many lines there are."""
        return len(self._starts)


def _units(data: bytes) -> int:
    """Return the UTF-16 code units of a text; a byte that is not UTF-8 counts as one."""
    text = data.decode("utf-8", "surrogateescape")
    return len(text) + sum(ord(character) >= 0x10000 for character in text)
