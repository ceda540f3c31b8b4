"""X01 Prime Factorization: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

PRIMES = [n for n in range(2, 10000) if all(n % d for d in range(2, int(n**0.5) + 1))]


LARGE_PRIMES = [prime for prime in PRIMES if prime > 9000]


def solve(text: str) -> str:
    n = int(text)
    factors: list[int] = []
    divisor = 2
    while n > 1:
        while n % divisor == 0:
            factors.append(divisor)
            n //= divisor
        divisor += 1
    return " ".join(map(str, factors))


def cases(rng):
    yield "smallest", str(rng.choice([2, 3, 5, 7]))
    yield "prime", str(rng.choice(LARGE_PRIMES))
    yield "power", str(2 ** rng.integer(9, 13))
    yield "square", str(rng.choice([p for p in PRIMES if 40 < p < 100]) ** 2)
    yield "two-large", str(two_large(rng))
    yield "mixed", str(4 * rng.choice([3, 9, 27]) * rng.choice([5, 7, 25, 11, 13, 49, 61, 83, 89]))


def two_large(rng) -> int:
    """Return the product of two different primes of at least 50."""
    small = rng.choice([p for p in PRIMES if 50 < p < 97])
    return small * rng.choice([p for p in PRIMES if small < p <= 9999 // small])
