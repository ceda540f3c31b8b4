"""Means, spreads and quantiles, and the bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import fsum, sqrt
from operator import itemgetter
from random import Random
from typing import NamedTuple

from esoplay.reporting.statistics.intervals import CONFIDENCE, Interval

RESAMPLES = 2_000
"""Samples of the bootstrap, unless another number is asked for."""

_MOST_KEPT = 1_000_000
"""Places drawn that are kept for the next values of as many; they take 8 bytes each."""


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
    count = len(values)
    if count == 1:
        return Interval(values[0], values[0])
    known = _draws_to_keep if count * resamples <= _MOST_KEPT else _draws
    means = sorted(sum(draw(values)) / count for draw in known(count, resamples, seed))
    outside = (1 - confidence) / 2
    return Interval(quantile(means, outside), quantile(means, 1 - outside))


_Draw = Callable[[Sequence[float]], Iterable[float]]


def _draws(count: int, resamples: int, seed: int) -> Iterator[_Draw]:
    """Each draws ``count`` of as many values, at least two."""
    draw = Random(seed).random
    for _ in range(resamples):
        yield itemgetter(*(int(draw() * count) for _ in range(count)))


@lru_cache(2)
def _draws_to_keep(count: int, resamples: int, seed: int) -> tuple[_Draw, ...]:
    """The same; a report has many means of as many problems."""
    return tuple(_draws(count, resamples, seed))
