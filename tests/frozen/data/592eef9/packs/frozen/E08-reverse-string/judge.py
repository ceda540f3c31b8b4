"""E08 Reverse String: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~0123456789"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return text[::-1]


def cases(rng):
    yield "empty", ""
    yield "single", rng.text(PRINTABLE, 1, 1)
    yield "pair", "".join(rng.sample(PRINTABLE, 2))
    before, after = rng.choice([(1, 0), (0, 1), (3, 1), (1, 4)])
    yield "spaces", " " * before + rng.text(LETTERS + " ", 4, 12) + " " * after
    yield "punctuation", "".join(rng.shuffle(rng.choice("()[]{}<>") + rng.text(SIGNS, 10, 29)))
    yield "long", rng.text(PRINTABLE, 90, 100)
