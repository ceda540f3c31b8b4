"""H08 Digit Frequency: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

DIGITS = "0123456789"


def solve(text: str) -> str:
    return " ".join(str(text.count(digit)) for digit in DIGITS)


def cases(rng):
    yield "empty", ""
    yield "zeros", "0" * rng.integer(1, 8) + rng.text("123456789", 1, 1) + rng.text(DIGITS, 0, 20)
    yield "ends", "".join(rng.shuffle("0" * rng.integer(1, 30) + "9" * rng.integer(1, 30)))
    yield "missing", rng.text(rng.sample(DIGITS, rng.integer(2, 9)), 5, 40)
    count = rng.integer(1, 10) * 10
    digit, *others = rng.shuffle(DIGITS)
    others = rng.text(others, 0, min(9, 100 - count))
    yield "repeated", "".join(rng.shuffle(digit * count + others))
    yield "longest", "".join(rng.shuffle(DIGITS + rng.text(DIGITS, 85, 90)))
