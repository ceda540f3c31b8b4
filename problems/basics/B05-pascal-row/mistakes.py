"""Wrong solutions of B05, by the edge class that catches each."""

from __future__ import annotations

from math import comb


def row(n: int) -> list[str]:
    return [str(comb(n, place)) for place in range(n + 1)]


def zero__empty_row(text: str) -> str:
    return " ".join(row(int(text))) if text != "0" else ""


def one__counted_from_one(text: str) -> str:
    return " ".join(row(max(int(text) - 1, 0)))


def small__powers_of_eleven(text: str) -> str:
    return str(11 ** int(text))


def wide__powers_of_eleven_with_spaces(text: str) -> str:
    return " ".join(str(11 ** int(text)))


def last__two_digits(text: str) -> str:
    return " ".join(each[-2:] for each in row(int(text)))


def last__unfinished(text: str) -> str:
    return " ".join(row(int(text))[:9])
