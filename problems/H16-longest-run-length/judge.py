"""H16 Longest Run Length: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

from itertools import groupby

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return str(max((len(list(run)) for _, run in groupby(text)), default=0))


def cases(rng):
    yield "empty", ""
    yield "distinct", "".join(rng.sample(PRINTABLE, rng.integer(1, 60)))
    last, *others = rng.sample(PRINTABLE, 6)
    yield "last", runs(rng, others, 3) + last * rng.integer(4, 20)
    letter, *others = rng.sample(LETTERS, 4)
    others = [other for other in others if other != letter.swapcase()]
    yield "apart", (letter + letter.swapcase()) * rng.integer(3, 30) + runs(rng, others, 2)
    gap, line = " " * rng.integer(4, 12), runs(rng, rng.sample(LETTERS, 6), 3)
    yield "spaces", rng.choice([gap + line, line + gap])
    long, *others = rng.sample(PRINTABLE, 5)
    yield "huge", runs(rng, others[:2], 4) + long * rng.integer(256, 264) + runs(rng, others[2:], 4)


def runs(rng, signs: list[str], longest: int) -> str:
    return "".join(sign * rng.integer(1, longest) for sign in signs)
