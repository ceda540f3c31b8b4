"""Values with their intervals, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from esoplay.reporting.pictures.canvas import ROW, SIZE, WIDTH, Canvas, room_for
from esoplay.reporting.pictures.legend import draw_signs, signs_of
from esoplay.reporting.pictures.scales import Scale, spoken, ticks


class Row(NamedTuple):
    """One value.  group: written once above rows of the same; sign: the name whose sign it has.

    others: values that are marked small beside it.  open: that it is not final; it is drawn faint
    and without an interval.  told: the value in words.
    """

    group: str
    label: str
    sign: str
    value: float
    low: float | None
    high: float | None
    told: str
    others: Sequence[float] = ()
    open: bool = False


class Axis(NamedTuple):
    """What is measured; middle: a value with a line of its own, such as no difference."""

    name: str
    least: float
    greatest: float
    middle: float | None = None
    percent: bool = False


def axis_of_points(rows: Sequence[Row]) -> Axis:
    """For differences in percentage points: as wide to both sides of zero, in whole tens."""
    reach = max(abs(value) for row in rows for value in (row.low or 0, row.high or 0, row.value))
    reach = min(100, 10 * (int(reach / 10) + 1))
    return Axis("percentage points", -reach, reach, middle=0)


def draw_ranges(
    canvas: Canvas, rows: Sequence[Row], axis: Axis, order: Sequence[str], told: str
) -> None:
    """Draw all rows; ``order`` is of the names of signs, ``told`` heads the words at the right."""
    named = signs_of((row.sign for row in rows), order)
    y = draw_signs(canvas, 18, named) if len(named) > 1 else 8.0
    right = 150
    left = room_for(row.label for row in rows)
    scale = Scale(axis.least, axis.greatest, left + 12, WIDTH - right - 10)
    top = y = y + 16
    canvas.text(scale.end + 18, y - 6, told, "small")
    places: list[tuple[float, Row]] = []
    group = None
    for row in rows:
        if row.group != group:
            group = row.group
            if group:
                y += ROW
                canvas.text(8, y - 7, group, "head")
        y += ROW
        places.append((y - ROW / 2 + 2, row))
    _draw_axis(canvas, axis, scale, top, y + 6)
    for at, row in places:
        sign = named[row.sign]
        canvas.label(left, at + SIZE / 3, row.label, left - 12)
        for other in row.others:
            canvas.line(scale(other), at - 6, scale(other), at + 6, "axis")
        if row.low is not None and row.high is not None:
            canvas.line(scale(row.low), at, scale(row.high), at, f"s{sign.colour} bold")
            for end in (row.low, row.high):
                canvas.line(scale(end), at - 3.5, scale(end), at + 3.5, f"s{sign.colour} thin")
        shape = "ring" if row.open else sign.shape
        canvas.mark(shape, scale(row.value), at, sign.colour, f"{row.label}: {row.told}")
        canvas.text(scale.end + 18, at + SIZE / 3, row.told, "quiet")
    canvas.height = y + 46


def _draw_axis(canvas: Canvas, axis: Axis, scale: Scale, top: float, bottom: float) -> None:
    for value in ticks(axis.least, axis.greatest, 8):
        canvas.line(scale(value), top, scale(value), bottom)
        told = f"{100 * value:.0f} %" if axis.percent else spoken(value)
        canvas.text(scale(value), bottom + 15, told, "small", "middle")
    if axis.middle is not None:
        canvas.line(scale(axis.middle), top, scale(axis.middle), bottom, "axis")
    canvas.text((scale.start + scale.end) / 2, bottom + 31, axis.name, "small", "middle")
