"""Wrong ways to list divisors, by the edge class that catches each."""

from __future__ import annotations


def one__listed_twice(text: str) -> str:
    number = int(text)
    return joined([1, *(d for d in range(2, number) if number % d == 0), number])


def one__nothing_below_two(text: str) -> str:
    return joined(divisors(int(text))) if int(text) > 1 else ""


def prime__number_itself_left_out(text: str) -> str:
    return joined(divisors(int(text))[:-1])


def prime__only_proper_ones(text: str) -> str:
    return joined(divisors(int(text))[1:-1])


def square__root_twice(text: str) -> str:
    number = int(text)
    low = [d for d in range(1, number + 1) if d * d <= number and number % d == 0]
    return joined(low + [number // d for d in reversed(low)])


def square__root_left_out(text: str) -> str:
    number = int(text)
    return joined([d for d in divisors(number) if d * d != number])


def power__prime_factors(text: str) -> str:
    number, factor, found = int(text), 2, []
    while number > 1:
        while number % factor == 0:
            found.append(factor)
            number //= factor
        factor += 1
    return joined(found)


def many__in_pairs(text: str) -> str:
    number = int(text)
    low = [d for d in divisors(number) if d * d <= number]
    return joined(list(dict.fromkeys(part for d in low for part in (d, number // d))))


def many__only_up_to_the_root(text: str) -> str:
    number = int(text)
    return joined([d for d in divisors(number) if d * d <= number])


def largest__two_digits_printed(text: str) -> str:
    return joined([divisor % 100 for divisor in divisors(int(text))])


def largest__greatest_first(text: str) -> str:
    return joined(divisors(int(text))[::-1])


def divisors(number: int) -> list[int]:
    return [divisor for divisor in range(1, number + 1) if number % divisor == 0]


def joined(found: list[int]) -> str:
    return " ".join(map(str, found))
