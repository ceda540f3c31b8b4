"""E02 Echo Line: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return text


def cases(rng):
    yield "empty", ""
    yield "single", rng.text(PRINTABLE, 1, 1)
    gap = "  " * rng.integer(1, 3)
    yield "spaces", gap + rng.text(LETTERS, 2, 8) + gap + rng.text(LETTERS, 2, 8) + gap
    yield "punctuation", rng.text(PUNCTUATION, 20, 40)
    yield "words", " ".join(rng.text(LETTERS, 1, 9) for _ in range(rng.integer(3, 7)))
    yield "long", rng.text(PRINTABLE, 180, 200)
