"""The instructions of FIXP, with angles and ratios in ten-thousandths, and of CPLI."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from oracles.befunge_98.semantics import BOOL, Semantics, int_div, unary
from oracles.work import squared

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle


def rounded(value: float) -> int:
    """Round to the nearest integer, halves away from zero."""
    return math.floor(abs(value) + 0.5) * (1 if value >= 0 else -1)


def measured(function: Callable[[float], float]) -> Semantics:
    """Make an instruction that reflects if its result is undefined or beyond floating point."""

    def run(o: Oracle, ip: IP) -> None:
        a = ip.pop()
        try:
            ip.push(o.fit(rounded(function(a / 10000) * 10000)))
        except (OverflowError, ValueError):
            ip.reflect()

    return run


def fixp_power(o: Oracle, ip: IP) -> None:
    b, a = ip.pop(), ip.pop()
    if abs(a) < 2:
        ip.push(1 if b == 0 else a if b % 2 else abs(a))
    elif b < 0:
        ip.push(0)
    elif o.bits:
        ip.push(o.fit(pow(a, b, 1 << 64)))
    else:
        o.afford(b)
        o.spend(squared(a.bit_length() * b // 64))
        ip.push(a**b)


def fixp_root(o: Oracle, ip: IP) -> None:
    a = ip.pop()
    if a < 0:
        ip.reflect()
    else:
        root = math.isqrt(a)
        ip.push(root + (a - root * root > root))


def fixp_pi(o: Oracle, ip: IP) -> None:
    try:
        ip.push(o.fit(int(ip.pop() * math.pi)))
    except OverflowError:
        ip.reflect()


def fixp_random(o: Oracle, ip: IP) -> None:
    n = ip.pop()
    drawn = o.draw() % abs(n) if n else 0
    ip.push(drawn if n > 0 else -drawn)


FIXP = {
    "A": BOOL["A"], "O": BOOL["O"], "X": BOOL["X"],
    "B": measured(lambda a: math.degrees(math.acos(a))),
    "J": measured(lambda a: math.degrees(math.asin(a))),
    "U": measured(lambda a: math.degrees(math.atan(a))),
    "C": measured(lambda a: math.cos(math.radians(a))),
    "I": measured(lambda a: math.sin(math.radians(a))),
    "T": measured(lambda a: math.tan(math.radians(a))),
    "D": fixp_random, "N": unary(lambda a: -a), "P": fixp_pi,
    "Q": fixp_root, "R": fixp_power, "S": unary(lambda a: (a > 0) - (a < 0)), "V": unary(abs),
}  # fmt: skip


# CPLI


def complex_pair(compute: Callable[[int, int, int, int], tuple[int, int]]) -> Semantics:
    def run(o: Oracle, ip: IP) -> None:
        bi, br, ai, ar = ip.pop(), ip.pop(), ip.pop(), ip.pop()
        for part in compute(ar, ai, br, bi):
            ip.push(o.fit(part))

    return run


def complex_quotient(ar: int, ai: int, br: int, bi: int) -> tuple[int, int]:
    norm = br * br + bi * bi
    return int_div(ar * br + ai * bi, norm), int_div(ai * br - ar * bi, norm)


def complex_print(o: Oracle, ip: IP) -> None:
    i, r = ip.pop(), ip.pop()
    o.emit(f"{r}{'+' if i > 0 else ''}{i}i ".encode())


def complex_absolute(o: Oracle, ip: IP) -> None:
    i, r = ip.pop(), ip.pop()
    ip.push(o.fit(math.isqrt(r * r + i * i)))


CPLI = {
    "A": complex_pair(lambda ar, ai, br, bi: (ar + br, ai + bi)),
    "S": complex_pair(lambda ar, ai, br, bi: (ar - br, ai - bi)),
    "M": complex_pair(lambda ar, ai, br, bi: (ar * br - ai * bi, ar * bi + ai * br)),
    "D": complex_pair(complex_quotient),
    "O": complex_print,
    "V": complex_absolute,
}
