"""Wrong ways to find the second largest number, by the edge class that catches each."""

from __future__ import annotations


def read(text: str) -> list[int]:
    return list(map(int, text.split("\n")[1].split()))


def pair__the_largest(text: str) -> str:
    return str(max(read(text)))


def pair__third_from_the_top(text: str) -> str:
    return str(sorted(set(read(text)))[-3])


def tie__last_but_one_in_order(text: str) -> str:
    return str(sorted(read(text))[-2])


def tie__not_less_is_enough(text: str) -> str:
    largest, *numbers = read(text)
    second = -10000
    for number in numbers:
        if number > largest:
            largest, second = number, largest
        elif number > second:
            second = number
    return str(second)


def first__changed_with_the_largest_only(text: str) -> str:
    numbers = read(text)
    largest = second = numbers[0]
    for number in numbers:
        if number > largest:
            largest, second = number, largest
    return str(second)


def first__second_from_the_bottom(text: str) -> str:
    return str(sorted(set(read(text)))[1])


def last__last_number_missed(text: str) -> str:
    return str(sorted(set(read(text)[:-1]))[-2])


def last__old_largest_forgotten(text: str) -> str:
    largest, *numbers = read(text)
    second = -10000
    for number in numbers:
        if number > largest:
            largest = number
        elif second < number < largest:
            second = number
    return str(second)


def negative__starts_at_zero(text: str) -> str:
    largest = second = 0
    for number in read(text):
        if number > largest:
            largest, second = number, largest
        elif second < number < largest:
            second = number
    return str(second)


def negative__by_absolute_value(text: str) -> str:
    return str(sorted(set(read(text)), key=abs)[-2])


def negative__count_taken_for_a_number(text: str) -> str:
    return str(sorted(set(map(int, text.split())))[-2])


def lengths__compared_as_texts(text: str) -> str:
    return sorted(set(text.split("\n")[1].split()))[-2]


def lengths__first_digit_of_n_read(text: str) -> str:
    return str(sorted(set(read(text)[: int(text[0])]))[-2])
