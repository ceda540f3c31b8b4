"""Wrong ways to factorize, by the edge class that catches each."""

from __future__ import annotations


def _factors(n: int, greatest: int = 10000) -> list[int]:
    found: list[int] = []
    for divisor in range(2, greatest):
        while n % divisor == 0:
            found.append(divisor)
            n //= divisor
        if n < 2:
            break
    return found


def _text(factors: list[int]) -> str:
    return " ".join(map(str, factors))


def smallest__one_is_a_factor(text: str) -> str:
    return _text([1, *_factors(int(text))])


def prime__what_is_left_not_printed(text: str) -> str:
    return _text(_factors(int(text), greatest=100))


def prime__number_kept_in_a_byte(text: str) -> str:
    return _text(_factors(int(text) % 256))


def power__each_prime_once(text: str) -> str:
    return _text(sorted(set(_factors(int(text)))))


def power__space_at_the_end(text: str) -> str:
    return _text(_factors(int(text))) + " "


def square__stops_before_the_root(text: str) -> str:
    n = int(text)
    divisors = [d for d in range(2, n) if d * d < n and n % d == 0]
    return _text(_factors(n)) if divisors else text


def two_large__divisors_below_50(text: str) -> str:
    n = int(text)
    return _text(_factors(n, greatest=50)) or text


def two_large__descending(text: str) -> str:
    return _text(_factors(int(text))[::-1])


def mixed__next_divisor_after_each_success(text: str) -> str:
    n, divisor = int(text), 2
    found: list[int] = []
    while n > 1 and divisor <= n:
        if n % divisor == 0:
            found.append(divisor)
            n //= divisor
        divisor += 1
    return _text(found)
