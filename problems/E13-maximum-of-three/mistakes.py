"""Wrong ways to find the largest of three, by the edge class that catches each."""

from __future__ import annotations


def first__not_looked_at(text: str) -> str:
    return str(max(numbers(text)[1:]))


def middle__not_looked_at(text: str) -> str:
    return str(max(numbers(text)[::2]))


def last__not_looked_at(text: str) -> str:
    return str(max(numbers(text)[:2]))


def negative__nothing_below_zero(text: str) -> str:
    return str(max(0, *numbers(text)))


def negative__sign_lost(text: str) -> str:
    return str(abs(max(numbers(text))))


def tie__must_be_larger_than_both(text: str) -> str:
    found = sorted(numbers(text))
    return str(found[2]) if found[2] > found[1] else ""


def extremes__smallest(text: str) -> str:
    return str(min(numbers(text)))


def numbers(text: str) -> list[int]:
    return [int(number) for number in text.split()]
