"""The instructions of FPSP and FPDP, and functions shared with 3DSP and FPRT."""

from __future__ import annotations

import math
import re
import sys
from array import array
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from oracles.befunge_98.semantics import Semantics

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle

NUMBER = re.compile(
    r"[ \t\n\v\f\r]*(?P<sign>[-+]?)"
    r"(?:(?P<inf>inf)|(?P<nan>nan)"
    r"|(?P<hex>0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[-+]?[0-9]+)?)"
    r"|(?P<decimal>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?))",
    re.IGNORECASE,
)


def float_of(cell: int) -> float:
    """Return the single-precision number with these 32 bits."""
    return array("f", (cell % 2**32).to_bytes(4, sys.byteorder))[0]


def bits_of(value: float) -> int:
    """Return the bits of the nearest single as a signed number; all NaNs have the same bits."""
    if math.isnan(value):
        return 0x7FC00000
    try:
        single = array("f", [value])
    except OverflowError:  # newer Pythons raise an error where C returns infinity
        single = array("f", [math.copysign(math.inf, value)])
    return int.from_bytes(single.tobytes(), sys.byteorder, signed=True)


def pop_float(ip: IP) -> float:
    return float_of(ip.pop())


def push_float(ip: IP, value: float) -> None:
    ip.push(bits_of(value))


def pop_double(ip: IP) -> float:
    low, high = ip.pop() % 2**32, ip.pop() % 2**32
    return array("d", (high * 2**32 + low).to_bytes(8, sys.byteorder))[0]


def push_double(ip: IP, value: float) -> None:
    if math.isnan(value):
        ip.push(0x7FF80000)
        ip.push(0)
        return
    bits = int.from_bytes(array("d", [value]).tobytes(), sys.byteorder)
    for half in (bits // 2**32, bits % 2**32):
        ip.push(half if half < 2**31 else half - 2**32)


def nearest_single(number: int) -> float:
    """Return the nearest single, found by exact comparison near the nearest double."""
    if abs(number) >= 2**129:
        return math.copysign(math.inf, number)
    bits = bits_of(float(number))
    candidates = [(float_of(near), near) for near in (bits - 1, bits, bits + 1)]
    finite = [pair for pair in candidates if math.isfinite(pair[0])]
    if len(finite) < 3 and abs(number) >= 2**128 - 2**103:
        return math.copysign(math.inf, number)
    return min(finite, key=lambda pair: (abs(Fraction(pair[0]) - number), pair[1] & 1))[0]


def from_int(number: int) -> float:
    return math.copysign(math.inf, number) if abs(number) >= 2**1024 - 2**970 else float(number)


def divide(a: float, b: float) -> float:
    if b == 0:
        return math.nan if a == 0 or math.isnan(a) else a * math.copysign(math.inf, b)
    return a / b


def power(a: float, b: float) -> float:
    odd = math.isfinite(b) and b % 2 == 1
    if a == 0 and b < 0:
        return math.copysign(math.inf, a) if odd else math.inf
    if a < 0 and math.isfinite(a) and math.isfinite(b) and b % 1:
        return math.nan
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if a < 0 and odd else math.inf


def real(function: Callable[[float], float], low: float, high: float) -> Callable[[float], float]:
    """Return a function that is NaN outside a domain, and infinite on overflow."""

    def run(a: float) -> float:
        if not low <= a <= high:
            return math.nan
        try:
            return function(a)
        except OverflowError:
            return math.inf

    return run


INF = math.inf
FINITE = -sys.float_info.max, sys.float_info.max
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "B": real(math.sin, *FINITE), "C": real(math.cos, *FINITE), "T": real(math.tan, *FINITE),
    "E": real(math.asin, -1, 1), "H": real(math.acos, -1, 1), "G": real(math.atan, -INF, INF),
    "K": real(lambda a: math.log(a) if a else -INF, 0, INF),
    "L": real(lambda a: math.log10(a) if a else -INF, 0, INF),
    "Q": real(math.sqrt, 0, INF), "X": real(math.exp, -INF, INF),
    "N": lambda a: 0.0 - a if a else -a, "V": math.fabs,
}  # fmt: skip
OPERATORS: dict[str, Callable[[float, float], float]] = {
    "A": lambda a, b: a + b, "S": lambda a, b: a - b, "M": lambda a, b: a * b,
    "D": divide, "Y": power,
}  # fmt: skip


def parsed(cells: list[int]) -> float:
    found = NUMBER.match("".join(chr(c) if 0 < c < 128 else "?" for c in cells))
    if found is None:
        return 0.0
    sign = -1.0 if found["sign"] == "-" else 1.0
    if found["inf"] or found["nan"]:
        return sign * float(found["inf"] or found["nan"])
    if found["hex"]:
        try:
            return sign * float.fromhex(found["hex"])
        except OverflowError:
            return sign * INF
    return sign * float(found["decimal"])


def letters(
    pop: Callable[[IP], float],
    push: Callable[[IP, float], None],
    convert: Callable[[int], float],
) -> dict[str, Semantics]:
    def unary(compute: Callable[[float], float]) -> Semantics:
        return lambda o, ip: push(ip, compute(pop(ip)))

    def binary(compute: Callable[[float, float], float]) -> Semantics:
        def run(o: Oracle, ip: IP) -> None:
            b, a = pop(ip), pop(ip)
            push(ip, compute(a, b))

        return run

    def to_int(o: Oracle, ip: IP) -> None:
        value = pop(ip)
        if math.isfinite(value) and o.fit(math.trunc(value)) == math.trunc(value):
            ip.push(math.trunc(value))
        else:
            ip.reflect()

    return {
        **{letter: unary(function) for letter, function in FUNCTIONS.items()},
        **{letter: binary(operator) for letter, operator in OPERATORS.items()},
        "F": lambda o, ip: push(ip, convert(ip.pop())),
        "I": to_int,
        "P": lambda o, ip: o.emit(f"{pop(ip):f} ".encode()),
        "R": lambda o, ip: push(ip, parsed(ip.string())),
    }


FPSP = letters(pop_float, push_float, nearest_single)
FPDP = letters(pop_double, push_double, from_int)
