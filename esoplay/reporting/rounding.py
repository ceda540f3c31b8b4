"""Rounding of figures, the same in tables and pictures."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def round_half_up(value: float, digits: int = 1) -> str:
    """Round half away from zero, as readers expect: 61 of 80 is 76.3 %, and 75 of 80 is 93.8 %."""
    # Rounding to nine digits first restores decimals such as 76.25 after binary arithmetic.
    exact = Decimal(repr(round(value, 9)))
    return f"{exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):,f}"


def percent(share: float) -> str:
    """Return a share of 1 as a percentage with one decimal: 0.5 is ``50.0 %``."""
    return f"{round_half_up(100 * share)} %"
