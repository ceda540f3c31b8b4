"""H18 Divisible By 3: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

DIGITS = "0123456789"


def solve(text: str) -> str:
    return "no" if int(text) % 3 else "yes"


def cases(rng):
    yield "zero", "0" * rng.integer(1, 100)
    yield "last-digit", with_remainder(rng, rng.integer(1, 2), DIGITS, DIGITS) + rng.choice("369")
    yield "scattered", with_remainder(rng, 0, "124578", "124578")
    yield "not-nine", with_remainder(rng, rng.choice([3, 6]), DIGITS, DIGITS, modulus=9)
    yield "remainder-two", with_remainder(rng, 2, DIGITS, DIGITS)
    yield "long", with_remainder(rng, 0, "56789", "56789", 60, 79)


def with_remainder(
    rng,
    remainder: int,
    last: str,
    digits: str,
    least: int = 2,
    greatest: int = 40,
    modulus: int = 3,
) -> str:
    """Return a number of ``digits`` and a ``last`` digit that has this remainder."""
    text = rng.text(digits, least, greatest)
    while not (ends := [digit for digit in last if int(text + digit) % modulus == remainder]):
        text += rng.choice(digits)
    return text + rng.choice(ends)
