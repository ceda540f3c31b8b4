"""H05 Big Integer Addition: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    return str(sum(map(int, text.split("\n"))))


def cases(rng):
    yield "zero", "0\n0"
    yield "lengths", lines(rng, number(rng, "0123456789", 20, 29, "5"), rng.text("123456789", 1, 1))
    left, right = rng.integer(3, 12), rng.integer(1, 12)
    a = number(rng, "12", left, left, "7") + rng.text("1234", right, right)
    yield "carry", lines(rng, a, number(rng, "123", left, left, "8") + "1" * right)
    yield "chain", lines(rng, "9" * rng.integer(5, 30), str(rng.integer(1, 9)))
    right = rng.integer(3, 9)
    a = str(rng.integer(1, 8)) + "9" * rng.integer(3, 9) + rng.text("01234", right, right)
    yield "zeros", lines(rng, a, "1" + rng.text("01234", right, right))
    a = "9" + rng.text("0123456789", 28, 28) + "5"
    yield "longest", lines(rng, a, number(rng, "6789", 29, 29, "8"))


def number(rng, digits: str, least: int, greatest: int, last: str) -> str:
    """Return a number of ``digits``, without a leading zero, and a last digit."""
    return rng.text(digits.lstrip("0"), 1, 1) + rng.text(digits, least - 1, greatest - 1) + last


def lines(rng, a: str, b: str) -> str:
    return "\n".join(rng.shuffle([a, b]))
