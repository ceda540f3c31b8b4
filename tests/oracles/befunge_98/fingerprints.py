"""What A to Z do under each fingerprint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracles.befunge_98.copies import FRTH, INDV, JSTR
from oracles.befunge_98.floats import FPDP, FPSP
from oracles.befunge_98.formats import FPRT
from oracles.befunge_98.integers import BASE, LONG
from oracles.befunge_98.numbers import CPLI, FIXP
from oracles.befunge_98.semantics import BOOL, Semantics, binary, constant, truncated
from oracles.befunge_98.strings import STRN, print_string
from oracles.befunge_98.toys import TOYS
from oracles.befunge_98.vectors import THREE_D_SP

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
    o.references.append(ip.vector())
    ip.push(len(o.references))


def refc_dereference(o: Oracle, ip: IP) -> None:
    number = ip.pop()
    if 1 <= number <= len(o.references):
        ip.push(o.references[number - 1][0])
        ip.push(o.references[number - 1][1])
    else:
        ip.reflect()


REFC = {"R": refc_reference, "D": refc_dereference}

FINGERPRINTS: dict[int, dict[str, Semantics]] = {
    int.from_bytes(name.encode()): semantics
    for name, semantics in {
        "NULL": NULL, "BOOL": BOOL, "MODU": MODU, "ROMA": ROMA, "ORTH": ORTH, "TOYS": TOYS,
        "REFC": REFC, "FIXP": FIXP, "STRN": STRN, "CPLI": CPLI,
        "3DSP": THREE_D_SP, "BASE": BASE, "FPDP": FPDP, "FPRT": FPRT, "FPSP": FPSP,
        "FRTH": FRTH, "INDV": INDV, "JSTR": JSTR, "LONG": LONG,
    }.items()
}  # fmt: skip
