"""From the arguments of ``launch`` to an open debugger and the texts that places are in."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from esolangs.errors import ParseError
from esolangs.limits import Limits
from esoplay.dap.requests import (
    Arguments,
    RequestError,
    flag_of,
    object_of,
    required_text,
    text_of,
    whole_of,
)
from esoplay.dap.text import TextPlaces
from esoplay.service.debugging import Debugger
from esoplay.service.programs import language_for

LARGEST_FILE = 64 << 20
"""Bytes of a program or an input that are read."""


@dataclass(frozen=True, slots=True)
class Counting:
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
    places: TextPlaces
    stop_on_entry: bool
    stop_at_end: bool
    debug: bool


class Unparsable(RequestError):
    """The program is none; line and column are the client's."""

    def __init__(self, error: ParseError, path: Path, places: TextPlaces):
        self.path = path
        self.line, self.column = places.place(error.offset)
        super().__init__(f"{path.name}, line {error.line}, column {error.column}: {error.message}")


def launch(arguments: Arguments, counting: Counting) -> Launch:
    """Open the program; raises RequestError, UsageError, and Unparsable for what is no program."""
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
            limits=None if steps is None else Limits(steps=steps),
            started=int(time.time()),
        )
    except ParseError as error:
        raise Unparsable(error, path, places) from None
    debug = not flag_of(arguments, "noDebug")
    return Launch(
        path,
        debugger,
        places,
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
        told = error.strerror if isinstance(error, OSError) else str(error)
        raise RequestError(f"cannot read {path}: {told}") from None
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
