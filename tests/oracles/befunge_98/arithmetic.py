"""Arithmetic instructions and comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from oracles.befunge_98.ip import IP, Refused
from oracles.befunge_98.semantics import Semantics, int_div, unary
from oracles.work import work_of

if TYPE_CHECKING:
    from oracles.befunge_98.oracle import Oracle


def divided(o: Oracle, ip: IP) -> tuple[int, int]:
    b, a = ip.pop(), ip.pop()
    if b == 0 and o.options.get("by-zero") == "fault":
        raise Refused("faulted", "zero_division")
    if b:
        o.spend(work_of("/", a, b))
    return a, b


def working(kind: str, compute: Callable[[int, int], int]) -> Semantics:
    def run(o: Oracle, ip: IP) -> None:
        b, a = ip.pop(), ip.pop()
        o.spend(work_of(kind, a, b))
        ip.push(o.fit(int(compute(a, b))))

    return run


def divide(o: Oracle, ip: IP) -> None:
    ip.push(o.fit(int_div(*divided(o, ip))))


def remainder(o: Oracle, ip: IP) -> None:
    a, b = divided(o, ip)
    if b and o.options.get("modulo") == "floor":
        ip.push(a % b)
    else:
        ip.push(a - b * int_div(a, b) if b else 0)


ARITHMETIC = {
    "+": working("+", lambda a, b: a + b), "-": working("+", lambda a, b: a - b),
    "*": working("*", lambda a, b: a * b), "/": divide, "%": remainder,
    "!": unary(lambda a: a == 0), "`": working("+", lambda a, b: a > b),
}  # fmt: skip
