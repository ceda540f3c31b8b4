"""E10 Sum From 1 To N: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    n = int(text)
    return str(n * (n + 1) // 2)


def cases(rng):
    yield "zero", "0"
    yield "one", str(rng.integer(1, 2))
    yield "digit", str(rng.integer(4, 9))
    yield "two-digits", str(rng.integer(10, 99))
    yield "round", str(100 * rng.integer(1, 9))
    yield "largest", str(rng.integer(970, 1000))
