"""H04 Nth Prime Number: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

PRIMES = [n for n in range(2, 60) if all(n % divisor for divisor in range(2, n))]


def solve(text: str) -> str:
    return str(PRIMES[int(text) - 1])


def cases(rng):
    yield "first", "1"
    yield "small", str(rng.integer(2, 5))
    yield "twin", str(rng.choice(after(2)))
    yield "gap", str(rng.choice(after(6)))
    square = rng.choice([4, 9, 25, 49])
    yield "after-square", str(1 + sum(prime < square for prime in PRIMES))
    yield "largest", str(rng.integer(16, 17))


def after(gap: int) -> list[int]:
    """Return the indices of primes that follow a gap of ``gap``."""
    return [number for number in range(2, 18) if PRIMES[number - 1] - PRIMES[number - 2] == gap]
