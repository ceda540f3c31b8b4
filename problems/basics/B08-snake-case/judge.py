"""B08 Snake Case: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def solve(text: str) -> str:
    return "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in text)


def _word(rng, most=4):
    return rng.text(LETTERS, 1, 1).upper() + rng.text(LETTERS, 1, most)


def cases(rng):
    yield "plain", rng.text(LETTERS, 2, 20)
    yield "single", rng.text(LETTERS, 1, 1)
    yield "usual", rng.text(LETTERS, 1, 5) + _word(rng) + _word(rng)
    yield "usual", rng.text(LETTERS, 1, 5) + "".join(_word(rng, 3) for _ in range(3))
    yield (
        "capitals",
        rng.text(LETTERS, 1, 5) + rng.text(LETTERS, 3, 5).upper() + rng.text(LETTERS, 1, 5),
    )
    yield "last", rng.text(LETTERS, 1, 5) + _word(rng) + rng.text(LETTERS, 1, 1).upper()
