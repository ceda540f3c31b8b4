"""E04 Sum Two Integers: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    return str(sum(map(int, text.split())))


def cases(rng):
    yield "small", pair(rng.integer(0, 40), rng.integer(0, 99))
    nines = rng.choice([99, 199, 999, 1999, 4999, 8999])
    yield "carry", pair(*rng.shuffle([nines, rng.integer(1, 9)]))
    yield "negative", pair(-rng.integer(1, 5000), -rng.integer(1, 5000))
    yield "mixed", pair(*rng.shuffle([rng.integer(1, 9999), -rng.integer(1, 9999)]))
    number = rng.integer(0, 9999) * rng.choice([1, -1])
    yield "opposite", pair(number, -number)
    sign = rng.choice([1, -1])
    yield "largest", pair(sign * rng.integer(9990, 9999), sign * 9999)


def pair(a: int, b: int) -> str:
    return f"{a} {b}"
