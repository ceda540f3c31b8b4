"""M06 Greatest Common Divisor: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

from math import gcd

PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23]
FIBONACCI = [610, 987, 1597, 2584, 4181, 6765]


def solve(text: str) -> str:
    return str(gcd(*map(int, text.split())))


def cases(rng):
    yield "zero", shuffled(rng, 0, rng.choice([1, -1]) * rng.integer(2, 9999))
    divisor = rng.integer(2, 99)
    p, q = rng.sample(PRIMES, 2)
    yield "negative", shuffled(rng, -divisor * p, -divisor * q)
    number = rng.integer(9, 9998)
    yield "coprime", shuffled(rng, number, number + 1)
    number = rng.integer(256, 4999)
    yield "multiple", shuffled(rng, number, number * rng.integer(1, 9999 // number))
    divisor = rng.choice([4, 8, 9, 16, 25, 27, 36, 49, 64, 72, 81, 100, 144])
    p, q = rng.sample(PRIMES, 2)
    yield "common", shuffled(rng, divisor * p, -divisor * q)
    place = rng.integer(1, 5)
    a, b = FIBONACCI[place - 1], FIBONACCI[place]
    times = rng.integer(1, 9999 // b)
    yield "slow", shuffled(rng, a * times, b * times)


def shuffled(rng, *numbers: int) -> str:
    return " ".join(map(str, rng.shuffle(numbers)))
