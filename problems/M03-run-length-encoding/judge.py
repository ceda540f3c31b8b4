"""M03 Run Length Encoding: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

from itertools import groupby

SIGNS = [chr(code) for code in range(32, 127) if not chr(code).isdigit()]
VISIBLE = SIGNS[1:]


def solve(text: str) -> str:
    return "".join(f"{sign}{len(list(run))}" for sign, run in groupby(text))


def cases(rng):
    yield "empty", ""
    yield "alone", "".join(rng.sample(SIGNS, rng.integer(1, 60)))
    words = [rng.choice(VISIBLE) * rng.integer(1, 9) for _ in range(rng.integer(1, 6))]
    gaps = [" " * rng.integer(1, 9) for _ in range(len(words) + 1)]
    yield "spaces", gaps[0] + "".join(word + gap for word, gap in zip(words, gaps[1:], strict=True))
    a, b, c = rng.sample(SIGNS, 3)
    yield "returning", "".join(sign * rng.integer(1, 12) for sign in [a, b, a, c, b, c, a])
    lengths = rng.shuffle([9, 10, 11, 20, 100])
    signs = rng.sample(SIGNS, 5)
    yield "round", "".join(sign * length for sign, length in zip(signs, lengths, strict=True))
    before, sign, after = rng.sample(SIGNS, 3)
    ends = rng.integer(0, 6), rng.integer(0, 6)
    yield "over-255", before * ends[0] + sign * rng.integer(256, 268) + after * ends[1]
