"""Wrong ways to find next greater numbers, by the edge class that catches each."""

from __future__ import annotations

from collections.abc import Callable


def _numbers(text: str) -> list[int]:
    return list(map(int, text.split()[1:]))


def _each(text: str, find: Callable[[int, list[int]], int]) -> str:
    """Return the result of ``find`` for each number and the numbers to its right."""
    numbers = _numbers(text)
    return " ".join(str(find(number, numbers[at + 1 :])) for at, number in enumerate(numbers))


def _next(number: int, others: list[int]) -> int:
    return next((other for other in others if other > number), -1)


def single__nothing_if_none(text: str) -> str:
    return " ".join(found for found in _each(text, _next).split() if found != "-1")


def descending__goes_on_at_the_beginning(text: str) -> str:
    numbers = _numbers(text)
    turns = (numbers[at + 1 :] + numbers[:at] for at in range(len(numbers)))
    return " ".join(str(_next(a, others)) for a, others in zip(numbers, turns, strict=True))


def descending__number_itself_if_none(text: str) -> str:
    return _each(text, lambda a, others: next((b for b in others if b > a), a))


def equal__not_strict(text: str) -> str:
    return _each(text, lambda a, others: next((b for b in others if b >= a), -1))


def ascending__greatest(text: str) -> str:
    return _each(text, lambda a, others: max((b for b in others if b > a), default=-1))


def ascending__from_the_right(text: str) -> str:
    return " ".join(_each(text, _next).split()[::-1])


def ascending__place_instead_of_number(text: str) -> str:
    return _each(text, lambda a, others: others.index(_next(a, others)) + 1 if others else -1)


def distant__least_greater(text: str) -> str:
    return _each(text, lambda a, others: min((b for b in others if b > a), default=-1))


def distant__neighbour_only(text: str) -> str:
    return _each(text, lambda a, others: _next(a, others[:1]))


def negative__signs_dropped(text: str) -> str:
    return _each(text, lambda a, others: next((b for b in others if abs(b) > abs(a)), -1))


def negative__must_be_greater_than_minus_one(text: str) -> str:
    return _each(text, lambda a, others: _next(max(a, -1), others))
