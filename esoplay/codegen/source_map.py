"""Source maps, which map bytes of a generated program to lines of its source.

A map is a JSON file next to its program, ``PROGRAM.map.json``.  It contains the text of the source,
so the source file is not needed, and the digest of the program, which detects a map of another
version.
"""

from __future__ import annotations

import hashlib
import json
import os
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, cast, get_args

from esoplay.codegen.generated import (
    Generated,
    PlaceKind,
    VariablePlace,
    parse_slot,
    parse_tree_path,
)
from esoplay.codegen.ir import SourceOrigin
from esoplay.errors import EXIT_USAGE, EsoplayError, UsageError

FORMAT = "esoplay-source-map"
VERSION = 1
MAP_SUFFIX = ".map.json"


class MapError(EsoplayError):
    """Raised for a source map that is unreadable, invalid or belongs to another program."""

    kind = "source_map_error"
    exit_code = EXIT_USAGE


class MappedSpan(NamedTuple):
    """Bytes ``start`` to ``end`` - 1 of a program, and their source line, from 1.

    ``label`` is a short description, or "".  Spans with the same ``statement`` number belong to one
    statement, which a debugger steps over at once; 0 means unknown.  ``once`` is True for a
    statement such as ``if``, which ends after its inner spans, and False for a loop.
    """

    start: int
    end: int
    line: int
    label: str = ""
    statement: int = 0
    once: bool = False


@dataclass(frozen=True)
class SourceMap:
    """The map of one program; ``spans`` are sorted by their starts, outer ones first."""

    program: str
    """SHA-256 of the program's bytes, in hexadecimal."""
    name: str
    """The source's file name, such as ``sort.py``."""
    text: str
    spans: Sequence[MappedSpan]
    variables: Mapping[str, VariablePlace] = field(default_factory=dict[str, VariablePlace])
    begins: int | tuple[int, ...] | None = None
    """The location of the code of the source's first statement.

    None if the first step of the program executes this statement; otherwise the program first
    constructs itself.
    """

    def line_at(self, offset: int) -> int | None:
        """Return the source line of the byte at ``offset``, or None if unknown."""
        found = self.span_at(offset)
        return None if found is None else found.line

    def span_at(self, offset: int) -> MappedSpan | None:
        """Return the innermost span at ``offset``, or None."""
        at = bisect_right(self._starts, offset) - 1
        while at >= 0:
            if offset < self.spans[at].end:
                return self.spans[at]
            at = self._parents[at]
        return None

    def spans_of_line(self, line: int) -> list[MappedSpan]:
        """Return the spans of a source line, in program order."""
        return [span for span in self.spans if span.line == line]

    @cached_property
    def lines(self) -> list[int]:
        """The source lines that have spans, in order."""
        return sorted({span.line for span in self.spans})

    def check(self, source: bytes) -> None:
        """Raise MapError unless this is the map of the program ``source``."""
        if digest(source) != self.program:
            raise MapError(f"the map of {self.name} belongs to another version of the program")

    def as_json(self) -> dict[str, Any]:
        """Return the content of the map file."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "program_sha256": self.program,
            "source": {"name": self.name, "text": self.text},
            "spans": [_span_as_json(span) for span in self.spans],
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
            **({} if self.begins is None else {"begins": _location_as_json(self.begins)}),
        }

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self.spans]

    @cached_property
    def _parents(self) -> list[int]:
        """For each span, the index of the innermost span that contains it, or -1."""
        parents: list[int] = []
        open_spans: list[int] = []
        for at, span in enumerate(self.spans):
            while open_spans and self.spans[open_spans[-1]].end <= span.start:
                open_spans.pop()
            parents.append(open_spans[-1] if open_spans else -1)
            open_spans.append(at)
        return parents


def digest(source: bytes) -> str:
    """Return the SHA-256 of a program, in hexadecimal."""
    return hashlib.sha256(source).hexdigest()


def make_map(generated: Generated, name: str, text: str, labels: Mapping[str, str]) -> SourceMap:
    """Return the map of a program that a back end generated.

    ``labels`` maps the program's variables to their names in the source.
    """
    spans: list[MappedSpan] = []
    statements: dict[tuple[int, str, SourceOrigin | None], int] = {}
    for span in generated.spans:
        own = span.origin.user_origin
        # All parts of a line are one statement, but each call is a separate statement.
        statement = statements.setdefault((own.line, own.function, own.caller), len(statements) + 1)
        once = span.what.split(" ", 1)[0] == "if"
        spans.append(MappedSpan(span.start, span.end, own.line, span.what, statement, once))
    variables: dict[str, VariablePlace] = {}
    for own, place in generated.places.items():
        base, bracket, index = own.partition("[")
        variables[labels.get(base, base) + bracket + index] = place
    program = digest(generated.text.encode("latin-1"))
    return SourceMap(program, name, text, spans, variables, generated.begins)


def _location_as_json(location: int | tuple[int, ...]) -> int | list[int]:
    return list(location) if isinstance(location, tuple) else location


def _span_as_json(span: MappedSpan) -> list[int | str | bool]:
    """Return a span as JSON, without default values at its end."""
    return list(span if span.once else span[:5] if span.statement else span[:4])


def check_distinct_paths(source: str, program: str | None, source_map: str | None) -> None:
    """Raise UsageError if two of the files are the same; None and ``-`` are not files."""
    taken = {} if source == "-" else {os.path.realpath(source): "the source"}
    for path, what in ((program, "the program"), (source_map, "the map")):
        if path is not None:
            other = taken.setdefault(os.path.realpath(path), what)
            if other != what:
                raise UsageError(f"{path} is {other}; choose another file for {what}")


# Reading source maps.  All fields are validated, because a file may come from anywhere.

MAX_MAP_BYTES = 64 * 2**20
"""The largest map that is read, in bytes."""

_READERS = {"slots": parse_slot, "part": parse_tree_path}
"""Parsers that validate the cells of a :class:`VariablePlace`, by its kind.

