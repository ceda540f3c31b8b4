"""FIXP and CPLI: fixed-point functions and complex numbers.

Source: the RC/Funge-98 documentation.
"""

from __future__ import annotations

import math

from esolangs import work
from esolangs.befunge_98.fingerprint_basics import BOOL, quotient, unary
from esolangs.befunge_98.transaction import StepRefused, Transaction
from esolangs.division import square_root
from esolangs.numbers import MAX_BITS, decimal
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]

# FIXP: angles in ten-thousandths of a degree, ratios in ten-thousandths.


def _round(value: float) -> int:
    """Round to the nearest integer, halves away from zero."""
    return math.floor(abs(value) + 0.5) * (1 if value >= 0 else -1)


def _fixed_point_function(compute: Callable[[float], float]) -> Semantics:
    """Return the function of a letter that pops a number and pushes the result of ``compute``.

    Both are fixed-point numbers with four decimal places.  The letter reflects if the result is
    undefined, or too large for floating point.
    """

    def run(transaction: Transaction) -> None:
        try:
            answer = _round(compute(transaction.pop() / 10000) * 10000)
        except (OverflowError, ValueError):
            transaction.reflect()
        else:
            transaction.push(answer)

    return run


def _fixp_power(transaction: Transaction) -> None:
    b, a = transaction.pop(), transaction.pop()
    if b < 0:
        transaction.push(a ** (-b & 1) if abs(a) == 1 else 0)
    elif not transaction.core.unbounded:
        transaction.push(pow(a, b, 1 << 64))
    elif abs(a) > 1 and a.bit_length() * b > MAX_BITS:
        raise StepRefused(MEMORY_FULL)
    else:
        transaction.charge_work(work.of_square(a.bit_length() * b >> 6) if abs(a) > 1 else 0)
        transaction.push(a**b if abs(a) > 1 else a if b & 1 else a * a if b else 1)


def _fixp_root(transaction: Transaction) -> None:
    a = transaction.pop()
    if a < 0:
        transaction.reflect()
    else:
        root = square_root(a)
        transaction.push(root + (a - root * root > root))


def _fixp_pi(transaction: Transaction) -> None:
    try:
        transaction.push(int(transaction.pop() * math.pi))
    except OverflowError:
        transaction.reflect()


def _fixp_random(transaction: Transaction) -> None:
    n = transaction.pop()
    drawn = transaction.core.draw_random() % abs(n) if n else 0
    transaction.push(drawn if n > 0 else -drawn)


FIXP: dict[str, Semantics] = {
    "A": BOOL["A"],
    "O": BOOL["O"],
    "X": BOOL["X"],
    "B": _fixed_point_function(lambda a: math.degrees(math.acos(a))),
    "J": _fixed_point_function(lambda a: math.degrees(math.asin(a))),
    "U": _fixed_point_function(lambda a: math.degrees(math.atan(a))),
    "C": _fixed_point_function(lambda a: math.cos(math.radians(a))),
    "I": _fixed_point_function(lambda a: math.sin(math.radians(a))),
    "T": _fixed_point_function(lambda a: math.tan(math.radians(a))),
    "D": _fixp_random,
    "N": unary(lambda a: -a),
    "P": _fixp_pi,
    "Q": _fixp_root,
    "R": _fixp_power,
    "S": unary(lambda a: (a > 0) - (a < 0)),
    "V": unary(abs),
}


# CPLI: complex numbers, with the real part below the imaginary part.


def _complex(compute: Callable[[int, int, int, int], tuple[int, int]]) -> Semantics:
    def run(transaction: Transaction) -> None:
        b, a = transaction.pop_vector(), transaction.pop_vector()
        if max([part.bit_length() for part in (*a, *b)]) > MAX_BITS // 4:
            raise StepRefused(MEMORY_FULL)
        transaction.push_vector(*compute(*a, *b))

    return run


def _complex_quotient(ar: int, ai: int, br: int, bi: int) -> tuple[int, int]:
    norm = br * br + bi * bi
    return quotient(ar * br + ai * bi, norm), quotient(ai * br - ar * bi, norm)


def _complex_print(transaction: Transaction) -> None:
    real, imaginary = transaction.pop_vector()
    sign = b"+" if imaginary > 0 else b""
    transaction.print(decimal(real) + sign + decimal(imaginary) + b"i ")


def _complex_absolute(transaction: Transaction) -> None:
    real, imaginary = transaction.pop_vector()
    if max(real.bit_length(), imaginary.bit_length()) > MAX_BITS // 4:
        raise StepRefused(MEMORY_FULL)
    transaction.push(square_root(real * real + imaginary * imaginary))


CPLI: dict[str, Semantics] = {
    "A": _complex(lambda ar, ai, br, bi: (ar + br, ai + bi)),
    "S": _complex(lambda ar, ai, br, bi: (ar - br, ai - bi)),
    "M": _complex(lambda ar, ai, br, bi: (ar * br - ai * bi, ar * bi + ai * br)),
    "D": _complex(_complex_quotient),
    "O": _complex_print,
    "V": _complex_absolute,
}
