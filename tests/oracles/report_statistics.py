"""The statistics of reports, computed from their definitions by brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import erf, sqrt


def normal_quantile(share: float) -> float:
    """Return a quantile of the normal distribution, by bisection of the error function."""
    low, high = -40.0, 40.0
    for _ in range(200):
        middle = (low + high) / 2
        if (1 + erf(middle / sqrt(2))) / 2 < share:
            low = middle
        else:
            high = middle
    return low


def wilson_ends(successes: int, trials: int, confidence: float) -> tuple[float, float]:
    """Return the ends of the interval that the score test does not reject, by bisection."""
    z = normal_quantile(0.5 + confidence / 2)
    share = successes / trials

    def rejected(p: float) -> bool:
        return (share - p) ** 2 > z * z * p * (1 - p) / trials

    def end(inside: float, outside: float) -> float:
        if not rejected(outside):
            return outside
        for _ in range(200):
            middle = (inside + outside) / 2
            if rejected(middle):
                outside = middle
            else:
                inside = middle
        return inside

    return end(share, 0.0), end(share, 1.0)


def mcnemar_p(only_first: int, only_second: int) -> Fraction:
    """Return the share of coin tosses, one per pair, that are at least as uneven."""
    pairs = only_first + only_second
    seen = abs(only_first - only_second)
    tosses = list(product((1, -1), repeat=pairs))
    return Fraction(sum(abs(sum(toss)) >= seen for toss in tosses), len(tosses))


def ranks(values: Sequence[float]) -> list[Fraction]:
    """Rank each value by how many are smaller; equal values share their middle rank."""
    return [
        Fraction(2 * sum(other < value for other in values) + values.count(value) + 1, 2)
        for value in list(values)
    ]


def signed_rank_p(differences: Sequence[float]) -> Fraction:
    """Return the share of sign assignments whose rank sum is at least as far from 0."""
    kept = [value for value in differences if value != 0]
    sizes = ranks([abs(value) for value in kept])
    seen = abs(sum(rank if value > 0 else -rank for rank, value in zip(sizes, kept, strict=True)))
    ways = list(product((1, -1), repeat=len(kept)))
    uneven = sum(
        abs(sum(sign * rank for sign, rank in zip(signs, sizes, strict=True))) >= seen
        for signs in ways
    )
    return Fraction(uneven, len(ways))


def signed_rank_p_by_counting(differences: Sequence[float]) -> Fraction:
    """Return ``signed_rank_p`` for many differences, by counting assignments by their sum."""
    kept = [value for value in differences if value != 0]
    doubled = [int(2 * rank) for rank in ranks([abs(value) for value in kept])]
    seen = abs(sum(rank if value > 0 else -rank for rank, value in zip(doubled, kept, strict=True)))
    ways = {0: 1}
    for size in doubled:
        after: Counter[int] = Counter()
        for total, count in ways.items():
            after[total + size] += count
            after[total - size] += count
        ways = after
    uneven = sum(count for total, count in ways.items() if abs(total) >= seen)
    return Fraction(uneven, 2 ** len(kept))


def signed_rank_p_approximation(differences: Sequence[float]) -> float:
    """Return the normal approximation of textbooks, with the variance corrected for ties.

    M. Hollander and D. A. Wolfe, Nonparametric Statistical Methods, section 3.1.
    """
    kept = [value for value in differences if value != 0]
    sizes = [abs(value) for value in kept]
    n = len(kept)
    plus = sum(rank for rank, value in zip(ranks(sizes), kept, strict=True) if value > 0)
    ties = [sizes.count(size) for size in set(sizes)]
    variance = n * (n + 1) * (2 * n + 1) / 24 - sum(t**3 - t for t in ties) / 48
    return 1 - erf(abs(float(plus) - n * (n + 1) / 4) / sqrt(2 * variance))


def all_means(values: Sequence[float]) -> Iterator[float]:
    """Yield the mean of every possible resample."""
    for chosen in product(values, repeat=len(values)):
        yield sum(chosen) / len(values)
