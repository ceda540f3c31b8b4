"""X05 Merge Two Sorted Arrays: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    return " ".join(map(str, sorted(map(int, text.split()))))


def cases(rng):
    yield "single", lines(numbers(rng, 1), numbers(rng, 1))
    border = rng.integer(-900, 900)
    low, high = (-999, border - 1), (border, 999)
    lengths = rng.integer(2, 8), rng.integer(2, 8)
    yield "apart", lines(numbers(rng, lengths[0], *high), numbers(rng, lengths[1], *low))
    common = numbers(rng, rng.integer(2, 4))
    first = [*common, rng.choice(common), *numbers(rng, rng.integer(0, 4))]
    second = [*common, rng.choice(common), *numbers(rng, rng.integer(0, 4))]
    yield "equal", lines(first, second)
    long = numbers(rng, rng.integer(10, 12), -900, 900)
    yield "uneven", lines(*rng.shuffle([long, numbers(rng, 1, min(long) + 1, 999)]))
    common = rng.integer(-999, -1)
    first = [common, *numbers(rng, rng.integer(2, 9), -999, -1)]
    yield "negative", lines(first, [common, *numbers(rng, rng.integer(2, 9), -999, -1)])
    first = [rng.integer(3, 9), rng.integer(10, 20), *numbers(rng, 10, -99, 300)]
    yield "longest", lines(first, [rng.integer(100, 299), *numbers(rng, rng.integer(10, 11))])


def numbers(rng, count: int, least: int = -999, greatest: int = 999) -> list[int]:
    return [rng.integer(least, greatest) for _ in range(count)]


def lines(first: list[int], second: list[int]) -> str:
    return "\n".join(" ".join(map(str, sorted(line))) for line in (first, second))
