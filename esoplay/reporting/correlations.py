"""Pearson's and Spearman's correlation, with p by permutation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from math import fsum, sqrt
from random import Random
from typing import NamedTuple

from esoplay.reporting.statistics import mean_ranks

MAX_EXACT_POINTS = 8
"""The maximum number of points for which all permutations are tried."""
SAMPLES = 10_000
"""The number of random permutations that are tried for more than ``MAX_EXACT_POINTS`` points."""
MIN_POINTS = 3
_TOLERANCE = 1e-12  # coefficients that differ by less count as equal


class Coefficient(NamedTuple):
    """A coefficient from -1 to 1 and its two-sided p."""

    value: float
    p: float


def pearson(xs: Sequence[float], ys: Sequence[float], seed: int = 0) -> Coefficient | None:
    """Return Pearson's r; None with fewer than three points, or if one list is constant.

    p is the share of permutations of ``ys`` whose coefficient is at least as far from zero. Up to
    ``MAX_EXACT_POINTS``, all permutations are tried; with more points, ``SAMPLES`` random ones and
    the given order.
    """
    if len(xs) != len(ys):
        raise ValueError("both sides of a correlation need the same number of values")
    if len(xs) < MIN_POINTS:
        return None
    first, second = _standardize(xs), _standardize(ys)
    if first is None or second is None:
        return None
    value = fsum(one * other for one, other in zip(first, second, strict=True))
    exact = len(xs) <= MAX_EXACT_POINTS
    tried = permutations(second) if exact else _shuffle(second, seed)
    extreme, total = 0, 0
    for other in tried:
        found = fsum(one * two for one, two in zip(first, other, strict=True))
        extreme += abs(found) >= abs(value) - _TOLERANCE
        total += 1
    p = extreme / total if exact else (extreme + 1) / (total + 1)
    return Coefficient(max(-1.0, min(1.0, value)), p)


def spearman(xs: Sequence[float], ys: Sequence[float], seed: int = 0) -> Coefficient | None:
    """Return Spearman's rho: Pearson's r of the ranks; ties share their mean rank."""
    return pearson(mean_ranks(xs), mean_ranks(ys), seed)


def _standardize(values: Sequence[float]) -> list[float] | None:
    """Return the values with mean 0 and sum of squares 1; None if all are equal."""
    if max(values) == min(values):
        return None
    mean = fsum(values) / len(values)
    size = sqrt(fsum((value - mean) ** 2 for value in values))
    return [(value - mean) / size for value in values]


def _shuffle(values: Sequence[float], seed: int) -> Iterable[list[float]]:
    draw = Random(seed)
    for _ in range(SAMPLES):
        yield draw.sample(list(values), len(values))
