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
    yield "mixed", " ".join(rng.text(LOWER + LOWER.upper(), 2, 8) for _ in range(4))
    yield "neighbours", "".join(rng.shuffle("@AZ[`az{@AZ[`az{"))
    yield "no-letters", rng.text(SIGNS, 10, 30)
    yield "long", rng.text(PRINTABLE, 90, 100)
