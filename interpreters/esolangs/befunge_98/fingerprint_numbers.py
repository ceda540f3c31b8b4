"""FIXP and CPLI: fixed-point functions and complex numbers.

Source: the RC/Funge-98 documentation.
"""

from __future__ import annotations

import math

from esolangs.befunge_98.fingerprint_basics import BOOL, quotient, unary
from esolangs.befunge_98.transaction import StepRefused, Transaction
from esolangs.division import square_root
from esolangs.numbers import MOST_BITS, decimal
from esolangs.reasons import MEMORY_FULL
from esolangs.work import of_square

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]

# FIXP: angles in ten-thousandths of a degree, ratios in ten-thousandths.


def _round(value: float) -> int:
    """Round to the nearest integer, halves away from zero."""
    return math.floor(abs(value) + 0.5) * (1 if value >= 0 else -1)


def _reflect_on_error(compute: Callable[[float], float]) -> Semantics:
    """Reflect if the result is undefined or beyond floating point."""

    def run(step: Transaction) -> None:
        try:
            answer = _round(compute(step.pop() / 10000) * 10000)
        except (OverflowError, ValueError):
            step.reflect()
        else:
            step.push(answer)

    return run


def _fixp_power(step: Transaction) -> None:
    b, a = step.pop(), step.pop()
    if b < 0:
        step.push(a ** (-b & 1) if abs(a) == 1 else 0)
    elif not step.core.unbounded:
        step.push(pow(a, b, 1 << 64))
    elif abs(a) > 1 and a.bit_length() * b > MOST_BITS:
        raise StepRefused(MEMORY_FULL)
    else:
        step.charge_work(of_square(a.bit_length() * b >> 6) if abs(a) > 1 else 0)
        step.push(a**b if abs(a) > 1 else a if b & 1 else a * a if b else 1)


def _fixp_root(step: Transaction) -> None:
    a = step.pop()
    if a < 0:
        step.reflect()
    else:
        root = square_root(a)
        step.push(root + (a - root * root > root))


def _fixp_pi(step: Transaction) -> None:
    try:
        step.push(int(step.pop() * math.pi))
    except OverflowError:
        step.reflect()


def _fixp_random(step: Transaction) -> None:
    n = step.pop()
    drawn = step.core.draw() % abs(n) if n else 0
    step.push(drawn if n > 0 else -drawn)


FIXP: dict[str, Semantics] = {
    "A": BOOL["A"],
    "O": BOOL["O"],
    "X": BOOL["X"],
    "B": _reflect_on_error(lambda a: math.degrees(math.acos(a))),
    "J": _reflect_on_error(lambda a: math.degrees(math.asin(a))),
    "U": _reflect_on_error(lambda a: math.degrees(math.atan(a))),
    "C": _reflect_on_error(lambda a: math.cos(math.radians(a))),
    "I": _reflect_on_error(lambda a: math.sin(math.radians(a))),
    "T": _reflect_on_error(lambda a: math.tan(math.radians(a))),
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
    def run(step: Transaction) -> None:
        b, a = step.vector(), step.vector()
        if max([part.bit_length() for part in (*a, *b)]) > MOST_BITS // 4:
            raise StepRefused(MEMORY_FULL)
        step.push_vector(*compute(*a, *b))

    return run


def _complex_quotient(ar: int, ai: int, br: int, bi: int) -> tuple[int, int]:
    norm = br * br + bi * bi
    return quotient(ar * br + ai * bi, norm), quotient(ai * br - ar * bi, norm)


def _complex_print(step: Transaction) -> None:
    real, imaginary = step.vector()
    sign = b"+" if imaginary > 0 else b""
    step.print(decimal(real) + sign + decimal(imaginary) + b"i ")


def _complex_absolute(step: Transaction) -> None:
    real, imaginary = step.vector()
    if max(real.bit_length(), imaginary.bit_length()) > MOST_BITS // 4:
        raise StepRefused(MEMORY_FULL)
    step.push(square_root(real * real + imaginary * imaginary))


CPLI: dict[str, Semantics] = {
    "A": _complex(lambda ar, ai, br, bi: (ar + br, ai + bi)),
    "S": _complex(lambda ar, ai, br, bi: (ar - br, ai - bi)),
    "M": _complex(lambda ar, ai, br, bi: (ar * br - ai * bi, ar * bi + ai * br)),
    "D": _complex(_complex_quotient),
    "O": _complex_print,
    "V": _complex_absolute,
}
