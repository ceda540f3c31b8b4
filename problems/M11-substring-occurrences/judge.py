"""M11 Substring Occurrences: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
OTHERS = "0123456789 .,;:!?+-*/="
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    line, part = text.split("\n")
    return str(sum(line.startswith(part, place) for place in range(len(line))))


def cases(rng):
    yield "empty", "\n" + rng.text(PRINTABLE, 1, 4)
    part = rng.text(PRINTABLE, 2, 4)
    yield "longer", f"{part[: rng.integer(1, len(part) - 1)]}\n{part}"
    part = rng.choice(PRINTABLE)
    line = rng.shuffle(part * rng.integer(10, 15) + rng.text(LETTERS, 1, 5))
    yield "single", f"{''.join(line)}\n{part}"
    sign, length = rng.choice(PRINTABLE), rng.integer(2, 4)
    yield "overlap", f"{sign * rng.integer(length + 1, 20)}\n{sign * length}"
    part = rng.text(LETTERS, 2, 4)
    gaps = rng.text(OTHERS, 1, 4), rng.text(OTHERS, 1, 4)
    yield "ends", f"{part}{gaps[0]}{part.swapcase()}{gaps[1]}{part}\n{part}"
    first, last = rng.sample(LETTERS, 2)
    part = first * rng.integer(2, 3) + last
    yield "restart", rng.text(OTHERS, 0, 7) + first + part + rng.text(OTHERS, 0, 7) + f"\n{part}"
