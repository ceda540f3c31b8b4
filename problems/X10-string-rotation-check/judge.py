"""X10 String Rotation Check: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

PRINTABLE = "".join(map(chr, range(32, 127)))
LOWER = "abcdefghijklmnopqrstuvwxyz"


def solve(text: str) -> str:
    first, second = text.split("\n")
    return "yes" if second in first + first else "no"


def cases(rng):
    line = rng.text(PRINTABLE, 1, 12)
    yield "same", f"{line}\n{line}"
    line = "".join(rng.sample(PRINTABLE, rng.integer(4, 12)))
    yield "rotated", f"{line}\n{rotated(line, rng.integer(2, len(line) - 2))}"
    often, once = rng.sample(PRINTABLE, 2)
    count = rng.integer(2, 11)
    line = often * count + once
    yield "repeated", f"{line}\n{rotated(line, rng.integer(1, count - 1))}"
    line = "".join(rng.sample(PRINTABLE, rng.integer(3, 12)))
    yield "mirrored", f"{line}\n{rotated(line[::-1], rng.integer(0, len(line) - 1))}"
    line = "".join(rng.shuffle(rng.sample(PRINTABLE, rng.integer(2, 6)) * 2))
    other = rng.choice([sign for sign in line if sign != line[-1]])
    yield "near", f"{line}\n{rotated(line[:-1] + other, rng.integer(1, len(line) - 1))}"
    line = "".join(rng.sample(LOWER + LOWER.upper(), rng.integer(2, 12)))
    other = line[:-1] + line[-1].swapcase()
    yield "case", f"{line}\n{rotated(other, rng.integer(0, len(line) - 1))}"


def rotated(line: str, places: int) -> str:
    return line[places:] + line[:places]
