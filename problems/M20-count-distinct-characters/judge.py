"""M20 Count Distinct Characters: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LOWER = "abcdefghijklmnopqrstuvwxyz"
LETTERS = LOWER + LOWER.upper()
OTHERS = " !\"#$%&'()*+,-./0123456789:;<=>?@[\\]^_`{|}~"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return str(len(set(text)))


def cases(rng):
    yield "empty", ""
    yield "same", rng.choice(PRINTABLE) * rng.integer(3, 50)
    signs = "".join(rng.sample(PRINTABLE, rng.integer(2, 16)))
    yield "returning", signs * rng.integer(2, 3)
    word = rng.text(LOWER, 4, 25)
    yield "case", "".join(rng.shuffle(word + word.upper()))
    words = [rng.text(LOWER, 1, 7) for _ in range(rng.integer(3, 6))]
    yield "spaces", " ".join(words)
    different = rng.sample(LETTERS, rng.integer(33, 38)) + rng.sample(OTHERS, rng.integer(8, 12))
    yield "all", "".join(rng.shuffle(different))
