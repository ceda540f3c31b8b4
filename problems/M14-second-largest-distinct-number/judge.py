"""M14 Second Largest Distinct Number: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    _, numbers = text.split("\n")
    return str(sorted(set(map(int, numbers.split())))[-2])


def cases(rng):
    yield "pair", listed(distinct(rng, 2, -9999, 9999))
    top = rng.integer(-9000, 9999)
    lower = distinct(rng, rng.integer(1, 12), -9999, top - 1)
    others = rng.shuffle(lower + [top] * rng.integer(0, 5))
    yield "tie", listed([top, *others, top])
    yield "first", listed(sorted(distinct(rng, rng.integer(4, 15), -9999, 9999), reverse=True))
    yield "last", listed(sorted(distinct(rng, rng.integer(3, 15), -9999, 9999)))
    yield "negative", listed(distinct(rng, rng.integer(4, 15), -9999, -1))
    top, second = rng.integer(9000, 9999), rng.integer(1000, 8999)
    shorter = [rng.integer(900, 999), *distinct(rng, 12, -9999, 899)]
    yield "lengths", listed(rng.shuffle([top, second, -9999, *shorter]))


def distinct(rng, count: int, least: int, greatest: int) -> list[int]:
    """Return different numbers in the range, in random order."""
    numbers: list[int] = []
    while len(numbers) < count:
        number = rng.integer(least, greatest)
        if number not in numbers:
            numbers.append(number)
    return numbers


def listed(numbers: list[int]) -> str:
    return f"{len(numbers)}\n" + " ".join(map(str, numbers))
