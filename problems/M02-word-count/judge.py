"""M02 Word Count: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~"
VISIBLE = "".join(map(chr, range(33, 127)))


def solve(text: str) -> str:
    return str(len(text.split()))


def cases(rng):
    yield "empty", ""
    yield "single", rng.text(VISIBLE, 1, 12)
    yield "letters", line(rng, VISIBLE, rng.integer(2, 40), 1)
    yield "signs", line(rng, SIGNS, rng.integer(2, 30), 5)
    yield "round", line(rng, VISIBLE, rng.choice([10, 20, 30, 100]), 4)
    yield "over-255", line(rng, VISIBLE, rng.integer(256, 260), 1)


def line(rng, alphabet: str, words: int, longest: int) -> str:
    return " ".join(rng.text(alphabet, 1, longest) for _ in range(words))
