"""The timeline in one row: what happened in each column's steps, and where we are."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from math import log1p
from typing import NamedTuple

from esoplay.debugging.debugger import Bucket

BARS = "▁▂▃▄▅"
DEPTHS = "▁⡀⡄⡆⡇"
"""Loops and calls around what prints nothing: none, then ever more, by logarithms."""
INPUT = "i"
BREAK = "●"
NOTE = "◆"


class Mark(NamedTuple):
    """One column: its glyph and which of ``quiet output input break note mark`` it stands for."""

    glyph: str
    kind: str


def marks(
    buckets: Sequence[Bucket],
    breaks: Sequence[int] = (),
    names: Mapping[str, int] | None = None,
    depths: Sequence[int] = (),
    notes: Sequence[int] = (),
) -> list[Mark]:
    """A column for every bucket; bars grow with the logarithm of the bytes printed.

    breaks: steps that breakpoints stopped at.  names: the user's marks and their steps.
    depths: loops and calls around, by bucket.  notes: steps that the notebook has.
    """
    most = max((bucket.outputs for bucket in buckets), default=0)
    columns = [_mark(bucket, most) for bucket in buckets]
    deepest = max(depths, default=0)
    for column, depth in enumerate(depths[: len(columns)]):
        if depth and columns[column].kind == "quiet":
            level = 1 + round((len(DEPTHS) - 2) * log1p(depth - 1) / log1p(max(1, deepest - 1)))
            columns[column] = Mark(DEPTHS[min(level, len(DEPTHS) - 1)], "quiet")
    for step in notes:
        if (column := column_of(step, buckets)) is not None:
            columns[column] = Mark(NOTE, "note")
    for step in breaks:
        if (column := column_of(step, buckets)) is not None:
            columns[column] = Mark(BREAK, "break")
    for name, step in (names or {}).items():
        if (column := column_of(step, buckets)) is not None:
            columns[column] = Mark(name, "mark")
    return columns


def _mark(bucket: Bucket, most: int) -> Mark:
    if bucket.inputs:
        return Mark(INPUT, "input")
    if not bucket.outputs:
        return Mark(BARS[0], "quiet")
    height = 1 + round((len(BARS) - 2) * log1p(bucket.outputs) / log1p(most))
    return Mark(BARS[height], "output")


def column_of(step: int, buckets: Sequence[Bucket]) -> int | None:
    """The column whose steps hold ``step``; None beyond known history."""
    if not buckets or step > buckets[-1].last_step:
        return None
    return bisect_left(buckets, step, key=_last_step)


def step_at(column: int, buckets: Sequence[Bucket]) -> int | None:
    """Where a click on a column leads: its last step, or its first in the first column."""
    if not buckets:
        return None
    if column <= 0:
        return buckets[0].first_step
    return buckets[min(column, len(buckets) - 1)].last_step


def _last_step(bucket: Bucket) -> int:
    return bucket.last_step
