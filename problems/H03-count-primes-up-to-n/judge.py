"""H03 Count Primes Up To N: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def is_prime(number: int) -> bool:
    return all(number % divisor for divisor in range(2, number))


PRIMES = [number for number in range(2, 101) if is_prime(number)]


def solve(text: str) -> str:
    return str(sum(map(is_prime, range(2, int(text) + 1))))


def cases(rng):
    yield "smallest", str(rng.integer(2, 3))
    yield "prime", str(rng.choice(PRIMES[2:]))
    yield "before-prime", str(rng.choice(PRIMES[2:]) - 1)
    yield "square", str(rng.choice([4, 9, 10, 25, 26, 27, 28, 49, 50, 51, 52]))
    yield "ten", str(rng.integer(29, 30))
    yield "largest", str(rng.integer(90, 100))
