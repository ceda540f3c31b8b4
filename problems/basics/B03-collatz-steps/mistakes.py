"""Wrong solutions of B03, by the edge class that catches each."""

from __future__ import annotations


def steps(number: int, most: int = 200) -> int:
    count = 0
    while number != 1 and count < most:
        number = 3 * number + 1 if number % 2 else number // 2
        count += 1
    return count


def one__counts_a_whole_round(text: str) -> str:
    return str(steps(int(text)) or 3)


def power__counts_numbers(text: str) -> str:
    return str(steps(int(text)) + 1)


def even__counts_halvings_only(text: str) -> str:
    number, count = int(text), 0
    while number != 1:
        count += number % 2 == 0
        number = 3 * number + 1 if number % 2 else number // 2
    return str(count)


def odd__stops_at_two(text: str) -> str:
    return str(max(steps(int(text)) - 1, 0))


def long__two_digits(text: str) -> str:
    return str(steps(int(text)) % 100)


def long__gives_up(text: str) -> str:
    return str(steps(int(text), 100))
