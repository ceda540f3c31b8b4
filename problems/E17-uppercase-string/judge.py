"""E17 Uppercase String: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LOWER = "abcdefghijklmnopqrstuvwxyz"
SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~0123456789 "
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return text.upper()


def cases(rng):
    yield "empty", ""
    yield "lower", rng.text(LOWER, 5, 26)
    yield "mixed", " ".join(word(rng) for _ in range(4))
    yield "neighbours", "".join(rng.shuffle("@AZ[`az{@AZ[`az{"))
    yield "no-letters", "".join(rng.shuffle(rng.choice("0123456789") + rng.text(SIGNS, 10, 30)))
    yield "long", rng.text(PRINTABLE, 90, 100)


def word(rng) -> str:
    """Return a word that begins with a capital and a small letter."""
    first, second = rng.choice(LOWER.upper()), rng.choice(LOWER)
    return first + second + rng.text(LOWER + LOWER.upper(), 0, 6)
