"""Functions that make instructions, which are functions of interpreter and pointer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle

Semantics = Callable[["Oracle", "IP"], None]


def constant(value: int) -> Semantics:
    return lambda o, ip: ip.push(value)


def unary(compute: Callable[[int], int]) -> Semantics:
    return lambda o, ip: ip.push(o.fit(int(compute(ip.pop()))))


def binary(compute: Callable[[int, int], int]) -> Semantics:
    def run(o: Oracle, ip: IP) -> None:
        b, a = ip.pop(), ip.pop()
        ip.push(o.fit(int(compute(a, b))))

    return run


def truncated(a: int, b: int) -> int:
    """Return the remainder with the sign of ``a``; 0 if ``b`` is 0."""
    return a - b * int_div(a, b) if b else 0


def int_div(a: int, b: int) -> int:
    if b == 0:
        return 0
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


BOOL = {
    "A": binary(lambda a, b: a & b), "N": unary(lambda a: ~a),
    "O": binary(lambda a, b: a | b), "X": binary(lambda a, b: a ^ b),
}  # fmt: skip
