"""X17 Roman To Integer: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
UNITS = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
PLACES = ["M", "CDM", "XLC", "IVX"]


def solve(text: str) -> str:
    values = [VALUES[letter] for letter in text]
    following = [*values[1:], 0]
    return str(sum(-a if a < b else a for a, b in zip(values, following, strict=True)))


def cases(rng):
    yield "single", rng.choice("IVXLCDM")
    hundreds, tens = (rng.choice([0, 1, 2, 3, 5, 6, 7, 8]) for _ in range(2))
    yield "additive", roman([rng.integer(0, 3), hundreds, tens, rng.choice([2, 3, 7, 8])])
    yield "fours", roman([rng.integer(0, 3), *some(rng, 4)])
    yield "nines", roman([rng.integer(0, 3), *some(rng, 9)])
    yield "longest", roman([rng.integer(1, 3), rng.choice([7, 8]), 8, rng.choice([2, 3, 7, 8])])
    yield "largest", roman([3, 9, rng.integer(5, 9), rng.integer(0, 9)])


def some(rng, digit: int) -> list[int]:
    """Return hundreds, tens and units, each ``digit`` or 0, but not all 0."""
    places = rng.integer(1, 7)
    return [digit * (places >> at & 1) for at in range(3)]


def roman(digits: list[int]) -> str:
    parts = []
    for digit, letters in zip(digits, PLACES, strict=True):
        parts.append(UNITS[digit].translate(dict(zip(map(ord, "IVX"), letters, strict=False))))
    return "".join(parts)
