"""Estimates of the work (computing time) of operations on large numbers.

``Limits.work`` limits this work, because one step on large numbers may take as long as millions of
other steps.  The unit is the product of two 64-bit words, about 3 ns.  Sizes are rounded down to
whole words, so operations on numbers of less than 64 bits are free.  Each function
estimates the time of its operation within a factor of about two (ADR 0009), only from the sizes of
the operands, before the operation starts.
"""

from __future__ import annotations

_MAX_QUADRATIC_WORDS = 32
"""Size, in words, up to which Python multiplies in quadratic time (above it: Karatsuba)."""

_MAX_WORDS = 1 << 14  # maximum size of a number in words (``numbers.MAX_BITS``)


def words(number: int) -> int:
    """Return the number of whole 64-bit words in a number."""
    return number.bit_length() >> 6


def of_square(size: int) -> int:
    """Return the work of squaring a number, or multiplying two numbers, of ``size`` words."""
    products = 1
    while size > _MAX_QUADRATIC_WORDS:
        size = (size + 1) >> 1
        products *= 3
    return products * size * size


def of_sum(a: int, b: int) -> int:
    """Return the work of ``a + b``, ``a - b`` or a comparison."""
    return max(a.bit_length(), b.bit_length()) >> 6


def of_product(a: int, b: int) -> int:
    """Return the work of ``a * b``."""
    return _multiplication_work(words(a), words(b))


def of_quotient(a: int, b: int) -> int:
    """Return the estimated work (computing time) of ``a // b`` or ``a % b``."""
    size, by = words(a), words(b)
    return max(size, by) + 2 * _multiplication_work(by, max(0, size - by))


def of_cube(a: int) -> int:
    """Return the work of ``a * a * a``."""
    size = words(a)
    return _multiplication_work(size, size) + _multiplication_work(size, 2 * size)


def of_root(a: int) -> int:
    """Return the estimated work (computing time) of the square root of ``a``."""
    return words(a) + 2 * of_square(words(a) >> 1)


def of_factorial(n: int) -> int:
    """Return the work of ``n!``, estimated as the work of squaring a number of its size."""
    return of_square(min(n * n.bit_length() >> 6, _MAX_WORDS)) if n > 20 else 0


def of_printing(number: int) -> int:
    """Return the work of converting a number to decimal digits."""
    return 2 * of_square(words(number))


def of_reading(digits: int) -> int:
    """Return the work of converting decimal digits to a number, at 19 digits per word."""
    return of_square(min(digits // 19, _MAX_WORDS))


def of_address(address: int) -> int:
    """Return the work of finding the cell with this address in a dictionary."""
    return 2 * words(address)


def _multiplication_work(a: int, b: int) -> int:
    """Return the work of multiplying numbers with ``a`` and ``b`` words."""
    short, long = min(a, b), max(a, b)
    if short <= _MAX_QUADRATIC_WORDS:
        return (short + 1) * long
    return -(-long // short) * of_square(short)
