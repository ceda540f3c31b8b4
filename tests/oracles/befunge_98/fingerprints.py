"""The instructions of NULL, MODU, ROMA, ORTH and REFC."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracles.befunge_98.semantics import BOOL, binary, constant, truncated
from oracles.befunge_98.strings import print_string

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle


MODU = {
    "M": binary(lambda a, b: a % b if b else 0),
    "R": binary(truncated),
    "U": binary(lambda a, b: abs(truncated(a, b))),
}
ROMA = {
    letter: constant(value)
    for letter, value in zip("IVXLCDM", (1, 5, 10, 50, 100, 500, 1000), strict=True)
}
NULL = {chr(letter): (lambda o, ip: ip.reflect()) for letter in range(ord("A"), ord("Z") + 1)}


# ORTH


def orth_x(o: Oracle, ip: IP) -> None:
    ip.at = ip.pop(), ip.at[1]


def orth_y(o: Oracle, ip: IP) -> None:
    ip.at = ip.at[0], ip.pop()


def orth_v(o: Oracle, ip: IP) -> None:
    ip.delta = ip.pop(), ip.delta[1]


def orth_w(o: Oracle, ip: IP) -> None:
    ip.delta = ip.delta[0], ip.pop()


def orth_get(o: Oracle, ip: IP) -> None:
    y, x = ip.vector()
    o.near(x, y)
    ip.push(o.space.get((x, y)))


def orth_put(o: Oracle, ip: IP) -> None:
    y, x = ip.vector()
    o.write((x, y), ip.pop())


def orth_ramp(o: Oracle, ip: IP) -> None:
    if ip.pop() == 0:
        o.jump(ip, 1)


ORTH = {
    "A": BOOL["A"], "O": BOOL["O"], "E": BOOL["X"],
    "X": orth_x, "Y": orth_y, "V": orth_v, "W": orth_w,
    "G": orth_get, "P": orth_put, "Z": orth_ramp, "S": print_string,
}  # fmt: skip


# REFC


def refc_reference(o: Oracle, ip: IP) -> None:
    points = (*o.states.get("REFC", ()), ip.vector())
    o.states["REFC"] = points
    ip.push(len(points))


def refc_dereference(o: Oracle, ip: IP) -> None:
    number = ip.pop()
    points = o.states.get("REFC", ())
    if 1 <= number <= len(points):
        ip.push(points[number - 1][0])
        ip.push(points[number - 1][1])
    else:
        ip.reflect()


REFC = {"R": refc_reference, "D": refc_dereference}
