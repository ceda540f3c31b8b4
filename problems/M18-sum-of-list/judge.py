"""M18 Sum Of List: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    _, numbers = text.split("\n")
    return str(sum(map(int, numbers.split())))


def cases(rng):
    yield "single", listed([rng.choice([1, -1]) * rng.integer(1, 9999)])
    halves = [rng.integer(1, 4999) for _ in range(rng.integer(1, 5))]
    lesser = [-number // 2 for number in halves]
    rest = [-number - part for number, part in zip(halves, lesser, strict=True)]
    yield "opposite", listed(rng.shuffle(halves + lesser + rest))
    yield "negative", listed([-rng.integer(1, 9999) for _ in range(rng.integer(2, 9))])
    signs = [1, -1] * rng.integer(1, 4)
    yield "mixed", listed(rng.shuffle([sign * rng.integer(1, 9999) for sign in signs]))
    yield "two-digits", listed([rng.integer(1, 99) for _ in range(rng.integer(10, 19))])
    sign = rng.choice([1, -1])
    yield "largest", listed([sign * rng.integer(9950, 9999) for _ in range(rng.integer(28, 30))])


def listed(numbers: list[int]) -> str:
    return f"{len(numbers)}\n" + " ".join(map(str, numbers))
