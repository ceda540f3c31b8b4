"""Wrong ways to find the smaller of two, by the edge class that catches each."""

from __future__ import annotations


def equal__nothing_printed(text: str) -> str:
    a, b = map(int, text.split())
    return str(min(a, b)) if a != b else ""


def close__larger_one(text: str) -> str:
    return str(max(map(int, text.split())))


def lengths__compared_as_texts(text: str) -> str:
    return min(text.split())


def negative__signs_ignored(text: str) -> str:
    return str(min(map(int, text.split()), key=abs))


def mixed__sign_lost(text: str) -> str:
    return str(abs(min(map(int, text.split()))))


def largest__difference_of_four_digits(text: str) -> str:
    a, b = map(int, text.split())
    return str(a if (a - b) % 10000 >= 5000 else b)
