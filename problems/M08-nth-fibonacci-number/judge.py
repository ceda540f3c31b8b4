"""M08 Nth Fibonacci Number: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    a, b = 0, 1
    for _ in range(int(text)):
        a, b = b, a + b
    return str(a)


def cases(rng):
    yield "first", "1"
    yield "second", "2"
    yield "small", str(rng.integer(4, 13))
    yield "over-255", str(rng.integer(14, 24))
    yield "over-65535", str(rng.integer(25, 35))
    yield "largest", str(rng.integer(36, 37))
