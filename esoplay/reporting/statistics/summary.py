"""Means, spreads and quantiles, and the bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from random import Random
from typing import NamedTuple

from esoplay.reporting.statistics.intervals import CONFIDENCE, Interval

RESAMPLES = 2_000
"""Samples of the bootstrap, unless another number is asked for."""


class Summary(NamedTuple):
    """Several values as one.  size: how many; deviation: the sample's, None of a single value."""

    size: int
    mean: float
    deviation: float | None
    least: float
    greatest: float

    @property
    def spread(self) -> float:
        return self.greatest - self.least


def summarise(values: Sequence[float]) -> Summary:
    """Mean, standard deviation (with n - 1) and range; ValueError of no values."""
    mean = mean_of(values)
    deviation = None
    if len(values) > 1:
        deviation = sqrt(fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
    return Summary(len(values), mean, deviation, min(values), max(values))


def mean_of(values: Sequence[float]) -> float:
    """The arithmetic mean; ValueError of no values."""
    if not values:
        raise ValueError("no values have no mean")
    return fsum(values) / len(values)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The quantile of sorted values, linear between neighbours; ValueError of no values.

    Definition 7 of R. J. Hyndman and Y. Fan, Sample Quantiles in Statistical Packages (1996).
    """
    if not ordered:
        raise ValueError("no values have no quantile")
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def bootstrap_mean(
    values: Sequence[float],
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> Interval:
    """The percentile interval of the mean, by drawing as many values anew, with replacement.

    The same seed gives the same interval everywhere: of Python's generator only ``random`` is
    used, whose sequence is promised not to change.  Raises ValueError of no values.
    """
    if not values:
        raise ValueError("no values have no mean")
    draw = Random(seed).random
    count = len(values)
    means = sorted(
        sum([values[int(draw() * count)] for _ in range(count)]) / count for _ in range(resamples)
    )
    outside = (1 - confidence) / 2
    return Interval(quantile(means, outside), quantile(means, 1 - outside))
