"""B04 Happy Number: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

HAPPY = [7, 13, 19, 23, 28, 31, 44, 49, 68, 79, 82, 86, 91, 94, 97, 139, 167, 176, 188, 1112]
SAD = [2, 3, 5, 6, 8, 9, 11, 12, 15, 16, 17, 18, 22, 99, 102, 999, 1001, 9999]


def solve(text: str) -> str:
    number = int(text)
    while number not in (1, 4):
        number = sum(int(digit) ** 2 for digit in str(number))
    return "happy" if number == 1 else "sad"


def cases(rng):
    yield "one", "1"
    yield "four", "4"
    yield "happy", str(rng.choice(HAPPY))
    yield "sad", str(rng.choice(SAD))
    yield "sad", str(rng.choice(SAD))
    yield "zeros", str(rng.choice([10, 100, 1000, 130, 103, 1300, 3001, 7000]))
