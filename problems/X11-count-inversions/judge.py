"""X11 Count Inversions: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    numbers = list(map(int, text.split()[1:]))
    places = range(len(numbers))
    return str(sum(numbers[i] > numbers[j] for j in places for i in range(j)))


def cases(rng):
    yield "single", listed([rng.integer(-999, 999)])
    yield "ascending", listed(sorted(distinct(rng, rng.integer(2, 14))))
    yield "descending", listed(sorted(distinct(rng, rng.integer(4, 15)), reverse=True))
    values = distinct(rng, rng.integer(2, 5))
    yield "equal", listed(rng.shuffle(values + [rng.choice(values) for _ in range(8)]))
    yield "negative", listed(negative(rng))
    least, *others = sorted(distinct(rng, rng.integer(4, 14)))
    yield "distant", listed([*others[-1:], least, *others[:-1]])


def listed(numbers: list[int]) -> str:
    return f"{len(numbers)}\n{' '.join(map(str, numbers))}"


def distinct(rng, count: int, least: int = -999, greatest: int = 999) -> list[int]:
    """Return different numbers, in random order."""
    found: list[int] = []
    while len(found) < count:
        number = rng.integer(least, greatest)
        if number not in found:
            found.append(number)
    return found


def negative(rng) -> list[int]:
    """Return numbers whose absolute values have another number of inversions."""
    while True:
        numbers = distinct(rng, rng.integer(5, 15), -999, -1)
        if solve(listed(numbers)) != solve(listed([-number for number in numbers])):
            return numbers
