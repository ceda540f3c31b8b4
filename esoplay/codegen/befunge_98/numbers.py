"""Constants, spelt as short as the language allows."""

from __future__ import annotations

from functools import cache
from math import isqrt

_DIGITS = "0123456789abcdef"
_FIRST, _LAST = 33, 126
_FACTORS = (10, 15, 9, 100, 126, 64, 8, 2)


@cache
def spell(number: int) -> str:
    """Code that pushes a number: ``7``, ``f``, ``'A``, ``48*``, ``07-``."""
    if number < 0:
        return f"0{spell(-number)}-"
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
            ways.append(f"{spell(quotient)}{spell(factor)}*{_plus(rest)}")
    root = isqrt(number)
    ways.append(f"{spell(root)}:*{_plus(number - root * root)}")
    return ways


def _plus(rest: int) -> str:
    return f"{spell(rest)}+" if rest else ""
