"""Source maps: from every byte of a generated program to the line that made it.

A map is a JSON file beside its program, named ``PROGRAM.map.json``.  It carries the text of its
source, so that it can be read where the source is not at hand, and the digest of its program,
without which it would say wrong things about another one.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, cast, get_args

from esoplay.codegen.generated import Generated, Kind, Place
from esoplay.codegen.ir import Origin
from esoplay.codegen.ways import slot_of, way_of
from esoplay.errors import EXIT_USAGE, EsoplayError

FORMAT = "esoplay-source-map"
VERSION = 1
SUFFIX = ".map.json"
LARGEST = 64 * 2**20
"""Bytes of a map that are read."""

_READERS = {"slots": slot_of, "part": way_of}
"""Of kinds whose texts are no expressions: what refuses a text that is not such a place."""

_MOST_CELLS, _LARGEST_BASE = 256, 1 << 32


class MapError(EsoplayError):
    """A source map that cannot be read, or that is about another program."""

    kind = "source_map_error"
    exit_code = EXIT_USAGE


class Mapped(NamedTuple):
    """Bytes ``start`` to ``end`` of a program, and the line of the source that made them.

    line counts from 1.  label: what the bytes do or belong to, in a few words; may be empty.
    statement: spans of one number are parts of one statement, which a debugger steps over as one;
    0 where nothing is said.  once: what lies behind the spans inside of it only ends it, as in an
    ``if``; else it goes on, as a loop does.
    """

    start: int
    end: int
    line: int
    label: str = ""
    statement: int = 0
    once: bool = False


@dataclass(frozen=True)
class SourceMap:
    """The map of one program.  spans: by their starts; inner ones behind those around them."""

    program: str
    """SHA-256 of the program's bytes, in hexadecimal."""
    name: str
    """What the source is called, such as ``sort.py``."""
    text: str
    spans: Sequence[Mapped]
    variables: Mapping[str, Place] = field(default_factory=dict[str, Place])
    begins: int | tuple[int, ...] | None = None
    """The location at which the program begins to do what its source says.

    What comes before puts the program together; None where nothing does.
    """

    def line_at(self, offset: int) -> int | None:
        """The line that made the byte at ``offset``; None where nobody said so."""
        found = self.span_at(offset)
        return None if found is None else found.line

    def span_at(self, offset: int) -> Mapped | None:
        """The innermost span around the byte at ``offset``."""
        at = bisect_right(self._starts, offset) - 1
        while at >= 0:
            if offset < self.spans[at].end:
                return self.spans[at]
            at = self._around[at]
        return None

    def spans_of(self, line: int) -> list[Mapped]:
        """The spans that a line has made, in the order of the program."""
        return [span for span in self.spans if span.line == line]

    @cached_property
    def lines(self) -> list[int]:
        """The lines that have made something, in their order."""
        return sorted({span.line for span in self.spans})

    def check(self, source: bytes) -> None:
        """Raise MapError unless the map is about this program."""
        if digest(source) != self.program:
            raise MapError(f"the map of {self.name} is about another version of the program")

    def as_json(self) -> dict[str, Any]:
        """What the file holds."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "program_sha256": self.program,
            "source": {"name": self.name, "text": self.text},
            "spans": [_written(span) for span in self.spans],
            "variables": {
                name: {
                    "kind": place.kind,
                    "cells": list(place.cells),
                    "offset": place.offset,
                    "base": place.base,
                    **({} if place.unset is None else {"unset": place.unset}),
                }
                for name, place in self.variables.items()
            },
            **({} if self.begins is None else {"begins": _listed(self.begins)}),
        }

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self.spans]

    @cached_property
    def _around(self) -> list[int]:
        """For each span the one around it, or -1."""
        around: list[int] = []
        open_spans: list[int] = []
        for at, span in enumerate(self.spans):
            while open_spans and self.spans[open_spans[-1]].end <= span.start:
                open_spans.pop()
            around.append(open_spans[-1] if open_spans else -1)
            open_spans.append(at)
        return around


def digest(source: bytes) -> str:
    """SHA-256 of a program, in hexadecimal."""
    return hashlib.sha256(source).hexdigest()


def map_of(generated: Generated, name: str, text: str, labels: Mapping[str, str]) -> SourceMap:
    """The map of a program that a back end has made from a source.

    ``labels``: the author's names of the program's variables.
    """
    spans: list[Mapped] = []
    statements: dict[tuple[int, str, Origin | None], int] = {}
    for span in generated.spans:
        own = span.origin.own
        # What one line says is one statement, wherever the parts of it are, at each call anew.
        statement = statements.setdefault((own.line, own.function, own.caller), len(statements) + 1)
        once = span.what.split(" ", 1)[0] == "if"
        spans.append(Mapped(span.start, span.end, own.line, span.what, statement, once))
    variables: dict[str, Place] = {}
    for own, place in generated.places.items():
        base, bracket, index = own.partition("[")
        variables[labels.get(base, base) + bracket + index] = place
    program = digest(generated.text.encode("latin-1"))
    return SourceMap(program, name, text, spans, variables, generated.begins)


def read_map(path: Path) -> SourceMap:
    """The map in a file; raises MapError."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise MapError(f"cannot read {path}: {error.strerror}") from None
    if len(data) > LARGEST:
        raise MapError(f"{path} is larger than any source map: {LARGEST:,} bytes")
    try:
        raw: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise MapError(f"{path} is no JSON: {error}") from None
    return parse_map(raw, str(path))


