"""M17 Replace Spaces With Underscores: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return text.replace(" ", "_")


def cases(rng):
    yield "empty", ""
    yield "only", " " * rng.integer(1, 40)
    yield "ends", " " * rng.integer(1, 3) + rng.text(PRINTABLE, 1, 30) + " " * rng.integer(1, 3)
    words = [rng.text(LETTERS, 1, 8) for _ in range(rng.integer(2, 5))]
    yield "doubled", (" " * rng.integer(2, 4)).join(words)
    yield "underscores", "".join(rng.shuffle("_-" + rng.text(SIGNS + LETTERS, 8, 40)))
    yield "long", rng.text(PRINTABLE, 87, 97) + f" {rng.choice(LETTERS)} "
