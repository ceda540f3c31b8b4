"""X19 Permutation Check: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    length, *numbers = map(int, text.split())
    return "yes" if sorted(numbers) == list(range(1, length + 1)) else "no"


def cases(rng):
    yield "single", listed([rng.choice([rng.integer(-99, 0), rng.integer(2, 99)])])
    yield "permutation", listed(permutation(rng, rng.integer(10, 30)))
    numbers = permutation(rng, rng.integer(5, 30))
    numbers[0] = rng.choice(numbers[1:])
    yield "duplicate", listed(rng.shuffle(numbers))
    yield "same-sum", listed(same_sum(rng))
    shift = rng.choice([1, -1])
    yield "shifted", listed([number + shift for number in permutation(rng, rng.integer(4, 30))])
    numbers = permutation(rng, rng.integer(4, 30))
    numbers[0] = -numbers[0]
    yield "negative", listed(rng.shuffle(numbers))


def listed(numbers: list[int]) -> str:
    return f"{len(numbers)}\n{' '.join(map(str, numbers))}"


def permutation(rng, length: int) -> list[int]:
    return rng.shuffle(range(1, length + 1))


def same_sum(rng) -> list[int]:
    """1 + 5 + 6 = 2 + 3 + 7, for the squares too, and the same further up or in reverse."""
    length = rng.integer(9, 30)
    start = rng.integer(0, length - 7)
    gone, twice = rng.shuffle([(1, 5, 6), (2, 3, 7)])
    numbers = [number for number in range(1, length + 1) if number - start not in gone]
    return rng.shuffle(numbers + [start + number for number in twice])
