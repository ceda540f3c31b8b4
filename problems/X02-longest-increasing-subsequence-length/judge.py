"""X02 Longest Increasing Subsequence Length: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    numbers = list(map(int, text.split()[1:]))
    lengths: list[int] = []
    for at, number in enumerate(numbers):
        before = [lengths[i] for i in range(at) if numbers[i] < number]
        lengths.append(1 + max(before, default=0))
    return str(max(lengths))


def cases(rng):
    yield "single", listed([rng.integer(-999, 999)])
    steps = sorted(rng.integer(-500, 500) for _ in range(rng.integer(3, 7)))
    yield "equal", listed(sorted(steps + rng.sample(steps, rng.integer(1, len(steps)))))
    yield "greedy", listed(greedy(rng))
    yield "scattered", listed(scattered(rng))
    yield "negative", listed(sorted(distinct(rng, -999, -1, rng.integer(4, 12))))
    first = rng.integer(-900, 900)
    others = distinct(rng, -900, 999, rng.integer(9, 12))
    last = rng.integer(-999, -901)
    yield "long", listed([first, rng.integer(first + 1, 999), *others, last])


def listed(numbers: list[int]) -> str:
    return f"{len(numbers)}\n{' '.join(map(str, numbers))}"


def distinct(rng, least: int, greatest: int, count: int) -> list[int]:
    """Return different numbers, in random order."""
    found: list[int] = []
    while len(found) < count:
        number = rng.integer(least, greatest)
        if number not in found:
            found.append(number)
    return found


def greedy(rng) -> list[int]:
    """Return a rising list with larger numbers inserted after the first."""
    rising = sorted(distinct(rng, -500, 500, rng.integer(4, 9)))
    high = sorted(distinct(rng, 600, 999, rng.integer(1, 3)), reverse=True)
    return [rising[0], *high, *rising[1:]]


def scattered(rng) -> list[int]:
    """Return a rising list and a lower, falling one, interleaved."""
    count = rng.integer(4, 7)
    rising = sorted(distinct(rng, 0, 999, count))
    falling = sorted(distinct(rng, -999, -1, count), reverse=True)
    return [number for pair in zip(rising, falling, strict=True) for number in pair]
