"""H10 Remove Consecutive Duplicates: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

from itertools import groupby

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return "".join(sign for sign, _ in groupby(text))


def cases(rng):
    yield "empty", ""
    yield "one-run", rng.choice(PRINTABLE) * rng.integer(3, 100)
    a, b, c = rng.sample(PRINTABLE, 3)
    yield "apart", "".join(rng.choice([a + b, a + c]) for _ in range(rng.integer(2, 20))) + a
    words = [rng.text(LETTERS, 1, 8) for _ in range(3)]
    gaps = [" " * rng.integer(2, 5) for _ in range(4)]
    yield "spaces", gaps[0] + "".join(map("".join, zip(words, gaps[1:], strict=True)))
    letter = rng.choice(LETTERS)
    runs = [side * rng.integer(1, 3) for side in (letter, letter.swapcase())]
    yield "case", "".join(runs) * rng.integer(1, 9)
    yield "longest", "".join(rng.choice(PRINTABLE) * rng.integer(1, 4) for _ in range(60))[:100]
