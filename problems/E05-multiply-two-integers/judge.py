"""E05 Multiply Two Integers: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    a, b = map(int, text.split())
    return str(a * b)


def cases(rng):
    yield "small", pair(rng.integer(2, 9), rng.integer(3, 9))
    yield "zero", pair(*rng.shuffle([0, -rng.integer(1, 999)]))
    other = rng.integer(2, 999) * rng.choice([1, -1])
    yield "one", pair(*rng.shuffle([rng.choice([1, -1]), other]))
    yield "mixed", pair(*rng.shuffle([rng.integer(2, 999), -rng.integer(2, 999)]))
    yield "negative", pair(-rng.integer(2, 400), -rng.integer(2, 400))
    yield (
        "largest",
        pair(
            rng.integer(990, 999) * rng.choice([1, -1]), rng.integer(990, 999) * rng.choice([1, -1])
        ),
    )


def pair(a: int, b: int) -> str:
    return f"{a} {b}"
