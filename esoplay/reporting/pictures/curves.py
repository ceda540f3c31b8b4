"""Steps that rise: how much was solved when so much had been used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from esoplay.reporting.pictures.canvas import WIDTH, Canvas, shortened
from esoplay.reporting.pictures.legend import Sign, draw_signs, signs_of
from esoplay.reporting.pictures.scales import Scale, spoken, ticks

_HEIGHT = 190
_BELOW = 68  # for axis and name of a panel, and to keep it from the next one
_ACROSS = 3


class Curve(NamedTuple):
    """One line; points by rising x, each valid until the next.  open: that it is not final."""

    panel: str
    name: str
    points: Sequence[tuple[float, float]]
    open: bool = False


def draw_curves(
    canvas: Canvas, curves: Sequence[Curve], order: Sequence[str], across: str, up: str, most: int
) -> None:
    """A panel for each name of one, all with the same axes; ``most`` ends the upward one."""
    named = signs_of((curve.name for curve in curves), order)
    panels = list(dict.fromkeys(curve.panel for curve in curves))
    y = draw_signs(canvas, 18, named, lines=True) + 14
    furthest = max((x for curve in curves for x, _ in curve.points), default=0) or 1
    columns = min(_ACROSS, len(panels))
    width = WIDTH / columns
    for at, panel in enumerate(panels):
        left, top = at % columns * width, y + at // columns * (_HEIGHT + _BELOW)
        wide = Scale(0, furthest, left + 40, left + width - 22)
        high = Scale(0, most, top + 20 + _HEIGHT, top + 20)
        canvas.text(left + 40, top + 10, shortened(panel, width - 60), "head", full=panel)
        _draw_axes(canvas, wide, high)
        canvas.text((wide.start + wide.end) / 2, high.start + 30, across, "small", "middle")
        for curve in curves:
            if curve.panel == panel:
                _draw_curve(canvas, curve, named[curve.name], wide, high)
    canvas.text(8, y - 8, up, "small")
    canvas.height = y + ((len(panels) - 1) // columns + 1) * (_HEIGHT + _BELOW) + 4


def _draw_axes(canvas: Canvas, wide: Scale, high: Scale) -> None:
    for value in ticks(0, high.greatest, 4):
        canvas.line(wide.start, high(value), wide.end, high(value))
        canvas.text(wide.start - 6, high(value) + 4, spoken(value), "small", "end")
    for value in ticks(0, wide.greatest, 4):
        canvas.line(wide(value), high.start, wide(value), high.start + 4, "axis")
        canvas.text(wide(value), high.start + 16, spoken(value), "small", "middle")
    canvas.line(wide.start, high.start, wide.end, high.start, "axis")


def _draw_curve(canvas: Canvas, curve: Curve, sign: Sign, wide: Scale, high: Scale) -> None:
    way: list[tuple[float, float]] = []
    for x, y in curve.points:
        if way:
            way.append((wide(x), way[-1][1]))
        way.append((wide(x), high(y)))
    canvas.path(way, f"s{sign.colour} thin", sign.dash)
    x, y = curve.points[-1]
    shape = "ring" if curve.open else sign.shape
    canvas.mark(shape, wide(x), high(y), sign.colour, f"{curve.name}: {y:,} at {x:,}", 4)
