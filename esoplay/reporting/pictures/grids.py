"""Shares in rows and columns, and what became of every single problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from esoplay.reporting.pictures.canvas import (
    ROW,
    SIZE,
    WIDTH,
    Canvas,
    room_for,
    shortened,
    width_of,
)

Fate = Literal["solved", "failed", "skipped", "open"]


class Share(NamedTuple):
    """A cell: how much of it is filled, from 0 to 1, and what is written in it."""

    share: float
    told: str


def draw_shares(
    canvas: Canvas, columns: Sequence[str], rows: Sequence[tuple[str, Mapping[str, Share]]]
) -> None:
    """A cell for each row and column that has a share, filled from the left."""
    left = room_for(name for name, _ in rows)
    width = min(130.0, (WIDTH - left - 20) / max(1, len(columns)))
    y = 40.0
    for at, column in enumerate(columns):
        x = left + 12 + at * width
        lines = _in_two(column, width - 6)
        for row, line in enumerate(lines):
            below = y - 6 - 13 * (len(lines) - 1 - row)
            canvas.text(x + 2, below, shortened(line, width - 4, 11), "small", full=column)
    for name, shares in rows:
        canvas.label(left, y + ROW / 2 + SIZE / 3, name, left - 12)
        for at, column in enumerate(columns):
            if column not in shares:
                continue
            x, cell = left + 12 + at * width, shares[column]
            canvas.rect(x, y + 2, width - 6, ROW - 4, "frame")
            filled = (width - 6) * cell.share
            hint = f"{name}, {column}: {cell.told}"
            canvas.rect(x, y + 2, filled, ROW - 4, "c0", opacity=0.35, hint=hint)
            canvas.text(x + 6, y + ROW / 2 + SIZE / 3, cell.told)
        y += ROW
    canvas.height = y + 10


def _in_two(name: str, width: float) -> list[str]:
    """A heading on one line, or on two where it is wider and can be parted."""
    if width_of(name, 11) <= width:
        return [name]
    for sign in (" ", "/"):
        first, found, rest = name.partition(sign)
        if found:
            return [first + found.strip(), rest]
    return [name]


def draw_fates(
    canvas: Canvas,
    groups: Sequence[tuple[str, Sequence[str]]],
    rows: Sequence[tuple[str, Mapping[str, Fate]]],
    titles: Mapping[str, str],
) -> None:
    """A sign for each problem in each row; groups of problems stand apart, with their names."""
    count = sum(len(problems) for _, problems in groups)
    gaps = 8 * max(0, len(groups) - 1)
    left = room_for(name for name, _ in rows)
    step = min(22.0, (WIDTH - left - 24 - gaps) / max(1, count))
    y = _draw_key(canvas) + 14
    x = left + 16.0
    places: dict[str, float] = {}
    for name, problems in groups:
        room = len(problems) * step + 6
        canvas.text(x - step / 2, y, shortened(name, room, 11), "small", full=name)
        canvas.text(x - step / 2, y + 14, shortened(_ends(problems), room, 11), "small")
        for problem in problems:
            places[problem] = x
            x += step
        x += 8
    y += 14
    r = min(4.5, step * 0.42)
    for name, fates in rows:
        y += ROW
        canvas.label(left, y - ROW / 2 + 9, name, left - 12)
        for problem, at in places.items():
            if problem in fates:
                hint = f"{problem} {titles.get(problem, '')}: {fates[problem]}"
                _draw_fate(canvas, fates[problem], at, y - 7, r, hint)
    canvas.height = y + 12


def _ends(problems: Sequence[str]) -> str:
    return problems[0] if len(problems) == 1 else f"{problems[0]}–{problems[-1]}"


def _draw_key(canvas: Canvas) -> float:
    x = 14.0
    told: tuple[tuple[Fate, str], ...] = (
        ("solved", "solved"),
        ("failed", "failed"),
        ("skipped", "skipped"),
        ("open", "not finished"),
    )
    for fate, words in told:
        _draw_fate(canvas, fate, x, 16, 4.5, "")
        canvas.text(x + 10, 16 + SIZE / 3, words)
        x += 22 + 8 * len(words)
    return 30


def _draw_fate(canvas: Canvas, fate: Fate, x: float, y: float, r: float, hint: str) -> None:
    if fate == "solved":
        canvas.mark("square", x, y, 0, hint, r)
    elif fate == "failed":
        canvas.mark("cross", x, y, 1, hint, r * 0.75)
    elif fate == "skipped":
        canvas.rect(x - r * 0.8, y - 1, r * 1.6, 2, "c5", hint=hint)
    else:
        canvas.mark("ring", x, y, 5, hint, r * 0.7)
