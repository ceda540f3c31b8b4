"""What computes, and comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracles.befunge_98.ip import IP, Refused
from oracles.befunge_98.semantics import binary, int_div, unary

if TYPE_CHECKING:
    from oracles.befunge_98.oracle import Oracle


def divided(o: Oracle, ip: IP) -> tuple[int, int]:
    b, a = ip.pop(), ip.pop()
    if b == 0 and o.options.get("by-zero") == "fault":
        raise Refused("faulted", "zero_division")
    return a, b


def divide(o: Oracle, ip: IP) -> None:
    ip.push(o.fit(int_div(*divided(o, ip))))


def remainder(o: Oracle, ip: IP) -> None:
    a, b = divided(o, ip)
    if b and o.options.get("modulo") == "floor":
        ip.push(a % b)
    else:
        ip.push(a - b * int_div(a, b) if b else 0)


ARITHMETIC = {
    "+": binary(lambda a, b: a + b), "-": binary(lambda a, b: a - b),
    "*": binary(lambda a, b: a * b), "/": divide, "%": remainder,
    "!": unary(lambda a: a == 0), "`": binary(lambda a, b: a > b),
}  # fmt: skip
