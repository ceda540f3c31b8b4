"""Wrong ways to count primes, by the edge class that catches each."""

from __future__ import annotations

from collections.abc import Callable


def smallest__two_left_out(text: str) -> str:
    return count(3, int(text) + 1, is_prime)


def smallest__one_counted(text: str) -> str:
    return count(1, int(text) + 1, is_prime)


def prime__end_left_out(text: str) -> str:
    return count(2, int(text), is_prime)


def before_prime__one_too_far(text: str) -> str:
    return count(2, int(text) + 2, is_prime)


def square__root_not_tried(text: str) -> str:
    def no_divisor_below_the_root(number: int) -> bool:
        return all(number % d for d in range(2, number) if d * d < number)

    return count(2, int(text) + 1, no_divisor_below_the_root)


def ten__zero_digit_lost(text: str) -> str:
    return count(2, int(text) + 1, is_prime).replace("0", "")


def largest__odd_numbers_counted(text: str) -> str:
    return count(2, int(text) + 1, lambda number: number == 2 or number % 2 == 1)


def largest__only_two_and_three_tried(text: str) -> str:
    return count(2, int(text) + 1, lambda n: n in (2, 3) or n % 2 * (n % 3) > 0)


def largest__only_up_to_five_tried(text: str) -> str:
    return count(2, int(text) + 1, lambda n: n in (2, 3, 5) or n % 2 * (n % 3) * (n % 5) > 0)


def count(start: int, stop: int, counts: Callable[[int], bool]) -> str:
    return str(sum(map(counts, range(start, stop))))


def is_prime(number: int) -> bool:
    return all(number % divisor for divisor in range(2, number))
