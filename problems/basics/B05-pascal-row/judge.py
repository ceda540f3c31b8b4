"""B05 Row of Pascal's Triangle: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

from math import comb


def solve(text: str) -> str:
    return " ".join(str(comb(int(text), place)) for place in range(int(text) + 1))


def cases(rng):
    yield "zero", "0"
    yield "one", "1"
    yield "small", str(rng.integer(2, 4))
    yield "wide", str(rng.integer(5, 6))
    yield "wide", str(rng.integer(7, 8))
    yield "last", "9"
