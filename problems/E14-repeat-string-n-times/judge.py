"""E14 Repeat String N Times: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    number, line = text.split("\n")
    return line * int(number)


def cases(rng):
    yield "zero", "0\n" + rng.text(PRINTABLE, 1, 20)
    yield "once", "1\n" + rng.text(PRINTABLE, 2, 20)
    yield "single", f"{rng.integer(2, 30)}\n{rng.text(PRINTABLE, 1, 1)}"
    start = rng.text("0123456789", 1, 1) + rng.text("0123456789 ", 0, 3)
    yield "digits", f"{rng.integer(2, 9)}\n{start}{rng.text(LETTERS, 1, 9)}"
    yield "two-digits", f"{rng.choice([10, 11, 20, 25, 30])}\n{rng.text(LETTERS + ' ', 2, 12)}"
    yield "many", f"{rng.integer(90, 99)}\n{rng.text(PRINTABLE, 16, 20)}"
