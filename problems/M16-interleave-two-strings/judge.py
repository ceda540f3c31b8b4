"""M16 Interleave Two Strings: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

DIGITS = "0123456789"
PRINTABLE = "".join(map(chr, range(32, 127)))
VISIBLE = PRINTABLE[1:]


def solve(text: str) -> str:
    return "".join(a + b for a, b in zip(*text.split("\n"), strict=True))


def cases(rng):
    yield "single", "\n".join(rng.sample(PRINTABLE, 2))
    a, b, c, d = rng.sample(PRINTABLE, 4)
    yield "pair", f"{a}{b}\n{c}{d}"
    line = rng.text(PRINTABLE, 2, 40)
    yield "same", f"{line}\n{line}"
    length = rng.integer(1, 12)
    words = [rng.text(VISIBLE, length, length) for _ in range(4)]
    yield "spaces", "  {} {}\n{} {}  ".format(*words)
    length = rng.integer(1, 15)
    yield "digits", "\n".join("0" + rng.text(DIGITS, length, length) for _ in range(2))
    length = rng.integer(36, 40)
    yield "long", "\n".join(rng.text(PRINTABLE, length, length) for _ in range(2))
