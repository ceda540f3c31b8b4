"""B07 Acronym: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def solve(text: str) -> str:
    return "".join(word[0] for word in text.split(" ")).upper()


def cases(rng):
    yield "one", rng.text(LETTERS, 2, 8)
    yield "letters", " ".join(rng.text(LETTERS, 1, 1) for _ in range(rng.integer(2, 5)))
    yield "many", " ".join(rng.text(LETTERS, 1, 8) for _ in range(6))
    for _ in range(3):
        yield "usual", " ".join(rng.text(LETTERS, 2, 8) for _ in range(rng.integer(2, 5)))
