"""Source maps: from every byte of a generated program to the line that made it.

A map is a JSON file beside its program, named ``PROGRAM.map.json``.  It carries the text of its
source, so that it can be read where the source is not at hand, and the digest of its program,
without which it would say wrong things about another one.
"""

from __future__ import annotations

import hashlib
import os
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from esoplay.codegen.generated import Generated, Place
from esoplay.codegen.ir import Origin
from esoplay.errors import EXIT_USAGE, EsoplayError, UsageError

FORMAT = "esoplay-source-map"
VERSION = 1
SUFFIX = ".map.json"


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


def _listed(location: int | tuple[int, ...]) -> int | list[int]:
    return list(location) if isinstance(location, tuple) else location


def _written(span: Mapped) -> list[int | str | bool]:
    """As the file has it, without what is nothing at the end."""
    return list(span if span.once else span[:5] if span.statement else span[:4])


def keep_apart(source: str, program: str | None, source_map: str | None) -> None:
    """Raise UsageError where one would be written over another; None goes to no file, ``-`` too."""
    taken = {} if source == "-" else {os.path.realpath(source): "the source"}
    for path, what in ((program, "the program"), (source_map, "the map")):
        if path is not None:
            other = taken.setdefault(os.path.realpath(path), what)
            if other != what:
                raise UsageError(f"{path} is {other}: {what} needs a file of its own")
