"""E13 Maximum Of Three: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    return str(max(map(int, text.split())))


def cases(rng):
    top = rng.integer(10, 9999)
    low, lower = rng.integer(-9999, top - 1), rng.integer(2, 9)
    yield "first", spaced(top, *rng.shuffle([low, lower]))
    yield "middle", spaced(low, top, lower)
    yield "last", spaced(*rng.shuffle([low, lower]), top)
    yield "negative", spaced(*(-rng.integer(1, 10 ** rng.integer(1, 4) - 1) for _ in range(3)))
    tied = rng.integer(-9990, 9999)
    yield "tie", spaced(*rng.shuffle([tied, tied, tied - rng.integer(0, 9)]))
    yield "extremes", spaced(*rng.shuffle([-9999, rng.integer(-9999, 9998), 9999]))


def spaced(*numbers: int) -> str:
    return " ".join(map(str, numbers))
