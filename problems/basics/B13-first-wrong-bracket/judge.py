"""B13 First Wrong Bracket: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    depth = 0
    for place, sign in enumerate(text, 1):
        depth += 1 if sign == "(" else -1
        if depth < 0:
            return str(place)
    return str(len(text) + 1) if depth else "ok"


def _balanced(rng):
    text = ""
    for _ in range(rng.integer(2, 6)):
        place = rng.integer(0, len(text))
        text = f"{text[:place]}(){text[place:]}"
    return text


def cases(rng):
    yield "empty", ""
    yield "balanced", _balanced(rng)
    yield "open", f"({_balanced(rng)}"
    yield "open", f"{_balanced(rng)}{'(' * rng.integer(1, 6)}"
    yield "first", f"){_balanced(rng)}("
    yield "later", f"{_balanced(rng)}){rng.text('()', 1, 7)}"
