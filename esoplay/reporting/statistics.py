"""Statistics for reports, with exact results where possible.

Means, spreads, quantiles, the bootstrap, Wilson's interval, and tests of paired conditions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from math import comb, fsum, sqrt
from operator import itemgetter
from random import Random
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95
RESAMPLES = 2_000
"""The default number of bootstrap samples."""

_MAX_CACHED_INDEXES = 1_000_000
"""Maximum number of random indexes, of 8 bytes each, that are cached for later bootstraps."""


class SeriesSummary(NamedTuple):
    """A summary of values.  size: their number.  deviation: of the sample, None for one value."""

    size: int
    mean: float
    deviation: float | None
    least: float
    greatest: float

    @property
    def spread(self) -> float:
        return self.greatest - self.least


def summarize(values: Sequence[float]) -> SeriesSummary:
    """Return mean, standard deviation (with n - 1) and range; raise ValueError without values."""
    mean = arithmetic_mean(values)
    deviation = None
    if len(values) > 1:
        deviation = sqrt(fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
    return SeriesSummary(len(values), mean, deviation, min(values), max(values))


def arithmetic_mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean; raise ValueError without values."""
    if not values:
        raise ValueError("cannot compute a mean of an empty series")
    return fsum(values) / len(values)


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the quantile of sorted values, interpolated linearly between neighbors.

    Definition 7 of R. J. Hyndman and Y. Fan, Sample Quantiles in Statistical Packages (1996).
    Raises ValueError without values.
    """
    if not ordered:
        raise ValueError("cannot compute a quantile of an empty series")
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def bootstrap_mean(
    values: Sequence[float],
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> ConfidenceInterval:
    """Return the percentile interval of the mean, by bootstrap with replacement.

    The same seed gives the same interval on all machines, because Python guarantees the sequence of
    ``Random.random``, and no other method is used. Raises ValueError without values.
    """
    if not values:
        raise ValueError("cannot compute a mean of an empty series")
    count = len(values)
    if count == 1:
        return ConfidenceInterval(values[0], values[0])
    known = _cached_draws if count * resamples <= _MAX_CACHED_INDEXES else _draws
    means = sorted(sum(draw(values)) / count for draw in known(count, resamples, seed))
    outside = (1 - confidence) / 2
    return ConfidenceInterval(quantile(means, outside), quantile(means, 1 - outside))


def bootstrap_difference(
    pairs: Sequence[tuple[Sequence[float], Sequence[float]]],
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> ConfidenceInterval:
    """Return a bootstrap confidence interval of the mean difference over pairs of lists.

    Each pair contributes the difference between the means of its two lists. The two lists are
    resampled independently, because their values do not correspond. Raises ValueError without
    values.
    """
    if not pairs or not all(first and second for first, second in pairs):
        raise ValueError("cannot compute a mean of an empty series")
    draw = Random(seed).random
    found: list[float] = []
    for _ in range(resamples):
        differences = [
            _drawn_mean(first, draw) - _drawn_mean(second, draw) for first, second in pairs
        ]
        found.append(fsum(differences) / len(pairs))
    found.sort()
    outside = (1 - confidence) / 2
    return ConfidenceInterval(quantile(found, outside), quantile(found, 1 - outside))


def _drawn_mean(values: Sequence[float], draw: Callable[[], float]) -> float:
    count = len(values)
    return fsum(values[int(draw() * count)] for _ in range(count)) / count


_Draw = Callable[[Sequence[float]], Iterable[float]]


def _draws(count: int, resamples: int, seed: int) -> Iterator[_Draw]:
    """Yield ``resamples`` functions, each of which draws ``count`` values with replacement.

    A function draws from any list of ``count`` values; ``count`` is at least 2.
    """
    draw = Random(seed).random
    for _ in range(resamples):
        yield itemgetter(*(int(draw() * count) for _ in range(count)))


@lru_cache(2)
def _cached_draws(count: int, resamples: int, seed: int) -> tuple[_Draw, ...]:
    """Return the functions that ``_draws`` yields, from a cache if possible.

    The cache helps because many lists in a report have the same length.
    """
    return tuple(_draws(count, resamples, seed))


# Wilson's score interval for a share of successes.


class ConfidenceInterval(NamedTuple):
    """The lower and upper end of an interval."""

    low: float
    high: float

    def half_width(self, middle: float) -> float:
        """Return the distance from ``middle`` to the end of the interval that is farther away."""
        return max(middle - self.low, self.high - middle)


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> ConfidenceInterval:
    """Return Wilson's interval for a probability, given ``successes`` of ``trials``.

    E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22
    (1927). It is within 0 to 1 and not symmetric around the observed share. Raises ValueError
    without trials or for impossible counts.
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials are invalid for an interval")
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share = successes / trials
    squared = z * z / trials
    centre = (share + squared / 2) / (1 + squared)
    reach = z / (1 + squared) * sqrt(share * (1 - share) / trials + squared / (4 * trials))
    # At the ends the exact result is 0 or 1, which floating point can miss slightly.
    return ConfidenceInterval(
        0.0 if successes == 0 else max(0.0, centre - reach),
        1.0 if successes == trials else min(1.0, centre + reach),
    )


