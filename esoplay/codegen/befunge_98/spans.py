"""From characters with marks to the spans of a source map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from esoplay.codegen.befunge_98.layout import TextBlock
from esoplay.codegen.befunge_98.statements import Mark
from esoplay.codegen.generated import Span


class _Run(NamedTuple):
    """Characters of a row; path: the marks around them, the outermost first."""

    start: int
    end: int
    path: tuple[int, ...]


def spans(block: TextBlock, rows: Sequence[str], marks: Sequence[Mark]) -> tuple[Span, ...]:
    """Every statement's characters: a span for each row, and for each part of it between others."""
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row) + 1)
    paths = _paths(marks)
    found: list[Span] = []
    placed = sorted(block.placed, key=lambda one: (one.y, one.x))
    for y, parts in groupby(placed, key=lambda one: one.y):
        runs = [
            _Run(start, end, () if one.mark is None else paths[one.mark])
            for one in parts
            for start, end in _inked(starts[y] + one.x, one.text)
        ]
        found += _nested(runs, 0, marks)
    return tuple(found)


def _inked(start: int, text: str) -> Iterator[tuple[int, int]]:
    """Where a text begins and ends without the blanks around it."""
    bare = text.strip()
    if bare:
        first = start + len(text) - len(text.lstrip())
        yield first, first + len(bare)


def _paths(marks: Sequence[Mark]) -> list[tuple[int, ...]]:
    paths: list[tuple[int, ...]] = []
    for number, mark in enumerate(marks):
        around = () if mark.around is None else paths[mark.around]
        paths.append((*around, number))
    return paths


def _nested(runs: Sequence[_Run], depth: int, marks: Sequence[Mark]) -> Iterator[Span]:
    """The spans of a row, those inside another one behind it."""
    deeper = [run for run in runs if len(run.path) > depth]
    if not deeper:
        return
    for number, group in groupby(
        runs, key=lambda run: run.path[depth] if len(run.path) > depth else None
    ):
        inner = list(group)
        if number is not None:
            mark = marks[number]
            yield Span(inner[0].start, inner[-1].end, mark.origin, mark.what)
            yield from _nested(inner, depth + 1, marks)
