"""E20 Compare Two Integers: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    a, b = map(int, text.split())
    return "less" if a < b else "greater" if a > b else "equal"


def cases(rng):
    number = rng.integer(-9999, 9999)
    yield "equal", f"{number} {number}"
    number = rng.integer(-9999, 9998)
    yield "close", shuffled(rng, number, number + 1)
    yield (
        "lengths",
        shuffled(rng, rng.integer(2, 9), rng.integer(10, 19) * rng.choice([1, 10, 100])),
    )
    yield "negative", shuffled(rng, -rng.integer(1, 99), -rng.integer(100, 9999))
    yield "mixed", shuffled(rng, -rng.integer(1, 9999), rng.integer(0, 9999))
    number = rng.integer(1, 9999)
    yield "mirror", shuffled(rng, number, -number)


def shuffled(rng, *numbers: int) -> str:
    return " ".join(map(str, rng.shuffle(numbers)))
