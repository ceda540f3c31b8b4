"""Tests of whether two conditions differ where the same things were tried under both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from math import comb, sqrt
from statistics import NormalDist
from typing import NamedTuple

MOST_EXACT = 200
"""Differences up to which Wilcoxon's distribution is computed and not approximated."""


class SignedRank(NamedTuple):
    """What Wilcoxon's signed-rank test came to.

    size: differences that are not zero.  plus, minus: sums of the ranks of those above and
    below zero.  p: two-sided.  exact: whether p is by the exact distribution.
    """

    size: int
    plus: float
    minus: float
    p: float
    exact: bool


def mcnemar(only_first: int, only_second: int) -> float:
    """The two-sided p of McNemar's exact test.

    The counts are those of the discordant pairs; under the null hypothesis each is of either
    kind with probability one half.  Raises ValueError for negative counts.
    """
    if min(only_first, only_second) < 0:
        raise ValueError("counts of pairs are not negative")
    pairs = only_first + only_second
    tail = sum(comb(pairs, count) for count in range(min(only_first, only_second) + 1))
    return min(1.0, 2 * tail / (1 << pairs))


def signed_rank(differences: Sequence[float]) -> SignedRank:
    """Wilcoxon's signed-rank test of paired differences, two-sided.

    F. Wilcoxon, Individual Comparisons by Ranking Methods, Biometrics Bulletin 1 (1945).  Zeros
    are dropped, ties share their mean rank, and the distribution is that of all assignments of
    signs to the ranks at hand, so that it is exact with ties, too.  Beyond ``MOST_EXACT``
    differences it is the normal approximation with the correction for ties.
    """
    kept = [value for value in differences if value != 0]
    ranks = _doubled_ranks([abs(value) for value in kept])
    plus = sum(rank for rank, value in zip(ranks, kept, strict=True) if value > 0)
    minus = sum(ranks) - plus
    exact = len(kept) <= MOST_EXACT
    tail = _tail(ranks, min(plus, minus)) if exact else _normal_tail(ranks, min(plus, minus))
    return SignedRank(len(kept), plus / 2, minus / 2, min(1.0, 2 * tail), exact)


def bonferroni(p: float, tests: int) -> float:
    """``p`` corrected for having made this many tests."""
    return min(1.0, p * tests)


def _doubled_ranks(sizes: Sequence[float]) -> list[int]:
    """Twice the ranks, as a mean rank may be a half."""
    counts = Counter(sizes)
    ordered = sorted(counts)
    ends = accumulate(counts[size] for size in ordered)
    doubled = {size: 2 * end - counts[size] + 1 for size, end in zip(ordered, ends, strict=True)}
    return [doubled[size] for size in sizes]


def _tail(ranks: Sequence[int], bound: int) -> float:
    """The share of all assignments of signs in which the ranks above zero add up to at most
    ``bound``.

    The number of assignments for each sum is a coefficient of the product of ``1 + x^rank``;
    the polynomial is one integer in which each coefficient has a field of whole bytes.
    """
    width = len(ranks) // 8 + 1  # bytes that hold 2 to the power of the count
    polynomial = 1
    for rank in ranks:
        polynomial += polynomial << (8 * width * rank)
    data = polynomial.to_bytes(width * (sum(ranks) + 1), "little")
    fields = (data[at : at + width] for at in range(0, width * (bound + 1), width))
    return sum(int.from_bytes(field, "little") for field in fields) / (1 << len(ranks))


def _normal_tail(ranks: Sequence[int], bound: int) -> float:
    mean = sum(ranks) / 2
    deviation = sqrt(sum(rank * rank for rank in ranks)) / 2
    return NormalDist().cdf((bound - mean) / deviation)
