"""A library for code generators: collects a program and writes it with its source map.

::

    from esoplay.codegen.emitter import Emitter

    out = Emitter()
    out.emit("+" * 65)
    out.emit(".", "print A")
    out.write("letter.bf")  # and letter.bf.map.json

Each piece is mapped to the line that called ``emit``, in the file that created the emitter.  In a
helper function of that file, ``with out.map_to_caller():`` maps the pieces to the line that called
the helper.  ``variable`` names cells, so that debuggers show their values by name.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from esoplay.codegen.generated import PlaceKind, VariablePlace
from esoplay.codegen.source_map import MAP_SUFFIX, MappedSpan, SourceMap, digest, parse_place


class Emitter:
    """A program under construction."""

    def __init__(self) -> None:
        self._file = _caller(1).f_code.co_filename
        self._pieces: list[bytes] = []
        self._spans: list[MappedSpan] = []
        self._variables: dict[str, VariablePlace] = {}
        self._length = 0
        self._line: int | None = None

    def emit(self, text: str | bytes, label: str = "") -> None:
        """Append to the program; ``label`` is a short description of the piece."""
        piece = text.encode() if isinstance(text, str) else text
        if not piece:
            return
        end = self._length + len(piece)
        line = self._line or _line_in(self._file, _caller(1))
        if line is not None:
            self._spans.append(MappedSpan(self._length, end, line, label))
        self._pieces.append(piece)
        self._length = end

    @contextmanager
    def map_to_caller(self) -> Generator[None]:
        """Map pieces emitted in the ``with`` block to the line that called the current function."""
        before = self._line
        if before is None:
            helper = _caller(2).f_back  # frame 1 belongs to contextlib
            self._line = None if helper is None else _line_in(self._file, helper)
        try:
            yield
        finally:
            self._line = before

    on_behalf = map_to_caller  # the former name, which generators may still use

    def variable(
        self,
        name: str,
        *cells: str,
        kind: PlaceKind = "number",
        offset: int = 0,
        base: int = 10,
    ) -> None:
        """Declare, for the debugger, which cells store a variable, or an element of an array.

        The ``name`` of an element is, for example, ``digits[0]``.  ``cells`` are written as in
        conditions of the debugger: ``cell[12]`` or, on a plane, ``cell[4, 0]``.  For the other
        parameters see :class:`esoplay.codegen.generated.VariablePlace`.  Raises ValueError for a
        place that a map cannot contain.
        """
        if not name:
            raise ValueError("a variable needs a name")
        place = {"kind": kind, "cells": list(cells), "offset": offset, "base": base}
        try:
            self._variables[name] = parse_place(place)
        except ValueError as error:
            raise ValueError(f"variable {name}: {error}") from None

    @property
    def program(self) -> bytes:
        """The program so far."""
        return b"".join(self._pieces)

    @property
    def source_map(self) -> SourceMap:
        """The map of the program so far."""
        path = Path(self._file)
        text = path.read_text("utf-8", "replace") if path.is_file() else ""
        return SourceMap(
            digest(self.program), path.name, text, tuple(self._spans), dict(self._variables)
        )

    def write(self, path: str | Path) -> None:
        """Write the program to a file, and its map to ``PATH.map.json``."""
        target = Path(path)
        target.write_bytes(self.program)
        beside = target.with_name(target.name + MAP_SUFFIX)
        beside.write_text(json.dumps(self.source_map.as_json()) + "\n", "utf-8")


def _caller(depth: int) -> FrameType:
    return sys._getframe(depth + 1)  # pyright: ignore[reportPrivateUsage]


def _line_in(file: str, frame: FrameType | None) -> int | None:
    """Return the current line of the innermost frame whose code is in ``file``, or None.

    The search starts at ``frame`` and continues with its callers.
    """
    while frame is not None:
        if frame.f_code.co_filename == file:
            return frame.f_lineno
        frame = frame.f_back
    return None