def parse_map(raw: object, name: str = "source map") -> SourceMap:
    """The map that JSON values spell; raises MapError with the field that is wrong."""
    if not isinstance(raw, dict):
        raise MapError(f"{name}: expected an object")
    data = cast("dict[str, Any]", raw)
    if data.get("format") != FORMAT:
        raise MapError(f"{name}: format: expected {FORMAT!r}, found {data.get('format')!r}")
    if data.get("version") != VERSION:
        raise MapError(f"{name}: version: expected {VERSION}, found {data.get('version')!r}")
    try:
        source, program = data["source"], data["program_sha256"]
        spans = sorted(
            (_span(entry) for entry in data["spans"]), key=lambda span: (span.start, -span.end)
        )
        variables = {
            _shown(str(label)): place_of(entry)
            for label, entry in cast("dict[Any, Any]", data.get("variables", {})).items()
        }
        texts = (program, _shown(source["name"]), source["text"])
        begins = _location(data.get("begins"))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise MapError(f"{name}: not as a source map is: {type(error).__name__}: {error}") from None
    if not all(isinstance(text, str) for text in texts):
        raise MapError(f"{name}: program_sha256, source.name and source.text are texts")
    return SourceMap(*texts, spans, variables, begins)


def _location(entry: Any) -> int | tuple[int, ...] | None:
    parts = cast("list[Any]", entry if isinstance(entry, list) else [entry])
    if entry is not None and not all(type(part) is int for part in parts):
        raise ValueError(f"no such location: {entry}")
    if isinstance(entry, list) and len(parts) != 2:
        raise ValueError("a location is a number, or a pair of them")
    return tuple(parts) if isinstance(entry, list) else entry


def _listed(location: int | tuple[int, ...]) -> int | list[int]:
    return list(location) if isinstance(location, tuple) else location


def _span(entry: Any) -> Mapped:
    start, end, line, label, statement, once = [*entry, *(0, False)[max(0, len(entry) - 4) :]]
    numbers = (start, end, line, statement)
    if not (all(type(number) is int for number in numbers) and isinstance(label, str)):
        raise ValueError("a span is [start, end, line, label]")
    if not 0 <= start < end or line < 1 or statement < 0 or type(once) is not bool:
        raise ValueError(f"no such span: {entry}")
    return Mapped(start, end, line, _shown(label), statement, once)


def _shown(text: Any) -> str:
    """A name as one line; a map may come from anywhere, and terminals obey control characters."""
    if not isinstance(text, str):
        raise TypeError("a name is a text")
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def _written(span: Mapped) -> list[int | str | bool]:
    """As the file has it, without what is nothing at the end."""
    return list(span if span.once else span[:5] if span.statement else span[:4])


def place_of(entry: Any) -> Place:
    """The place that JSON values spell; raises ValueError, KeyError or TypeError."""
    kind, cells = entry["kind"], tuple(entry["cells"])
    offset, base = entry.get("offset", 0), entry.get("base", 10)
    unset = entry.get("unset")
    if kind not in get_args(Kind) or not cells:
        raise ValueError(f"no such place: {entry}")
    if type(offset) is not int or type(base) is not int or not 2 <= base <= _LARGEST_BASE:
        raise ValueError(f"no such place: {entry}")
    if len(cells) > _MOST_CELLS or abs(offset) > _LARGEST_BASE**2:
        raise ValueError("a place has at most 256 cells, and an offset of at most 64 bits")
    if not all(isinstance(cell, str) for cell in cells):
        raise ValueError("the cells of a place are texts")
    for cell in cells if kind in _READERS else ():
        _READERS[kind](cell)
    if kind in ("number", "part") and len(cells) != 1:
        raise ValueError(f"a {kind} is in one place, not in {len(cells)}")
    if unset is not None and (type(unset) is not int or abs(unset) > _LARGEST_BASE):
        raise ValueError("what cells hold at first is a number of at most 32 bits")
    return Place(kind, cells, offset, base, unset)
