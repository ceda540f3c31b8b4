"""Wrong ways to count inversions, by the edge class that catches each."""

from __future__ import annotations

from itertools import combinations, pairwise


def _numbers(text: str) -> list[int]:
    return list(map(int, text.split()[1:]))


def single__nothing_for_zero(text: str) -> str:
    return str(sum(a > b for a, b in combinations(_numbers(text), 2)) or "")


def ascending__the_other_order(text: str) -> str:
    return str(sum(a < b for a, b in combinations(_numbers(text), 2)))


def descending__neighbours_only(text: str) -> str:
    return str(sum(a > b for a, b in pairwise(_numbers(text))))


def descending__both_orders_of_a_pair(text: str) -> str:
    return str(2 * sum(a > b for a, b in combinations(_numbers(text), 2)))


def descending__exchanges_of_any_two(text: str) -> str:
    numbers, count = _numbers(text), 0
    for at in range(len(numbers)):
        least = min(range(at, len(numbers)), key=numbers.__getitem__)
        count += least != at
        numbers[at], numbers[least] = numbers[least], numbers[at]
    return str(count)


def equal__not_strict(text: str) -> str:
    return str(sum(a >= b for a, b in combinations(_numbers(text), 2)))


def negative__signs_dropped(text: str) -> str:
    return str(sum(abs(a) > abs(b) for a, b in combinations(_numbers(text), 2)))


def distant__numbers_out_of_place(text: str) -> str:
    numbers = _numbers(text)
    return str(sum(a != b for a, b in zip(numbers, sorted(numbers), strict=True)))
