"""B02 Arguments Backwards: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def solve(text: str, *arguments: str) -> str:
    return "".join(f"[{each}]" for each in reversed(arguments)) or "none"


def cases(rng):
    yield "none", ""
    yield "one", "", [rng.text(LETTERS, 1, 8)]
    yield "empty", "", rng.shuffle(["", rng.text(LETTERS, 1, 8), rng.text(LETTERS, 1, 8)])
    word, other = rng.text(LETTERS, 1, 5), rng.text(LETTERS, 1, 5)
    yield "spaces", "", [f"{word} {other}", f" {other}", f"{word}  "]
    yield "many", "", [rng.text(LETTERS, 1, 8) + str for str in "abcdef"]
    yield "many", "", [rng.text(LETTERS, 1, 8) + str for str in "fedcba"]
