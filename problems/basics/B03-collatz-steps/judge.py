"""B03 Collatz Steps: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LONG = [27, 31, 41, 47, 54, 55]


def solve(text: str) -> str:
    number, steps = int(text), 0
    while number != 1:
        number = 3 * number + 1 if number % 2 else number // 2
        steps += 1
    return str(steps)


def cases(rng):
    yield "one", "1"
    yield "power", str(2 ** rng.integer(1, 5))
    yield "even", str(2 * rng.choice([3, 5, 6, 7, 9, 10, 11, 13, 14, 17, 19, 21, 23, 25, 29]))
    yield "odd", str(2 * rng.integer(1, 12) + 1)
    yield "odd", str(2 * rng.integer(21, 22) + 1)
    yield "long", str(rng.choice(LONG))
