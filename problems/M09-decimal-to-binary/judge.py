"""M09 Decimal To Binary: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    return f"{int(text):b}"


def cases(rng):
    yield "zero", "0"
    yield "small", str(rng.integer(1, 9))
    yield "power", str(2 ** rng.integer(4, 23))
    yield "ones", str(2 ** rng.integer(4, 24) - 1)
    yield "over-255", str(rng.integer(256, 65535))
    yield "largest", str(rng.integer(2**23, 2**24 - 1))
