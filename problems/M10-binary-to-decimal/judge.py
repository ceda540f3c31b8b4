"""M10 Binary To Decimal: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    return str(int(text, 2))


def cases(rng):
    yield "single", rng.choice("01")
    yield "zeros", "0" * rng.integer(2, 24)
    yield "leading", "0" * rng.integer(1, 8) + "1" + rng.text("01", 2, 14) + "1"
    yield "power", "1" + "0" * rng.integer(8, 23)
    yield "ones", "1" * rng.integer(9, 24)
    yield "largest", "1" + rng.text("01", 22, 22) + rng.choice("01")
