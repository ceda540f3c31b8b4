"""Arithmetic on numbers of any size, for the slow path of the core."""

from __future__ import annotations

from esolangs import work
from esolangs.division import divide, square_root
from esolangs.numbers import MAX_BITS, from_decimal
from esolangs.reasons import BUDGET, MEMORY_FULL
from esolangs.shakespeare.opcodes import (
    BY_ZERO,
    CUBE,
    DIV,
    FACTORIAL,
    GREATER,
    MOD,
    MUL,
    NEGATED,
    NEGATIVE_FACTORIAL,
    NEGATIVE_ROOT,
    ROOT,
    SMALLER,
    SQUARE,
    TWICE,
)

_MAX_DIGITS = 315_653  # a number with more digits has more than MAX_BITS bits
_MAX_SHORT_BITS = 6000  # bits up to which Python divides as fast
_LN2 = 0.6931471805599453


def operate(code: int, a: int, b: int, max_bytes: int) -> tuple[int, int]:
    """Compute an operation; return (``BUDGET``, result), or (reason to stop, 0).

    A result of more than ``max_bytes`` bytes is not computed.

    The operand of a unary operation is ``b``.  The core computes sums and differences itself,
    and calls ``find_fault`` first.
    """
    if code == DIV or code == MOD:
        is_short = b.bit_length() <= _MAX_SHORT_BITS
        if code == MOD:
            rest = abs(a) % abs(b) if is_short else divide(abs(a), abs(b))[1]
            return BUDGET, -rest if a < 0 else rest
        quotient = abs(a) // abs(b) if is_short else divide(abs(a), abs(b))[0]
        return BUDGET, quotient if (a < 0) == (b < 0) else -quotient
    if code == TWICE:
        return BUDGET, 2 * b
    if code == ROOT:
        return BUDGET, square_root(b)
    if code == FACTORIAL:
        return _factorial(b, max_bytes)
    bits = b.bit_length()
    if code == MUL:
        least = a.bit_length() + bits - 1
    elif code == SQUARE:
        least = 2 * bits - 1
    else:
        least = 3 * bits - 2
    if a == 0 and code == MUL:
        return BUDGET, 0
    if _too_large(least, max_bytes):
        return MEMORY_FULL, 0
    if code == MUL:
        return BUDGET, a * b
    return BUDGET, b * b if code == SQUARE else b * b * b


def find_fault(code: int, b: int) -> int:
    """Return the fault of an operation whose last operand is ``b``; BUDGET if it is valid."""
    if b == 0:
        return BY_ZERO if code == DIV or code == MOD else BUDGET
    if b > 0:
        return BUDGET
    return NEGATIVE_ROOT if code == ROOT else NEGATIVE_FACTORIAL if code == FACTORIAL else BUDGET


def compute_work(code: int, a: int, b: int) -> int:
    """Return the work of an operation (see ``esolangs.work``)."""
    if code == FACTORIAL:
        return work.of_factorial(b)
    if a.bit_length() < 64 and b.bit_length() < 64:
        return 0
    if code == MUL:
        return work.of_product(a, b)
    if code == DIV or code == MOD:
        return work.of_quotient(a, b)
    if code == SQUARE:
        return work.of_product(b, b)
    if code == CUBE:
        return work.of_cube(b)
    return work.of_root(b) if code == ROOT else work.of_sum(a, b)


def _factorial(n: int, max_bytes: int) -> tuple[int, int]:
    from math import factorial, lgamma

    # Stirling's formula is off by less than two bits.
    if n > MAX_BITS or _too_large(int(lgamma(n + 1) / _LN2) - 2, max_bytes):
        return MEMORY_FULL, 0
    return BUDGET, factorial(n)


def _too_large(min_bits: int, max_bytes: int) -> bool:
    """Return whether a number of ``min_bits`` bits or more exceeds MAX_BITS or ``max_bytes``."""
    return min_bits > MAX_BITS or (min_bits > 64 and min_bits // 8 > max_bytes)


def compare(a: int, b: int, comparison: int) -> int:
    """Return 1 if the comparison is true, else 0."""
    kind = comparison % NEGATED
    held = a > b if kind == GREATER else a < b if kind == SMALLER else a == b
    return int(held != (comparison >= NEGATED))


def parse_number(sign: bytes, digits: bytes) -> tuple[int, int]:
    """Parse a number; return (``BUDGET``, number).

    If the number is too large, the first item is ``MEMORY_FULL`` instead.
    """
    digits = digits.lstrip(b"0")
    if len(digits) > _MAX_DIGITS:
        return MEMORY_FULL, 0
    number = from_decimal(sign + (digits or b"0"))
    return (MEMORY_FULL if number.bit_length() > MAX_BITS else BUDGET), number
