"""Wilson's score interval for a share of successes."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95


class Interval(NamedTuple):
    """Both ends of an interval."""

    low: float
    high: float

    def half_width(self, middle: float) -> float:
        """The greater of the distances from ``middle`` to the ends."""
        return max(middle - self.low, self.high - middle)


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """The interval for the probability behind ``successes`` of ``trials``.

    E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22
    (1927).  It lies within 0 to 1 and is not symmetric about the observed share.  Raises
    ValueError without trials, or where the counts cannot be.
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials have no interval")
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share = successes / trials
    squared = z * z / trials
    centre = (share + squared / 2) / (1 + squared)
    reach = z / (1 + squared) * sqrt(share * (1 - share) / trials + squared / (4 * trials))
    # At the ends the formula gives exactly 0 and 1; floating point may miss them by a little.
    return Interval(
        0.0 if successes == 0 else max(0.0, centre - reach),
        1.0 if successes == trials else min(1.0, centre + reach),
    )
