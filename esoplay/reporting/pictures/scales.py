"""Axes: where a value lies, and which values are written."""

from __future__ import annotations

from math import floor, log10
from typing import NamedTuple


class Scale(NamedTuple):
    """Maps values from ``least`` to ``greatest`` onto pixels from ``start`` to ``end``."""

    least: float
    greatest: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.least) / (self.greatest - self.least)
        return self.start + share * (self.end - self.start)


def ticks(least: float, greatest: float, about: int = 5) -> list[float]:
    """Round values in a range, roughly so many: steps are 1, 2 or 5 times a power of ten."""
    if greatest <= least:
        return [least]
    rough = (greatest - least) / about
    power = 10.0 ** floor(log10(rough))
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= rough * 0.999)
    first, last = floor(least / step + 0.999), floor(greatest / step + 0.001)
    return [count * step for count in range(first, last + 1)]


def spoken(value: float) -> str:
    """A value of an axis: thousands as k, millions as M."""
    for unit, sign in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= unit * 10 or (abs(value) >= unit and unit == 1e6):
            return f"{value / unit:g}{sign}".replace("-", "−")
    return f"{value:g}".replace("-", "−")
