"""H09 General Caesar Cipher: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def solve(text: str) -> str:
    number, letters = text.split("\n")
    return "".join(chr(97 + (ord(letter) - 97 + int(number)) % 26) for letter in letters)


def cases(rng):
    shift = rng.integer(1, 24)  # not 13, by which both directions are the same
    yield "negative", lines(-shift - (shift > 12), with_letters(rng, "a"))
    yield "wrap", lines(rng.integer(1, 25), with_letters(rng, "z"))
    turns = rng.choice([number for number in range(1, 39) if number != 25])
    yield "turns", lines(26 * turns * rng.choice([1, -1]), with_letters(rng, ""))
    yield "far", lines(rng.integer(256, 999), with_letters(rng, ""))
    shift = rng.integer(2, 37) * 26 + rng.integer(1, 25)
    yield "far-negative", lines(-shift, with_letters(rng, "a"))
    letters = "".join(rng.shuffle(LETTERS + rng.text(LETTERS, 64, 74)))
    yield "longest", lines(rng.integer(-999, 999), letters)


def with_letters(rng, needed: str) -> str:
    return "".join(rng.shuffle(needed + rng.text(LETTERS, 1, 25)))


def lines(shift: int, letters: str) -> str:
    return f"{shift}\n{letters}"
