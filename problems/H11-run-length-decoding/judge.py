"""H11 Run Length Decoding: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    signs, counts = text[::2], text[1::2]
    return "".join(sign * int(count) for sign, count in zip(signs, counts, strict=True))


def cases(rng):
    yield "empty", ""
    yield "single", pairs(rng, rng.text(LETTERS, 1, 1), least=2)
    a, b = rng.sample(LETTERS, 2)
    yield "again", pairs(rng, a + a + "".join(rng.shuffle(a * 2 + b * 3)))
    yield "digits", pairs(rng, rng.text("0123456789", 2, 12))
    yield "spaces", pairs(rng, f" {rng.text(LETTERS + '  ', 1, 10)} ")
    yield "longest", pairs(rng, rng.text(PRINTABLE, 36, 40), least=7)


def pairs(rng, signs: str, least: int = 1) -> str:
    return "".join(f"{sign}{rng.integer(least, 9)}" for sign in signs)
