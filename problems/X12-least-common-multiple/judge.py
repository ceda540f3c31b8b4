"""X12 Least Common Multiple: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

import math


def solve(text: str) -> str:
    return str(math.lcm(*map(int, text.split())))


def cases(rng):
    number = rng.integer(2, 5000)
    yield "equal", f"{number} {number}"
    yield "one", pair(rng, 1, rng.integer(2, 5000))
    divisor = rng.integer(2, 500)
    yield "divides", pair(rng, divisor, divisor * rng.integer(2, 5000 // divisor))
    yield "coprime", pair(rng, *coprime(rng, 40, 5000))
    a, b = coprime(rng, 4, 50)
    divisor = rng.integer(2, 100)
    yield "shared", pair(rng, a * divisor, b * divisor)
    a, b = coprime(rng, 1600, 2500)
    divisor = 5000 // max(a, b)
    yield "largest", pair(rng, a * divisor, b * divisor)


def pair(rng, a: int, b: int) -> str:
    return " ".join(map(str, rng.shuffle([a, b])))


def coprime(rng, least: int, greatest: int) -> tuple[int, int]:
    """Return two different, coprime numbers in the interval."""
    while True:
        a, b = rng.integer(least, greatest), rng.integer(least, greatest)
        if a != b and math.gcd(a, b) == 1:
            return a, b
