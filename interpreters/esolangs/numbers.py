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
    half = int(value.bit_length() * 0.30103) // 2
    high, low = divmod(value, 10**half)
    return _digits(high) + _digits(low).rjust(half, b"0")


def _value(digits: bytes) -> int:
    if len(digits) <= _SMALL_DIGITS:
        return int(digits)
    half = len(digits) // 2
    return _value(digits[:-half]) * 10**half + _value(digits[-half:])
