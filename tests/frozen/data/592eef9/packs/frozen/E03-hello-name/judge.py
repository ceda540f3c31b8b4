"""E03 Hello Name: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LOWER = "abcdefghijklmnopqrstuvwxyz"
PUNCTUATION = "!,.!,.'-?\"&"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return f"Hello, {text}!"


def cases(rng):
    yield "empty", ""
    yield "single", rng.text(PRINTABLE, 1, 1)
    yield "name", name(rng)
    yield "full-name", " ".join(name(rng) for _ in range(rng.integer(2, 4)))
    yield "punctuation", rng.text(PUNCTUATION, 2, 4) + name(rng) + rng.text(PUNCTUATION, 2, 4)
    yield "long", rng.text(PRINTABLE, 50, 60)


def name(rng) -> str:
    return rng.text(LOWER, 2, 9).capitalize()
