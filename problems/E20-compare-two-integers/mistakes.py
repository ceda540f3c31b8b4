"""Wrong ways to compare two integers, by the edge class that catches each."""

from __future__ import annotations


def equal__greater(text: str) -> str:
    a, b = map(int, text.split())
    return "less" if a < b else "greater"


def close__differ_by_more_than_one(text: str) -> str:
    a, b = map(int, text.split())
    return "equal" if abs(a - b) <= 1 else compared(a, b)


def lengths__compared_as_texts(text: str) -> str:
    a, b = text.split()
    return "less" if a < b else "greater" if a > b else "equal"


def negative__signs_ignored(text: str) -> str:
    a, b = map(int, text.split())
    return compared(abs(a), abs(b))


def mixed__without_sign_bit(text: str) -> str:
    a, b = map(int, text.split())
    return compared(a % 65536, b % 65536)


def mirror__minus_not_read(text: str) -> str:
    a, b = map(int, text.replace("-", "").split())
    return compared(a, b)


def compared(a: int, b: int) -> str:
    return "less" if a < b else "greater" if a > b else "equal"
