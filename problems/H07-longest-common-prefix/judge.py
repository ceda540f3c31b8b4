"""H07 Longest Common Prefix: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    first, *others = text.split("\n")[1:]
    size = len(first)
    while not all(line.startswith(first[:size]) for line in others):
        size -= 1
    return first[:size]


def cases(rng):
    yield "single-line", lines([rng.text(LETTERS, 1, 1) + rng.text(PRINTABLE, 0, 11)])
    prefix = rng.text(PRINTABLE, 2, 6)
    more = rng.text(PRINTABLE, 1, 1)
    longer = [prefix + more + rng.text(PRINTABLE, 0, 5) for _ in range(rng.integer(2, 5))]
    yield "whole-line", lines([longer[0], *rng.shuffle([*longer[1:], prefix])])
    prefix = rng.text(LETTERS, 1, 5)
    longer = [prefix + rng.text(LETTERS, 1, 5) for _ in range(rng.integer(2, 5))]
    yield "empty-line", lines([*rng.shuffle([*longer[1:], ""]), longer[0]])
    prefix, more = rng.text(LETTERS, 0, 4), rng.text(LETTERS, 1, 4)
    others = [prefix + more + rng.text(LETTERS, 0, 4) for _ in range(rng.integer(3, 5))]
    odd = prefix + rng.choice(["0", "1", "-"]) + more
    place = rng.integer(2, len(others) - 1)
    yield "middle", lines([*others[:place], odd, *others[place:]])
    prefix, more = rng.text(LETTERS, 0, 5), rng.text(LETTERS, 1, 6)
    odd = rng.sample("0123456789", rng.integer(2, 6))
    yield "again", lines([prefix + sign + more for sign in odd])
    prefix = " " * rng.integer(1, 2) + rng.text(LETTERS, 1, 4) + " "
    yield "spaces", lines([prefix + letter for letter in rng.sample(LETTERS, rng.integer(2, 6))])


def lines(found: list[str]) -> str:
    return "\n".join([str(len(found)), *found])
