"""H13 Polynomial Evaluation: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    _, *coefficients, x = map(int, text.split())
    value = 0
    for coefficient in coefficients:
        value = value * x + coefficient
    return str(value)


def cases(rng):
    yield "constant", lines([nonzero(rng)], rng.choice([rng.integer(-10, -1), rng.integer(2, 10)]))
    first, *others = rng.sample([*range(-99, 0), *range(1, 100)], rng.integer(2, 6))
    yield "at-zero", lines([first, *others], 0)
    sign = rng.choice([1, -1])
    odd = [sign * rng.integer(1, 99) for _ in range(3)]
    even = [rng.integer(-99, 99) for _ in range(3)]
    size = rng.choice([2, 4, 6])
    powers = [part for pair in zip(odd, even, strict=True) for part in pair]
    yield "negative", lines(powers[:size], -rng.integer(1, 10))
    falling = sorted(rng.sample(range(1, 100), rng.integer(3, 6)), reverse=True)
    yield "order", lines(falling, rng.integer(2, 10))
    root, a, b = nonzero(rng, 9), nonzero(rng, 9), rng.integer(-9, 9)
    front = [0] * rng.integer(0, 3)  # (ax + b)(x - root)
    yield "root", lines([*front, a, b - root * a, -root * b], root)
    sign, x = rng.choice([1, -1]), rng.choice([10, -10])
    step = 1 if x > 0 else -1  # so that all powers pull the same way
    yield "largest", lines([sign * step**power * rng.integer(90, 99) for power in range(6)], x)


def nonzero(rng, greatest: int = 99) -> int:
    return rng.integer(1, greatest) * rng.choice([1, -1])


def lines(coefficients: list[int], x: int) -> str:
    return f"{len(coefficients) - 1}\n{' '.join(map(str, coefficients))}\n{x}"
