"""Division and square roots of large numbers in less than quadratic time."""

from __future__ import annotations

_MAX_SHORT_BITS = 6000
"""Size of a divisor or quotient, in bits, up to which Python's own ``divmod`` is used."""


def divide(a: int, b: int) -> tuple[int, int]:
    """Return the quotient and remainder of two nonnegative numbers; ``b`` must not be 0."""
    size = b.bit_length()
    more = a.bit_length() - size
    if size <= _MAX_SHORT_BITS or more <= _MAX_SHORT_BITS:
        return divmod(a, b)
    if more < size:
        # The upper bits give a quotient that is at most a little too large.
        cut = size - more
        low = (1 << cut) - 1
        quotient, rest = divide(a >> cut, b >> cut)
        rest = (rest << cut | a & low) - quotient * (b & low)
        while rest < 0:
            quotient -= 1
            rest += b
        return quotient, rest
    low = (1 << size) - 1
    quotient = rest = 0
    for at in reversed(range(0, a.bit_length(), size)):
        part, rest = _divide_two_by_one(rest << size | (a >> at) & low, b, size)
        quotient = quotient << size | part
    return quotient, rest


def square_root(number: int) -> int:
    """Return the square root of a nonnegative number, rounded down."""
    return _root_with_remainder(number, (number.bit_length() + 1) >> 1)[0]


# Burnikel and Ziegler, "Fast Recursive Division", 1998.


def _divide_two_by_one(a: int, b: int, size: int) -> tuple[int, int]:
    """Divide ``a`` by ``b``, which has ``size`` bits; the quotient has at most ``size`` bits."""
    if size <= _MAX_SHORT_BITS or a.bit_length() - size <= _MAX_SHORT_BITS:
        return divmod(a, b)
    odd = size & 1
    if odd:
        a, b, size = a << 1, b << 1, size + 1
    half = size >> 1
    low = (1 << half) - 1
    high, tail_bits = b >> half, b & low
    upper, rest = _divide_three_by_two(a >> size, a >> half & low, b, high, tail_bits, half)
    lower, rest = _divide_three_by_two(rest, a & low, b, high, tail_bits, half)
    return upper << half | lower, rest >> odd


def _divide_three_by_two(
    a: int, low_bits: int, b: int, high: int, tail_bits: int, half: int
) -> tuple[int, int]:
    """Divide ``a << half | low_bits`` by ``b``, whose halves are ``high`` and ``tail_bits``."""
    if a >> half == high:
        quotient, rest = (1 << half) - 1, a - (high << half) + high
    else:
        quotient, rest = _divide_two_by_one(a, high, half)
    rest = (rest << half | low_bits) - quotient * tail_bits
    while rest < 0:
        quotient -= 1
        rest += b
    return quotient, rest


# Zimmermann, "Karatsuba Square Root", 1999.


def _root_with_remainder(number: int, size: int) -> tuple[int, int]:
    """Return the rounded square root, which has ``size`` bits, and ``number`` minus its square."""
    if size <= _MAX_SHORT_BITS:
        from math import isqrt  # start-up time: few programs need it

        root = isqrt(number)
        return root, number - root * root
    half = size >> 1
    low = (1 << half) - 1
    upper, rest = _root_with_remainder(number >> 2 * half, size - half)
    lower, rest = divide(rest << half | number >> half & low, 2 * upper)
    root = (upper << half) + lower
    rest = (rest << half | number & low) - lower * lower
    if rest < 0:
        rest += 2 * root - 1
        root -= 1
    return root, rest
