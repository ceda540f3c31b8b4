"""B10 Squeeze Spaces: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def solve(text: str) -> str:
    return f"<{' '.join(text.split())}>"


def _words(rng, gap):
    return gap.join(rng.text(LETTERS, 1, 4) for _ in range(3))


def cases(rng):
    yield "empty", ""
    yield "spaces", " " * rng.integer(1, 9)
    yield "start", " " * rng.integer(1, 5) + _words(rng, " ")
    yield "end", _words(rng, " ") + " " * rng.integer(1, 5)
    yield "groups", _words(rng, " " * rng.integer(3, 5))
    yield "groups", _words(rng, "  ") + "    " + rng.text(LETTERS, 1, 4)
