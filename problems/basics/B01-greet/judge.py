"""B01 Greet: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def solve(text: str) -> str:
    return f"Hi, {text or 'you'}!"


def cases(rng):
    yield "none", ""
    yield "short", rng.text(LETTERS, 1, 1)
    yield "long", rng.text(LETTERS, 20, 20)
    for _ in range(3):
        yield "usual", rng.text(LETTERS, 2, 19)
