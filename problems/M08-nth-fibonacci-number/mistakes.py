"""Wrong ways to find a Fibonacci number, by the edge class that catches each."""

from __future__ import annotations


def fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def first__counted_from_zero(text: str) -> str:
    return str(fibonacci(int(text) - 1))


def second__starts_with_one_and_two(text: str) -> str:
    return str(fibonacci(int(text) + 1))


def small__doubled_each_time(text: str) -> str:
    return str(max(1, 2 ** (int(text) - 2)))


def small__three_numbers_added(text: str) -> str:
    a, b, c = 0, 0, 1
    for _ in range(int(text) - 1):
        a, b, c = b, c, a + b + c
    return str(c)


def over_255__wraps_at_256(text: str) -> str:
    return str(fibonacci(int(text)) % 256)


def over_255__first_digit_of_n_read(text: str) -> str:
    return str(fibonacci(int(text[0])))


def over_65535__wraps_at_16_bits(text: str) -> str:
    return str(fibonacci(int(text)) % 2**16)


def largest__seven_digits_kept(text: str) -> str:
    return str(fibonacci(int(text)) % 10**7)
