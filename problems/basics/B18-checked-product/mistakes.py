"""Wrong solutions of B18, by the edge class that catches each."""

from __future__ import annotations


def number(line: str, most: int = 65535) -> int | None:
    valid = 1 <= len(line) <= 5 and line.isascii() and line.isdigit() and int(line) <= most
    return int(line) if valid else None


def product(text: str) -> int | None:
    first, second = map(number, text.split("\n"))
    return None if first is None or second is None else first * second


def zero__is_an_error(text: str) -> str:
    found = product(text)
    return str(found) if found and found <= 65535 else "error"


def above__wraps_around(text: str) -> str:
    found = product(text)
    return "error" if found is None else str(found % 65536)


def above__not_checked(text: str) -> str:
    found = product(text)
    return "error" if found is None else str(found)


def largest__one_less(text: str) -> str:
    found = product(text)
    return "error" if found is None or found >= 65535 else str(found)


def invalid__is_one(text: str) -> str:
    first, second = map(number, text.split("\n"))
    return str((1 if first is None else first) * (1 if second is None else second))


def usual__sum(text: str) -> str:
    first, second = map(number, text.split("\n"))
    return "error" if first is None or second is None else str(first + second + 1)
