"""E16 First And Last Character: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return f"{text[0]} {text[-1]}"


def cases(rng):
    yield "single", rng.text(PRINTABLE, 1, 1)
    yield "pair", "".join(rng.sample(PRINTABLE, 2))
    end = rng.text(LETTERS, 1, 1)
    yield "same", end + rng.text(PRINTABLE, 1, 20) + end
    before, after = rng.choice([(1, 0), (0, 1), (2, 3)])
    yield "spaces", " " * before + rng.text(LETTERS, 2, 12) + " " * after
    ends = [rng.text(LETTERS, 0, 8) + end for end in rng.sample(LETTERS, 2)]
    middle = [rng.text(LETTERS, 1, 9) for _ in range(rng.integer(0, 4))]
    yield "words", " ".join([ends[0], *middle, ends[1]])
    line = rng.text(PRINTABLE, 90, 99)
    yield "long", line + rng.choice(PRINTABLE.replace(line[63], ""))
