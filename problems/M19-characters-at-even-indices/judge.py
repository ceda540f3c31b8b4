"""M19 Characters At Even Indices: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return text[::2]


def cases(rng):
    yield "empty", ""
    yield "single", rng.choice(PRINTABLE)
    yield "even", "".join(rng.sample(PRINTABLE, 2 * rng.integer(1, 20)))
    yield "odd", "".join(rng.sample(PRINTABLE, 2 * rng.integer(1, 20) + 1))
    words = [rng.text(LETTERS, 1, 9) for _ in range(rng.integer(2, 6))]
    yield "spaces", f" {' '.join(words)} "
    yield "long", rng.text(PRINTABLE, 90, 100)
