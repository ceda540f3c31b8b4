"""M01 Palindrome Check: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LOWER = "abcdefghijklmnopqrstuvwxyz"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return "yes" if text == text[::-1] else "no"


def cases(rng):
    yield "empty", ""
    half = rng.text(PRINTABLE, 14, 19)
    yield "odd", half + rng.text(PRINTABLE, 1, 1) + half[::-1]
    half = rng.text(PRINTABLE, 15, 20)
    yield "even", half + half[::-1]
    half = rng.text(PRINTABLE, 2, 19)
    yield "middle", half + "".join(rng.sample(PRINTABLE, 2)) + half[::-1]
    inner = rng.text(LOWER, 0, 18)
    inner += rng.text(LOWER, 0, 1) + inner[::-1]
    end = rng.choice(LOWER)
    ends = rng.shuffle([end, end.upper()])
    yield "case", ends[0] + inner + ends[1]
    half = rng.text(LOWER, 4, 19)
    here, there = rng.sample(range(1, len(half)), 2)
    yield "spaces", spaced(half, here) + spaced(half, there)[::-1]


def spaced(word: str, place: int) -> str:
    return word[:place] + " " + word[place:]