# Tests of whether two conditions differ on the same items.

MAX_EXACT_DIFFERENCES = 200
"""The maximum number of differences for which Wilcoxon's test is exact instead of approximated."""


class SignedRank(NamedTuple):
    """The result of Wilcoxon's signed-rank test.

    size: number of non-zero differences. plus, minus: sums of the ranks of positive and negative
    differences. p: two-sided. exact: whether p uses the exact distribution.
    """

    size: int
    plus: float
    minus: float
    p: float
    exact: bool


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the two-sided p of McNemar's exact test.

    The counts are of the discordant pairs; under the null hypothesis each kind has probability one
    half. Raises ValueError for negative counts.
    """
    if min(only_first, only_second) < 0:
        raise ValueError("counts of pairs must not be negative")
    pairs = only_first + only_second
    tail = sum(comb(pairs, count) for count in range(min(only_first, only_second) + 1))
    return min(1.0, 2 * tail / (1 << pairs))


def signed_rank(differences: Sequence[float]) -> SignedRank:
    """Apply Wilcoxon's two-sided signed-rank test to paired differences.

    F. Wilcoxon, Individual Comparisons by Ranking Methods, Biometrics Bulletin 1 (1945). Zeros are
    dropped, ties share their mean rank, and the distribution is over all assignments of signs to
    the given ranks, so it is exact even with ties. For more than ``MAX_EXACT_DIFFERENCES``, the
    normal approximation with the correction for ties is used.
    """
    kept = [value for value in differences if value != 0]
    ranks = _doubled_ranks([abs(value) for value in kept])
    plus = sum(rank for rank, value in zip(ranks, kept, strict=True) if value > 0)
    minus = sum(ranks) - plus
    exact = len(kept) <= MAX_EXACT_DIFFERENCES
    tail = _exact_tail(ranks, min(plus, minus)) if exact else _normal_tail(ranks, min(plus, minus))
    return SignedRank(len(kept), plus / 2, minus / 2, min(1.0, 2 * tail), exact)


def bonferroni(p: float, tests: int) -> float:
    """Return ``p`` after Bonferroni's correction for this number of tests."""
    return min(1.0, p * tests)


def mean_ranks(values: Sequence[float]) -> list[float]:
    """Return the ranks of some values, from 1; ties share their mean rank."""
    return [rank / 2 for rank in _doubled_ranks(values)]


def _doubled_ranks(sizes: Sequence[float]) -> list[int]:
    """Return twice the rank of each value, from 1; ties share their mean rank.

    Doubled ranks are integers, although a mean rank may end in one half.
    """
    counts = Counter(sizes)
    ordered = sorted(counts)
    ends = accumulate(counts[size] for size in ordered)
    doubled = {size: 2 * end - counts[size] + 1 for size, end in zip(ordered, ends, strict=True)}
    return [doubled[size] for size in sizes]


def _exact_tail(ranks: Sequence[int], bound: int) -> float:
    """Return the exact probability that the positive ranks add up to at most ``bound``.

    This is for the signed-rank test, which assumes that all assignments of signs are equally
    likely.

    The number of assignments for each sum is a coefficient of the product of ``1 + x^rank``;
    the polynomial is one integer in which each coefficient has a field of whole bytes.
    """
    width = len(ranks) // 8 + 1  # bytes for 2 to the power of the count
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
