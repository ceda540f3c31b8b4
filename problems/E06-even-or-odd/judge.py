"""E06 Even Or Odd: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    return "odd" if int(text) % 2 else "even"


def cases(rng):
    yield "zero", "0"
    yield "single", str(rng.integer(1, 9))
    yield "negative-odd", str(-(2 * rng.integer(0, 5000) + 1))
    yield "negative-even", str(-2 * rng.integer(1, 5000))
    others, last = rng.shuffle(["13579", "2468"])
    yield "misleading", rng.choice(["", "-"]) + rng.text(others, 3, 8) + rng.text(last, 1, 1)
    yield "long", rng.choice(["", "-"]) + str(2 * rng.integer(5 * 10**15, 5 * 10**17 - 1) + 1)
