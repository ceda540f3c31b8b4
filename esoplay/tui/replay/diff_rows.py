"""A difference of programs as rows of a width, one under the other or side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Literal, NamedTuple

from esoplay.service.program_diff import DiffRow, Gap, Pair, Side
from esoplay.tui.blanks import SPACE, TAB
from esoplay.tui.debug.visible import PICTURED, plural

Sign = Literal[" ", "-", "+"]


class Part(NamedTuple):
    """Some text of a row; changed: it is what makes the difference within its line."""

    text: str
    changed: bool = False


class Cell(NamedTuple):
    """One row of one version.  number: of the line, where its first row begins."""

    sign: Sign
    number: int | None
    parts: tuple[Part, ...]


class Words(NamedTuple):
    """A row that says something about the difference."""

    text: str


ShownRow = Words | tuple[Cell | None, ...]
"""One cell across, or the old and the new one; None where a side has no line."""


def unified(rows: Iterable[DiffRow], width: int) -> list[ShownRow]:
    """Removed lines above those that took their place; ``width`` is of the text."""
    shown: list[ShownRow] = []
    for kind, group in groupby(rows, key=_kind):
        if kind == "gap":
            shown += _gaps(group)
            continue
        pairs = [row for row in group if isinstance(row, Pair)]
        if kind == "same":
            for pair in pairs:
                shown += [(cell,) for cell in _cells(pair.new, " ", width)]
            continue
        for pair in pairs:
            shown += [(cell,) for cell in _cells(pair.old, "-", width)]
        for pair in pairs:
            shown += [(cell,) for cell in _cells(pair.new, "+", width)]
    return shown


def side_by_side(rows: Iterable[DiffRow], width: int) -> list[ShownRow]:
    """Each line beside what became of it; ``width`` is of the text of one side."""
    shown: list[ShownRow] = []
    for row in rows:
        if isinstance(row, Gap):
            shown += _gaps([row])
            continue
        left = _cells(row.old, " " if row.same else "-", width)
        right = _cells(row.new, " " if row.same else "+", width)
        shown += zip_longest(left, right)
    return shown


def _kind(row: DiffRow) -> str:
    if isinstance(row, Gap):
        return "gap"
    return "same" if row.same else "changed"


def _gaps(rows: Iterable[DiffRow]) -> Sequence[Words]:
    return [
        Words(f"⋯ {plural(row.lines, 'line')} the same") for row in rows if isinstance(row, Gap)
    ]


def _cells(side: Side | None, sign: Sign, width: int) -> list[Cell]:
    """The rows of a line, wrapped."""
    if side is None:
        return []
    starts = range(0, max(1, len(side.text)), max(1, width))
    return [
        Cell(
            sign,
            side.number if start == 0 else None,
            tuple(_parts(side, start, min(len(side.text), start + width))),
        )
        for start in starts
    ]


def _parts(side: Side, start: int, end: int) -> Iterator[Part]:
    at = start
    for low, high in side.changed:
        low, high = max(low, start), min(high, end)
        if low >= high:
            continue
        if at < low:
            yield Part(_glyphs(side.text[at:low]))
        yield Part(_glyphs(side.text[low:high]), changed=True)
        at = high
    if at < end:
        yield Part(_glyphs(side.text[at:end]))


def _glyphs(data: bytes) -> str:
    """One glyph a byte; spaces are only pictured where nothing else is there."""
    shown = data.decode("latin-1").translate(PICTURED).replace(PICTURED[9], TAB)
    return shown if data.strip() else shown.replace(" ", SPACE)
