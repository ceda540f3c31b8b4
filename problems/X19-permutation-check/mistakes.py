"""Wrong ways to recognize a permutation, by the edge class that catches each."""

from __future__ import annotations


def _answer(right: bool) -> str:
    return "yes" if right else "no"


def _numbers(text: str) -> tuple[int, list[int]]:
    length, *numbers = map(int, text.split())
    return length, numbers


def single__one_is_always_different(text: str) -> str:
    _, numbers = _numbers(text)
    return _answer(len(set(numbers)) == len(numbers))


def permutation__below_n_only(text: str) -> str:
    length, numbers = _numbers(text)
    return _answer(len(set(numbers)) == length and all(1 <= number < length for number in numbers))


def permutation__digit_by_digit(text: str) -> str:
    length, _, digits = text.partition("\n")
    return _answer(sorted(digits.replace(" ", "")) == [str(n + 1) for n in range(int(length))])


def duplicate__range_only(text: str) -> str:
    length, numbers = _numbers(text)
    return _answer(all(1 <= number <= length for number in numbers))


def same_sum__sum_only(text: str) -> str:
    length, numbers = _numbers(text)
    return _answer(sum(numbers) == length * (length + 1) // 2)


def same_sum__squares_too(text: str) -> str:
    length, numbers = _numbers(text)
    squares = sum(number * number for number in numbers)
    sums = sum(numbers) == length * (length + 1) // 2
    return _answer(sums and squares == length * (length + 1) * (2 * length + 1) // 6)


def shifted__all_different(text: str) -> str:
    _, numbers = _numbers(text)
    return _answer(len(set(numbers)) == len(numbers))


def shifted__neighbours_in_order(text: str) -> str:
    _, numbers = _numbers(text)
    return _answer(sorted(numbers) == list(range(min(numbers), max(numbers) + 1)))


def negative__signs_dropped(text: str) -> str:
    length, numbers = _numbers(text)
    return _answer(sorted(map(abs, numbers)) == list(range(1, length + 1)))


def negative__upper_end_only(text: str) -> str:
    length, numbers = _numbers(text)
    return _answer(len(set(numbers)) == length and max(numbers) <= length)
