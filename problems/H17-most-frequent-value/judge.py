"""H17 Most Frequent Value: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    values = list(map(int, text.split("\n")[1].split(" ")))
    return str(min(values, key=lambda value: (-values.count(value), value)))


def cases(rng):
    yield "single", lines([rng.integer(-999, 999)])
    least, *others = sorted(rng.sample(range(-999, 1000), rng.integer(3, 10)))
    others, place = rng.shuffle(others), rng.integer(1, len(others) - 1)
    yield "different", lines([*others[:place], least, *others[place:]])
    a, b, c = rng.integer(20, 99), rng.integer(100, 199), rng.integer(200, 999)
    rest = [a, b, c] * rng.integer(1, 2) + [rng.integer(-99, 19)]
    yield "tie", lines([b, a, c, *rng.shuffle(rest)])
    a, b = rng.integer(100, 999), rng.integer(1, 99)
    yield "negative", lines(rng.shuffle([-a, -a, -b, -b, b]))
    a, b, c = rng.sample(range(-999, 1000), 3)
    apart = rng.choice([[a, b, b, a, c, a], [a, c, a, b, b, a], [c, a, b, b, a, c, a]])
    yield "apart", lines(apart)
    low = rng.integer(-999, 487)
    twice = rng.choice([number for number in range(-999, 1000) if (number - low) % 256])
    yield "wrap", lines(rng.shuffle([twice, twice, low, low + 256, low + 512]))


def lines(numbers: list[int]) -> str:
    return f"{len(numbers)}\n{' '.join(map(str, numbers))}"
