"""H14 List All Divisors: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def divisors(number: int) -> list[int]:
    return [divisor for divisor in range(1, number + 1) if number % divisor == 0]


PRIMES = [number for number in range(2, 114) if len(divisors(number)) == 2]
MANY_DIVISORS = [number for number in range(48, 121) if len(divisors(number)) >= 10]


def solve(text: str) -> str:
    return " ".join(map(str, divisors(int(text))))


def cases(rng):
    yield "one", "1"
    yield "prime", str(rng.choice(PRIMES))
    yield "square", str(rng.integer(2, 10) ** 2)
    yield "power", str(rng.choice([8, 16, 32, 64, 9, 27, 81]))
    yield "many", str(rng.choice(MANY_DIVISORS))
    yield "largest", str(rng.integer(111, 120))
