"""E18 Count Spaces: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def solve(text: str) -> str:
    return str(text.count(" "))


def cases(rng):
    yield "empty", ""
    yield "none", "".join(rng.shuffle("!" + rng.text(LETTERS + '!!!"@`', 10, 40)))
    yield "only", " " * rng.choice([1, 2, 9, 10, 11, 20])
    yield "ends", "  " + "  ".join(words(rng)) + " "
    yield "words", " ".join(words(rng))
    yield "many", "".join(rng.shuffle(" " * rng.integer(256, 280) + rng.text(LETTERS, 5, 20)))


def words(rng) -> list[str]:
    return [rng.text(LETTERS, 1, 7) for _ in range(rng.integer(3, 9))]
