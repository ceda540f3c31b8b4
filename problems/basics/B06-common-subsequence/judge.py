"""B06 Longest Common Subsequence: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def solve(text: str) -> str:
    first, second = text.split("\n")
    row = [0] * (len(second) + 1)
    for one in first:
        above, row = row, [0]
        for at, other in enumerate(second, 1):
            row.append(above[at - 1] + 1 if one == other else max(above[at], row[at - 1]))
    return str(row[-1])


def cases(rng):
    yield "empty", "\n".join(rng.shuffle(["", rng.text(LETTERS, 1, 8)]))
    word = rng.text("abcd", 6, 8)
    yield "equal", f"{word}\n{word}"
    yield "disjoint", f"{rng.text('abcdefghijklm', 2, 8)}\n{rng.text('nopqrstuvwxyz', 2, 8)}"
    word = "".join(rng.sample(LETTERS, 7))
    yield "reversed", f"{word}\n{word[::-1]}"
    first, second, third = rng.sample(LETTERS, 3)
    yield "mixed", f"{first}{second}{third}{first}\n{third}{second}{first}{second}"
    yield "mixed", f"{first}{third}{second}{third}\n{second}{first}{second}{third}{third}"
