"""Wrong ways to compute a factorial, by the edge class that catches each."""

from __future__ import annotations

from math import factorial, prod


def zero__product_of_nothing_is_zero(text: str) -> str:
    return str(factorial(int(text)) if text != "0" else 0)


def zero__starts_with_n(text: str) -> str:
    n = int(text)
    return str(n * prod(range(1, n)))


def one__one_factor_too_many(text: str) -> str:
    return str(factorial(int(text) + 1))


def small__last_factor_left_out(text: str) -> str:
    return str(prod(range(1, int(text))))


def small__added_not_multiplied(text: str) -> str:
    return str(sum(range(1, int(text) + 1)))


def over_255__wraps_at_256(text: str) -> str:
    return str(factorial(int(text)) % 256)


def over_32767__wraps_at_16_bits(text: str) -> str:
    return str((factorial(int(text)) + 2**15) % 2**16 - 2**15)


def largest__one_digit_read(text: str) -> str:
    return str(factorial(int(text[0])))


def largest__six_digits_kept(text: str) -> str:
    return str(factorial(int(text)) % 10**6)
