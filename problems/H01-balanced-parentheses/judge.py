"""H01 Balanced Parentheses: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    depth = 0
    for sign in text:
        depth += 1 if sign == "(" else -1
        if depth < 0:
            return "no"
    return "no" if depth else "yes"


def cases(rng):
    yield "empty", ""
    yield "crossed", f"{balanced(rng, 0, 9)}){balanced(rng, 0, 5)}({balanced(rng, 0, 9)}"
    opened = "(" * rng.integer(1, 3)
    yield "unclosed", balanced(rng, 0, 12) + opened + balanced(rng, 0, 12)
    yield "unopened", balanced(rng, 0, 12) + ")" + balanced(rng, 0, 12)
    depth = rng.integer(20, 100)
    yield "nested", "(" * depth + balanced(rng, 0, 20) + ")" * depth
    before = rng.integer(0, 240)
    yield (
        "wrap",
        "(" * before + balanced(rng, 0, 10) + "(" * (256 - before) + balanced(rng, 0, 10),
    )


def balanced(rng, least: int, greatest: int) -> str:
    """Return a balanced text of ``least`` to ``greatest`` pairs."""
    text, depth, left = "", 0, rng.integer(least, greatest)
    while left or depth:
        if left and (not depth or rng.chance(1, 2)):
            text, depth, left = text + "(", depth + 1, left - 1
        else:
            text, depth = text + ")", depth - 1
    return text