The cells of the other kinds are expressions, which are not parsed when a map is read.
"""

_MAX_CELLS, _MAX_BASE = 256, 1 << 32
_MAX_SHOWN_LENGTH = 60  # characters of an invalid value in an error


def read_map(path: Path) -> SourceMap:
    """Read the map in a file; raise MapError if it is invalid."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_MAP_BYTES + 1)
    except OSError as error:
        raise MapError(f"cannot read {path}: {error.strerror}") from None
    if len(data) > MAX_MAP_BYTES:
        raise MapError(f"{path} exceeds the limit of {MAX_MAP_BYTES:,} bytes for source maps")
    try:
        raw: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise MapError(f"{path} is not JSON: {error}") from None
    return parse_map(raw, str(path))


def parse_map(raw: object, name: str = "source map") -> SourceMap:
    """Parse a map in JSON; raise MapError with the name of the invalid field."""
    try:
        return _parse_map_object(raw)
    except ValueError as error:
        raise MapError(f"{name}: {error}") from None


def _parse_map_object(raw: object) -> SourceMap:
    if not isinstance(raw, dict):
        raise ValueError("expected an object")
    data = cast("dict[str, Any]", raw)
    for key, wanted in (("format", FORMAT), ("version", VERSION)):
        if data.get(key) != wanted:
            raise _field_error(key, repr(wanted), data.get(key))
    source = _object("source", data.get("source"))
    return SourceMap(
        _text("program_sha256", data.get("program_sha256")),
        _escape_unprintable(_text("source.name", source.get("name"))),
        _text("source.text", source.get("text")),
        _spans(data.get("spans")),
        _variables(data.get("variables", {})),
        _location(data.get("begins")),
    )


def _spans(entries: Any) -> list[MappedSpan]:
    spans = [_span(entry, index) for index, entry in enumerate(_list("spans", "a list", entries))]
    return sorted(spans, key=lambda span: (span.start, -span.end))


