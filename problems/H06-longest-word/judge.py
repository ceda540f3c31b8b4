"""H06 Longest Word: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~0123456789"


def solve(text: str) -> str:
    return max(text.split(" "), key=len)  # max takes the first of equals


def cases(rng):
    yield "empty", ""
    yield "single", rng.text(LETTERS, 1, 20)
    size = rng.integer(3, 8)
    first, least, greatest = (
        rng.text(part, 1, 1) + word(rng, size - 1) for part in ("hijklm", "abcd", "tuvw")
    )
    ties = [first, *rng.shuffle([least, greatest])]
    yield "tie", " ".join(part for tie in ties for part in (word(rng, rng.integer(1, 2)), tie))
    size = rng.integer(4, 16)
    words = [word(rng, rng.integer(1, min(9, size - 1))) for _ in range(rng.integer(1, 3))]
    yield "last", " ".join([*words, word(rng, size)])
    letters = word(rng, rng.integer(4, 9))
    mark = "".join(rng.shuffle(word(rng, 3) + rng.text(MARKS, len(letters), len(letters) + 3)))
    yield "marks", " ".join(rng.shuffle([letters, mark, word(rng, rng.integer(1, 4))]))
    sizes = rng.choice([(20, 19, 9), (9, 20, 19), (19, 20, 9), (12, 12, 13, 10), (5,) * 8 + (2,)])
    yield "longest", " ".join(word(rng, size) for size in sizes)


def word(rng, size: int) -> str:
    return rng.text(LETTERS, size, size)
