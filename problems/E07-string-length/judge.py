"""E07 String Length: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return str(len(text))


def cases(rng):
    yield "empty", ""
    yield "single", rng.text(PRINTABLE, 1, 1)
    yield "spaces", " " * rng.integer(2, 30)
    length = rng.choice([10, 20, 100, 200])
    yield "round", rng.text(PRINTABLE, length, length)
    length = rng.choice([101, 102, 109, 110, 199, 201])
    yield "carry", rng.text(PRINTABLE, length, length)
    yield "over-255", rng.text(PRINTABLE, 256, 300)
