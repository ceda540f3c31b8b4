"""H15 Tape Walk Final Position: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    return str(text.count("R") - text.count("L"))


def cases(rng):
    yield "empty", ""
    back = rng.integer(0, 30)
    yield "left", moves(rng, left=back + rng.integer(1, 30), right=back)
    steps = rng.integer(1, 40)
    yield "return", moves(rng, left=steps, right=steps)
    steps = rng.integer(1, 20)
    yield "crossing", "L" * steps + moves(rng, left=steps, right=2 * steps + rng.integer(1, 30))
    back = rng.integer(0, 20)
    yield "far-right", moves(rng, left=back, right=back + rng.integer(256, 260))
    back = rng.integer(0, 20)
    yield "far-left", moves(rng, left=back + rng.integer(256, 260), right=back)


def moves(rng, left: int, right: int) -> str:
    return "".join(rng.shuffle("L" * left + "R" * right))
