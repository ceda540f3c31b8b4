"""Plots of solutions in characters: histograms of one figure, and two figures against each other.

Figures of solutions differ by orders of magnitude, so axes are logarithmic.  Whose a solution is
shows by its sign as well as by its colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import NamedTuple

from textual.content import Content

from esoplay.tui.state import Solution

OWN, OTHER, LATEST, PAR = "█", "▒", "▲", "◆"
POINT_OWN, POINT_OTHER, POINT_LATEST = "•", "○", "●"
STYLES = {
    OWN: "$primary",
    OTHER: "$quiet",
    LATEST: "bold $accent",
    PAR: "bold $success",
    POINT_OWN: "$primary",
    POINT_OTHER: "$quiet",
    POINT_LATEST: "bold $accent",
}
_STRENGTH = (" ", POINT_OTHER, POINT_OWN, PAR, POINT_LATEST)
"""What stays visible where several fall on one character: the last of these."""

LEAST_RATIO = 1.5
"""What the right end of an axis is at least, as a multiple of the left one."""


class Scale(NamedTuple):
    """A logarithmic axis from ``low`` to ``high`` over ``cells`` characters."""

    low: int
    high: int
    cells: int

    def at(self, value: int) -> int:
        """The character that a value falls on."""
        low, high = max(1, self.low), max(self.high, LEAST_RATIO * max(1, self.low))
        share = log(max(1, value) / low) / log(high / low)
        return max(0, min(self.cells - 1, int(share * self.cells)))


def scale_of(values: Sequence[int], cells: int) -> Scale:
    """The axis on which all of the values find a place."""
    return Scale(min(values), max(values), cells)


def histogram(
    title: str,
    own: Sequence[int],
    others: Sequence[int] = (),
    par: int | None = None,
    *,
    width: int = 28,
    height: int = 4,
) -> list[Content]:
    """How many solutions have which figure; the last of ``own`` is marked, and par.

    Every line is ``width`` characters wide.
    """
    scale = scale_of([*own, *others, *([] if par is None else [par])], width)
    counts = [[0] * width, [0] * width]
    for row, values in zip(counts, (own, others), strict=True):
        for value in values:
            row[scale.at(value)] += 1
    most = max(mine + theirs for mine, theirs in zip(*counts, strict=True))
    unit = max(1.0, most / height)
    rows: list[str] = []
    for level in range(height - 1, -1, -1):
        row = ""
        for mine, theirs in zip(*counts, strict=True):
            full = -(-(mine + theirs) // unit)
            row += " " if full <= level else OWN if mine and level * unit < mine else OTHER
        rows.append(row)
    marks = [" "] * width
    if par is not None:
        marks[scale.at(par)] = PAR
    if own:
        marks[scale.at(own[-1])] = LATEST
    low, high = f"{scale.low:,}", f"{scale.high:,}"
    ends = low.ljust(width) if scale.low == scale.high else low + high.rjust(width - len(low))
    head = title.ljust(width)
    return [
        Content.styled(head, "$quiet"),
        *(paint(row) for row in rows),
        Content.styled("─" * width, "$border-blurred"),
        paint("".join(marks)),
        Content.styled(ends, "$quiet"),
    ]


def scatter(
    solutions: Sequence[Solution], par: Solution | None = None, *, width: int = 48, height: int = 10
) -> list[Content]:
    """Every solution as one point: steps to the right, bytes upwards."""
    every = [*solutions, *([] if par is None else [par])]
    across = scale_of([each.steps for each in every], width)
    up = scale_of([each.size for each in every], height)
    field = [[" "] * width for _ in range(height)]

    def put(solution: Solution, sign: str) -> None:
        row, column = height - 1 - up.at(solution.size), across.at(solution.steps)
        if _STRENGTH.index(sign) > _STRENGTH.index(field[row][column]):
            field[row][column] = sign

    own = [each for each in solutions if not each.solver]
    for each in solutions:
        put(each, POINT_OTHER if each.solver else POINT_OWN)
    if par is not None:
        put(par, PAR)
    if own:
        put(own[-1], POINT_LATEST)
    top, bottom = f"{up.high:,}", f"{up.low:,}"
    margin = max(len(top), len(bottom))
    labels = {0: top, height - 1: bottom}
    lines = [Content.styled("bytes".rjust(margin) + "  every solution", "$quiet")]
    for number, row in enumerate(field):
        label = labels.get(number, "").rjust(margin)
        lines.append(Content.assemble((f"{label} │", "$quiet"), paint("".join(row))))
    low, high = f"{across.low:,}", f"{across.high:,}"
    lines.append(Content.styled(" " * margin + " └" + "─" * width, "$quiet"))
    ends = low + f"{high} steps".rjust(width - len(low))
    lines.append(Content.styled(" " * (margin + 2) + ends, "$quiet"))
    return lines


def legend(*, others: bool, par: bool, points: bool) -> Content:
    """What the signs mean, of those that are used."""
    parts = [
        (f"{OWN}{f' {POINT_OWN}' if points else ''} yours", OWN),
        (f"{LATEST}{f' {POINT_LATEST}' if points else ''} your latest", LATEST),
    ]
    if others:
        parts.append((f"{OTHER}{f' {POINT_OTHER}' if points else ''} imported", OTHER))
    if par:
        parts.append((f"{PAR} par", PAR))
    return Content("   ").join(Content.styled(words, STYLES[sign]) for words, sign in parts)


def beside(columns: Sequence[Sequence[Content]], gap: int = 4) -> list[Content]:
    """Blocks of the same height next to each other."""
    space = Content(" " * gap)
    return [space.join(row) for row in zip(*columns, strict=True)]


def paint(row: str) -> Content:
    """Signs in their colours."""
    return Content.assemble(*((sign, STYLES.get(sign, "")) for sign in row))
