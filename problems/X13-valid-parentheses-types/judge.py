"""X13 Valid Parentheses Types: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

PAIRS = ["()", "[]", "{}"]


def solve(text: str) -> str:
    closing = dict(PAIRS)
    expected: list[str] = []
    for sign in text:
        if sign in closing:
            expected.append(closing[sign])
        elif not expected or expected.pop() != sign:
            return "no"
    return "no" if expected else "yes"


def cases(rng):
    yield "empty", ""
    (a, b), (c, d) = rng.sample(PAIRS, 2)
    inner = [nested(rng, rng.integer(0, 4)) for _ in range(3)]
    crossed = a + inner[0] + c + inner[1] + b + inner[2] + d
    yield "crossed", around(rng, crossed)
    opening, closing = rng.choice(PAIRS)
    yield "unclosed", nested(rng, rng.integer(0, 9)) + opening + nested(rng, rng.integer(0, 9))
    yield "unopened", nested(rng, rng.integer(1, 9)) + closing + nested(rng, rng.integer(0, 9))
    opening, closing = rng.choice(PAIRS)
    yield "reversed", closing + nested(rng, rng.integer(0, 9)) + opening
    types = rng.shuffle(PAIRS)
    side_by_side = "".join(pair[0] + nested(rng, 3) + pair[1] for pair in types)
    yield "nested", around(rng, side_by_side) + nested(rng, rng.integer(1, 8))


def nested(rng, pairs: int) -> str:
    """Return a properly nested text of pairs."""
    if not pairs:
        return ""
    opening, closing = rng.choice(PAIRS)
    inner = rng.integer(0, pairs - 1)
    return opening + nested(rng, inner) + closing + nested(rng, pairs - 1 - inner)


def around(rng, text: str) -> str:
    """Return ``text`` enclosed in pairs."""
    for _ in range(rng.integer(1, 8)):
        opening, closing = rng.choice(PAIRS)
        text = opening + text + closing
    return text
