"""Whole numbers without bound: how large they may get, how they are written and read.

Python refuses to convert numbers of more than some 4300 digits at once, and its own
conversion takes quadratic time; both are avoided here by halving.
"""

from __future__ import annotations

MOST_BITS = 1 << 20
"""A number of more bits reaches the memory limit, whatever that is: a single operation on
larger ones would take seconds in which nobody could interrupt it."""

_SMALL_BITS = 8192
_SMALL_DIGITS = 2048
_VIEW_BITS = 256
_HUGE_BITS = 1 << 17  # from here on the module `decimal` is faster, which takes time to import


def fits(bits: int) -> bool:
    """Whether a number of at most so many bits may be computed; ask before computing it."""
    return bits <= MOST_BITS


def decimal(value: int) -> bytes:
    """The decimal digits of ``value``, with a minus sign where it is negative."""
    if value < 0:
        return b"-" + _digits(-value)
    return _digits(value)


def from_decimal(digits: bytes) -> int:
    """The number that ASCII digits, with or without a sign before them, spell.

    ValueError if they spell none.  The caller bounds their number: ``fits(4 * len(digits))``
    is enough and never too much by more than a fifth.
    """
    unsigned = digits[1:] if digits[:1] in (b"-", b"+") else digits
    if not (unsigned.isdigit() and unsigned.isascii()):
        raise ValueError(f"not a whole number: {digits[:40]!r}")
    value = _value(unsigned)
    return -value if digits[:1] == b"-" else value


def shown(value: int) -> int | str:
    """What a view holds for a number: itself, or a short text when it is very large."""
    if -(1 << _VIEW_BITS) < value < 1 << _VIEW_BITS:
        return value
    from math import log10

    size = abs(value)
    shift = max(0, size.bit_length() - 64)
    exponent = log10(size >> shift) + shift * log10(2)
    mantissa = 10 ** (exponent % 1)
    sign = "-" if value < 0 else ""
    return f"{sign}{mantissa:.4f}e{int(exponent)} ({size.bit_length()} bits)"


def _digits(value: int) -> bytes:
    if value.bit_length() <= _SMALL_BITS:
        return b"%d" % value
    if value.bit_length() > _HUGE_BITS:
        return _digits_of_huge(value)
    half = int(value.bit_length() * 0.30103) // 2
    high, low = divmod(value, 10**half)
    return _digits(high) + _digits(low).rjust(half, b"0")


def _digits_of_huge(value: int) -> bytes:
    """The same by halving in base two: `decimal` multiplies large numbers in nearly linear time."""
    from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact, localcontext

    powers: dict[int, Decimal] = {}

    def power(exponent: int) -> Decimal:
        """Two to the power of ``exponent``."""
        if exponent not in powers:
            half = exponent // 2
            powers[exponent] = (
                Decimal(1 << exponent) if exponent <= 512 else power(half) * power(exponent - half)
            )
        return powers[exponent]

    def converted(value: int, bits: int) -> Decimal:
        if bits <= 512:
            return Decimal(value)
        half = bits // 2
        high = value >> half
        return converted(high, bits - half) * power(half) + converted(value - (high << half), half)

    exact = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])
    with localcontext(exact):
        return f"{converted(value, value.bit_length()):f}".encode()


def _value(digits: bytes) -> int:
    if len(digits) <= _SMALL_DIGITS:
        return int(digits)
    half = len(digits) // 2
    return _value(digits[:-half]) * 10**half + _value(digits[-half:])
