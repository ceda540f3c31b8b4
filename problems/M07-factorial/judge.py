"""M07 Factorial: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

from math import factorial


def solve(text: str) -> str:
    return str(factorial(int(text)))


def cases(rng):
    yield "zero", "0"
    yield "one", rng.choice("12")
    yield "small", rng.choice("45")
    yield "over-255", rng.choice("67")
    yield "over-32767", rng.choice("89")
    yield "largest", "10"
