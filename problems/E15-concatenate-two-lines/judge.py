"""E15 Concatenate Two Lines: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~0123456789"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return text.replace("\n", " ")


def cases(rng):
    yield "first-empty", "\n" + rng.text(PRINTABLE, 1, 20)
    yield "single", rng.text(PRINTABLE, 1, 1) + "\n" + rng.text(PRINTABLE, 1, 1)
    yield "words", words(rng) + "\n" + words(rng)
    yield "spaces", f"  {words(rng)} \n {words(rng)}  "
    yield "punctuation", rng.text(SIGNS, 5, 20) + "\n" + rng.text(SIGNS, 5, 20)
    yield "long", rng.text(PRINTABLE, 50, 60) + "\n" + rng.text(PRINTABLE, 50, 60)


def words(rng) -> str:
    return " ".join(rng.text(LETTERS, 1, 8) for _ in range(rng.integer(1, 4)))
