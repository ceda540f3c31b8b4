"""Which sign stands for what: a colour and a shape, so that neither is needed alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from esoplay.reporting.pictures.canvas import (
    COLOURS,
    DASHES,
    SHAPES,
    SIZE,
    WIDTH,
    Canvas,
    shortened,
    width_of,
)


class Sign(NamedTuple):
    """How everything of one name is drawn."""

    colour: int
    shape: str
    dash: str


def signs(names: Sequence[str]) -> dict[str, Sign]:
    """A sign for each name; no two alike up to 42 names."""
    return {
        name: Sign(at % COLOURS, SHAPES[at % len(SHAPES)], DASHES[at % len(DASHES)])
        for at, name in enumerate(names)
    }


def signs_of(names: Iterable[str], order: Sequence[str]) -> dict[str, Sign]:
    """The signs of some names; ``order`` has those of all pictures, so that signs agree."""
    known = signs(order)
    wanted = set(names)
    return {name: sign for name, sign in known.items() if name in wanted}


def draw_signs(canvas: Canvas, y: float, named: dict[str, Sign], lines: bool = False) -> float:
    """Rows of signs with names beginning at ``y``; gives where they end."""
    x = 14.0
    for name, sign in named.items():
        shown = shortened(name, WIDTH / 2)
        width = width_of(shown) + (52 if lines else 34)
        if x > 14 and x + width > WIDTH:
            x, y = 14.0, y + 22
        if lines:
            canvas.path([(x - 6, y), (x + 26, y)], f"s{sign.colour} bold", sign.dash)
            canvas.mark(sign.shape, x + 26, y, sign.colour)
        else:
            canvas.mark(sign.shape, x, y, sign.colour)
        canvas.text(x + (38 if lines else 12), y + SIZE / 3, shown, full=name)
        x += width
    return y + 22


def draw_segments(canvas: Canvas, y: float, names: Sequence[str]) -> float:
    """The same for parts of bars, numbered in their order."""
    x = 8.0
    for at, name in enumerate(names):
        width = width_of(name) + 40
        if x > 8 and x + width > WIDTH:
            x, y = 8.0, y + 22
        canvas.segment(x, y - 6, 18, 12, at, "")
        canvas.text(x + 24, y + SIZE / 3, name)
        x += width
    return y + 22
