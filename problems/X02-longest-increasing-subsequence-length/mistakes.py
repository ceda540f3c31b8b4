"""Wrong lengths of a longest increasing subsequence, by the edge class that catches each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise


def _numbers(text: str) -> list[int]:
    return list(map(int, text.split()[1:]))


def _lengths(numbers: Sequence[int], before: Callable[[int, int], bool]) -> list[int]:
    found: list[int] = []
    for at, number in enumerate(numbers):
        best = max((found[i] for i in range(at) if before(numbers[i], number)), default=0)
        found.append(best + 1)
    return found


def _taken(numbers: Sequence[int]) -> int:
    """Return the length of the list that always takes the next larger number."""
    count, last = 0, -1000
    for number in numbers:
        if number > last:
            count, last = count + 1, number
    return count


def single__steps_counted(text: str) -> str:
    return str(max(_lengths(_numbers(text), lambda a, b: a < b)) - 1)


def equal__not_strict(text: str) -> str:
    return str(max(_lengths(_numbers(text), lambda a, b: a <= b)))


def greedy__always_the_next_larger(text: str) -> str:
    return str(_taken(_numbers(text)))


def greedy__the_next_larger_from_any_start(text: str) -> str:
    numbers = _numbers(text)
    return str(max(_taken(numbers[at:]) for at in range(len(numbers))))


def scattered__neighbours_only(text: str) -> str:
    numbers = _numbers(text)
    best = run = 1
    for a, b in pairwise(numbers):
        run = run + 1 if a < b else 1
        best = max(best, run)
    return str(best)


def negative__signs_dropped(text: str) -> str:
    return str(max(_lengths(_numbers(text), lambda a, b: abs(a) < abs(b))))


def negative__must_be_greater_than_zero(text: str) -> str:
    return str(_taken([number for number in _numbers(text) if number > 0]))


def long__length_at_the_last_number(text: str) -> str:
    return str(_lengths(_numbers(text), lambda a, b: a < b)[-1])
