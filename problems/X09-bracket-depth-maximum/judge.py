"""X09 Bracket Depth Maximum: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    depth = greatest = 0
    for sign in text:
        depth = depth + 1 if sign == "(" else max(depth - 1, 0)
        greatest = max(greatest, depth)
    return str(greatest)


def cases(rng):
    yield "empty", ""
    yield "closing", ")" * rng.integer(1, 40)
    depth = rng.integer(2, 9)
    before = rng.chance(1, 2) * ("(" + ")" * 2) + ")" * rng.integer(1, 20)
    yield "clamped", before + "(" * depth + ")" * rng.integer(0, 2 * depth)
    steps = "".join("(" * rng.integer(2, 4) + ")" for _ in range(rng.integer(4, 15)))
    yield "climbing", steps + ")" * rng.integer(0, 3)
    depth = rng.integer(4, 30)
    tail = "".join(rng.choice(["()", ")(", "))(", "()("]) for _ in range(rng.integer(1, depth - 3)))
    yield "early", "(" * depth + ")" * (depth - 1) + tail + "()"
    depth = rng.integer(256, 275)
    loose = rng.integer(0, 4)
    steps = rng.shuffle(["("] * (depth - 1) + ["()"] * rng.integer(1, 8))
    yield "deepest", ")" * loose + "".join(steps) + "(" + ")" * rng.integer(0, 4)
