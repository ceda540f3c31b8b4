"""Large integers: their maximum size, and conversion to and from decimal digits.

Python refuses to convert numbers of more than about 4300 digits, and its conversion takes quadratic
time; splitting numbers into halves avoids both.
"""

from __future__ import annotations

MAX_BITS = 1 << 20
"""Maximum size of a number in bits; a larger number reaches the memory limit in any case.

A single operation cannot be interrupted, and would take longer than 0.1 s with larger numbers.
"""

_SMALL_BITS = 8192
_SMALL_DIGITS = 512
_VIEW_BITS = 256
_HUGE_BITS = 1 << 17  # bits above which importing and using `decimal` is faster


def fits(bits: int) -> bool:
    """Return whether a number of ``bits`` bits is small enough to compute."""
    return bits <= MAX_BITS


def decimal(value: int) -> bytes:
    """Return the decimal digits of ``value``, with a minus sign if it is negative."""
    if value < 0:
        return b"-" + _digits(-value)
    return _digits(value)


def from_decimal(digits: bytes) -> int:
    """Return the number spelled by ASCII digits with an optional sign.

    Raise ValueError if ``digits`` contains anything else.  The caller limits the number of digits:
    ``fits(4 * len(digits))`` is sufficient and exceeds the exact bound by about a fifth.
    """
    unsigned = digits[1:] if digits[:1] in (b"-", b"+") else digits
    if not (unsigned.isdigit() and unsigned.isascii()):
        raise ValueError(f"not an integer: {digits[:40]!r}")
    value = _convert_digits(unsigned)
    return -value if digits[:1] == b"-" else value


def skip_bytes(data: bytes, at: int, end: int, skipped: bytes) -> int:
    """Return the index of the first byte from ``at`` on that is not in ``skipped``, or ``end``."""
    size = 32  # most numbers are short
    while True:
        part = data[at : min(at + size, end)]
        rest = part.lstrip(skipped)
        at += len(part) - len(rest)
        if rest or not part:
            return at
        size = 1 << 16


def abbreviate(value: int) -> int | str:
    """Return a number for a view: unchanged, or as a short string if it is very large."""
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
    return (_digits_of_huge if value.bit_length() > _HUGE_BITS else _digits_of_large)(value)


def _digits_of_large(value: int) -> bytes:
    from esolangs.division import divide  # late, for start-up time: few programs need it

    powers = [10**_SMALL_DIGITS]
    while 2 * powers[-1].bit_length() <= value.bit_length():
        powers.append(powers[-1] ** 2)
    parts = [value]
    for power in reversed(powers):
        parts = [half for part in parts for half in divide(part, power)]
    return b"".join([b"%0*d" % (_SMALL_DIGITS, part) for part in parts]).lstrip(b"0")


def _digits_of_huge(value: int) -> bytes:
    """Return decimal digits, by divide and conquer with ``Decimal``, which multiplies fast."""
    from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact, localcontext

    powers: dict[int, Decimal] = {}

    def power(exponent: int) -> Decimal:
        """Return 2 ** ``exponent``."""
        if exponent not in powers:
            half = exponent // 2
            powers[exponent] = (
                Decimal(1 << exponent) if exponent <= 512 else power(half) * power(exponent - half)
            )
        return powers[exponent]

    def to_decimal(value: int, bits: int) -> Decimal:
        if bits <= 512:
            return Decimal(value)
        half = bits // 2
        high = value >> half
        return to_decimal(high, bits - half) * power(half) + to_decimal(
            value - (high << half), half
        )

    exact = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])
    with localcontext(exact):
        return f"{to_decimal(value, value.bit_length()):f}".encode()


def _convert_digits(digits: bytes) -> int:
    """Convert digits to a number by converting short parts and joining neighbours repeatedly."""
    ends = range(len(digits), 0, -_SMALL_DIGITS)
    parts = [int(digits[max(0, end - _SMALL_DIGITS) : end]) for end in ends]
    power = 10**_SMALL_DIGITS
    while len(parts) > 1:
        if len(parts) % 2:
            parts.append(0)
        parts = [low + high * power for low, high in zip(parts[::2], parts[1::2], strict=True)]
        if len(parts) > 1:
            power *= power
    return parts[0]
