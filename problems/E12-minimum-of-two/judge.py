"""E12 Minimum Of Two: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    return str(min(map(int, text.split())))


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
    yield "largest", shuffled(rng, -9999, 9999)


def shuffled(rng, *numbers: int) -> str:
    return " ".join(map(str, rng.shuffle(numbers)))
