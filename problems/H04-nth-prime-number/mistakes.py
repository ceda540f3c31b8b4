"""Wrong ways to find a prime by its number, by the edge class that catches each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count, islice


def first__one_is_a_prime(text: str) -> str:
    return nth(int(text), count(1), is_prime)


def first__two_left_out(text: str) -> str:
    return nth(int(text), count(3), is_prime)


def small__counted_from_zero(text: str) -> str:
    return nth(int(text) + 1, count(2), is_prime)


def twin__one_too_few(text: str) -> str:
    return nth(int(text) - 1, count(2), is_prime)


def gap__two_added_to_the_prime_before(text: str) -> str:
    return str(int(nth(int(text) - 1, count(2), is_prime)) + 2)


def gap__only_two_and_three_tried(text: str) -> str:
    return nth(int(text), count(2), lambda n: n in (2, 3) or n % 2 * (n % 3) > 0)


def after_square__root_not_tried(text: str) -> str:
    def no_divisor_below_the_root(number: int) -> bool:
        return all(number % d for d in range(2, number) if d * d < number)

    return nth(int(text), count(2), no_divisor_below_the_root)


def largest__only_up_to_five_tried(text: str) -> str:
    return nth(int(text), count(2), lambda n: n in (2, 3, 5) or n % 2 * (n % 3) * (n % 5) > 0)


def nth(number: int, candidates: Iterable[int], counts: Callable[[int], bool]) -> str:
    return str(next(islice(filter(counts, candidates), number - 1, None)))


def is_prime(number: int) -> bool:
    return all(number % divisor for divisor in range(2, number))
