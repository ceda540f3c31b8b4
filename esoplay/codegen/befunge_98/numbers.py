"""Constants, spelt as short as the language allows."""

from __future__ import annotations

from functools import cache
from math import isqrt

_DIGITS = "0123456789abcdef"
_FIRST, _LAST = 33, 126
_FACTORS = (10, 15, 9, 100, 126, 64, 8, 2)


def spell(number: int) -> str:
    """Code that pushes a number: ``7``, ``f``, ``'A``, ``48*``, ``07-``.

    Of one that has more than the 64 bits of a cell, what a cell would keep.
    """
    return _spelt((number + 2**63) % 2**64 - 2**63)


@cache
def _spelt(number: int) -> str:
    if number < 0:
        return f"0{_spelt(-number)}-"
    if number < len(_DIGITS):
        return _DIGITS[number]
    if _FIRST <= number <= _LAST:
        return f"'{chr(number)}"
    return min(_ways(number), key=lambda way: (len(way), way))


def _ways(number: int) -> list[str]:
    """As products, squares and sums."""
    ways: list[str] = []
    for factor in _FACTORS:
        if 2 * factor <= number:
            quotient, rest = divmod(number, factor)
            ways.append(f"{_spelt(quotient)}{_spelt(factor)}*{_plus(rest)}")
    root = isqrt(number)
    ways.append(f"{_spelt(root)}:*{_plus(number - root * root)}")
    return ways


def _plus(rest: int) -> str:
    return f"{_spelt(rest)}+" if rest else ""
