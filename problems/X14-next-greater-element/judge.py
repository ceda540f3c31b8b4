"""X14 Next Greater Element: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    numbers = list(map(int, text.split()[1:]))
    found: list[int] = []
    for at, number in enumerate(numbers):
        found.append(next((other for other in numbers[at + 1 :] if other > number), -1))
    return " ".join(map(str, found))


def cases(rng):
    yield "single", listed([rng.integer(-999, 999)])
    yield "descending", listed(sorted(distinct(rng, rng.integer(3, 14)), reverse=True))
    yield "equal", listed(equal(rng))
    yield "ascending", listed(sorted(distinct(rng, rng.integer(4, 13))))
    yield "distant", listed(distant(rng))
    yield "negative", listed(negative(rng))


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


def equal(rng) -> list[int]:
    """Return numbers that repeat consecutively, with a greater one later."""
    values = distinct(rng, rng.integer(2, 4), -999, 900)
    runs = [value for value in values for _ in range(rng.integer(2, 3))]
    return [*runs, rng.integer(901, 999)]


def distant(rng) -> list[int]:
    """Return a number, smaller ones, its next greater one, and further numbers on both sides."""
    number, lesser, following, greatest = sorted(distinct(rng, 4, -500, 999))
    smaller = distinct(rng, rng.integer(2, 7), -999, number - 1)
    return [number, *smaller, following, *rng.shuffle([lesser, greatest])]


def negative(rng) -> list[int]:
    """Return numbers for which dropping the signs, or stopping at -1, is wrong at once."""
    least, middle, greatest = sorted(distinct(rng, 3, -999, -2))
    others = distinct(rng, rng.integer(0, 9), -999, -2)
    return [middle, least, greatest, *others]
