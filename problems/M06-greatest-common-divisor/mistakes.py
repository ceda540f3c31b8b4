"""Wrong ways to find the greatest common divisor, by the edge class that catches each."""

from __future__ import annotations

from math import fmod, gcd, prod


def pair(text: str) -> tuple[int, int]:
    a, b = map(int, text.split())
    return a, b


def largest_of(text: str, divisors: range) -> str:
    a, b = pair(text)
    return str(next((d for d in divisors if a % d == 0 and b % d == 0), 0))


def zero__divisors_up_to_the_smaller(text: str) -> str:
    return largest_of(text, range(min(map(abs, pair(text))), 0, -1))


def zero__zero_when_one_is_zero(text: str) -> str:
    a, b = pair(text)
    return str(gcd(a, b) if a and b else 0)


def negative__sign_of_the_last_remainder(text: str) -> str:
    a, b = pair(text)
    while b:
        a, b = b, int(fmod(a, b))
    return str(a)


def negative__stops_below_one(text: str) -> str:
    a, b = pair(text)
    while b > 0:
        a, b = b, a % b
    return str(a)


def coprime__divisors_from_two(text: str) -> str:
    return largest_of(text, range(max(map(abs, pair(text))), 1, -1))


def coprime__difference_is_the_divisor(text: str) -> str:
    a, b = pair(text)
    return "" if abs(a - b) == 1 else str(gcd(a, b))


def multiple__proper_divisors_only(text: str) -> str:
    return largest_of(text, range(min(map(abs, pair(text))) - 1, 0, -1))


def multiple__wraps_at_256(text: str) -> str:
    return str(gcd(*pair(text)) % 256)


def common__least_common_multiple(text: str) -> str:
    a, b = pair(text)
    return str(abs(a * b) // gcd(a, b))


def common__each_prime_once(text: str) -> str:
    divisor = gcd(*pair(text))
    primes = [p for p in range(2, divisor + 1) if divisor % p == 0 and prime(p)]
    return str(prod(primes))


def prime(number: int) -> bool:
    return all(number % d for d in range(2, number))


def slow__ten_rounds_at_most(text: str) -> str:
    a, b = map(abs, pair(text))
    for _ in range(10):
        if b:
            a, b = b, a % b
    return str(a)
