"""Wrong ways to sort numbers, by the edge class that catches each."""

from __future__ import annotations


def read(text: str) -> list[int]:
    return list(map(int, text.split("\n")[1].split()))


def listed(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))


def single__space_after_each(text: str) -> str:
    return listed(sorted(read(text))) + " "


def single__count_sorted_as_well(text: str) -> str:
    return listed(sorted(map(int, text.split())))


def ties__each_number_once(text: str) -> str:
    return listed(sorted(set(read(text))))


def descending__largest_first(text: str) -> str:
    return listed(sorted(read(text), reverse=True))


def descending__one_pass_of_exchanges(text: str) -> str:
    numbers = read(text)
    for i in range(len(numbers) - 1):
        if numbers[i] > numbers[i + 1]:
            numbers[i : i + 2] = numbers[i + 1], numbers[i]
    return listed(numbers)


def negative__by_absolute_value(text: str) -> str:
    return listed(sorted(read(text), key=abs))


def negative__signs_dropped(text: str) -> str:
    return listed(sorted(map(abs, read(text))))


def lengths__sorted_as_texts(text: str) -> str:
    return " ".join(sorted(text.split("\n")[1].split()))


def largest__first_digit_of_n_read(text: str) -> str:
    return listed(sorted(read(text)[: int(text[0])]))


def largest__last_number_missed(text: str) -> str:
    return listed(sorted(read(text)[:-1]))


def largest__three_digits_kept(text: str) -> str:
    return listed(sorted(number % 1000 for number in read(text)))
