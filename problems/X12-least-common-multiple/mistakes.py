"""Wrong ways to find a least common multiple, by the edge class that catches each."""

from __future__ import annotations

import math


def _numbers(text: str) -> tuple[int, int]:
    a, b = map(int, text.split())
    return a, b


def equal__product(text: str) -> str:
    return str(math.prod(_numbers(text)))


def one__begins_at_one(text: str) -> str:
    return str(min(_numbers(text)))


def divides__smaller_one(text: str) -> str:
    a, b = _numbers(text)
    return str(min(a, b) if max(a, b) % min(a, b) == 0 else math.lcm(a, b))


def coprime__larger_one(text: str) -> str:
    return str(max(_numbers(text)))


def coprime__before_the_product(text: str) -> str:
    a, b = _numbers(text)
    return str(next((n for n in range(a, a * b, a) if n % b == 0), 0))


def shared__greatest_common_divisor(text: str) -> str:
    return str(math.gcd(*_numbers(text)))


def shared__product_unless_one_divides_the_other(text: str) -> str:
    a, b = _numbers(text)
    return str(max(a, b) if max(a, b) % min(a, b) == 0 else a * b)


def shared__not_multiplied_again(text: str) -> str:
    a, b = _numbers(text)
    divisor = math.gcd(a, b)
    return str((a // divisor) * (b // divisor))


def largest__sixteen_bits(text: str) -> str:
    return str(math.lcm(*_numbers(text)) % 65536)


def largest__product_of_sixteen_bits(text: str) -> str:
    a, b = _numbers(text)
    return str(a * b % 65536 // math.gcd(a, b))