def _span(entry: Any, index: int) -> MappedSpan:
    field, wanted = f"spans[{index}]", "[start, end, line, label]"
    parts = _list(field, wanted, entry)
    if not 4 <= len(parts) <= 6:
        raise _field_error(field, wanted, entry)
    start, end, line, label, statement, once = [*parts, *(0, False)[len(parts) - 4 :]]
    if not (all(type(each) is int for each in parts[:3]) and isinstance(label, str)):
        raise _field_error(field, f"{wanted} with three integers and a string", entry)
    if not 0 <= start < end or line < 1:
        raise _field_error(field, f"{wanted} with 0 <= start < end and line >= 1", entry)
    if type(statement) is not int or statement < 0 or type(once) is not bool:
        raise _field_error(
            field,
            "[start, end, line, label, statement, once] with an integer statement >= 0 and "
            "true or false for once",
            entry,
        )
    return MappedSpan(start, end, line, _escape_unprintable(label), statement, once)


def _variables(entries: Any) -> dict[str, VariablePlace]:
    places: dict[str, VariablePlace] = {}
    for label, entry in _object("variables", entries).items():
        shown = _escape_unprintable(label)
        try:
            places[shown] = parse_place(entry)
        except ValueError as error:
            raise ValueError(f"variables, {shown}: {error}") from None
    return places


def parse_place(raw: Any) -> VariablePlace:
    """Parse a place in JSON; raise ValueError with the name of the invalid field."""
    if not isinstance(raw, dict):
        raise ValueError(f"expected an object with kind and cells, found {_value_text(raw)}")
    entry = cast("dict[str, Any]", raw)
    kind: Any = entry.get("kind")
    offset: Any = entry.get("offset", 0)
    base: Any = entry.get("base", 10)
    unset: Any = entry.get("unset")
    if kind not in get_args(PlaceKind):
        raise _field_error("kind", f"one of {', '.join(get_args(PlaceKind))}", kind)
    texts = tuple(_list("cells", "a list of strings", entry.get("cells")))
    if not texts or not all(isinstance(cell, str) for cell in texts):
        raise _field_error("cells", "a list of at least one string", list(texts))
    if type(base) is not int or not 2 <= base <= _MAX_BASE:
        raise _field_error("base", f"an integer from 2 to {_MAX_BASE}", base)
    if len(texts) > _MAX_CELLS:
        raise ValueError(f"a place has at most {_MAX_CELLS} cells, not {len(texts)}")
    if type(offset) is not int or abs(offset) > _MAX_BASE**2:
        raise _field_error("offset", "a number of at most 64 bits", offset)
    for cell in texts if kind in _READERS else ():
        _READERS[kind](cell)
    if kind in ("number", "part") and len(texts) != 1:
        raise ValueError(f"a place of kind {kind} has one cell, not {len(texts)}")
    if unset is not None and (type(unset) is not int or abs(unset) > _MAX_BASE):
        raise _field_error("unset", "a number of at most 32 bits", unset)
    return VariablePlace(kind, texts, offset, base, unset)


def _location(entry: Any) -> int | tuple[int, ...] | None:
    wanted = "a number or a pair of numbers"
    if entry is None or type(entry) is int:
        return entry
    parts = tuple(_list("begins", wanted, entry))
    if len(parts) != 2 or not all(type(part) is int for part in parts):
        raise _field_error("begins", wanted, entry)
    return parts


def _list(field: str, expected: str, entry: Any) -> list[Any]:
    if not isinstance(entry, list):
        raise _field_error(field, expected, entry)
    return cast("list[Any]", entry)


def _object(field: str, entry: Any) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise _field_error(field, "an object", entry)
    return cast("dict[str, Any]", entry)


def _text(field: str, entry: Any) -> str:
    if not isinstance(entry, str):
        raise _field_error(field, "a string", entry)
    return entry


def _field_error(field: str, expected: str, found: Any) -> ValueError:
    return ValueError(f"{field}: expected {expected}, found {_value_text(found)}")


def _value_text(value: Any) -> str:
    """Return an invalid value as JSON, shortened if it is long."""
    text = "nothing" if value is None else json.dumps(value)
    return text if len(text) <= _MAX_SHOWN_LENGTH else text[:_MAX_SHOWN_LENGTH] + "…"


def _escape_unprintable(text: str) -> str:
    """Escape control characters in a name, because a map can come from anywhere."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
