"""Wrong solutions of B17, by the edge class that catches each."""

from __future__ import annotations


def number(line: str, most: int = 65535) -> int | None:
    valid = 1 <= len(line) <= 5 and line.isascii() and line.isdigit() and int(line) <= most
    return int(line) if valid else None


def difference(text: str, first_most: int = 65535) -> int | None:
    first, second = text.split("\n")
    one, other = number(first, first_most), number(second)
    return None if one is None or other is None else one - other


def equal__is_an_error(text: str) -> str:
    found = difference(text)
    return "error" if found is None or found <= 0 else str(found)


def below__negative(text: str) -> str:
    found = difference(text)
    return "error" if found is None else str(found)


def below__wraps_around(text: str) -> str:
    found = difference(text)
    return "error" if found is None else str(found % 65536)


def first__invalid_is_zero(text: str) -> str:
    first, second = text.split("\n")
    found = (number(first) or 0) - (number(second) or 0)
    return "error" if found < 0 else str(found)


def second__invalid_is_zero(text: str) -> str:
    return first__invalid_is_zero(text)


def largest__signed_numbers_only(text: str) -> str:
    found = difference(text, 32767)
    return "error" if found is None or found < 0 else str(found)
