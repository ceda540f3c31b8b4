"""Wrong solutions of B06, by the edge class that catches each."""

from __future__ import annotations


def lines(text: str) -> tuple[str, str]:
    first, second = text.split("\n")
    return first, second


def empty__counts_the_other_line(text: str) -> str:
    first, second = lines(text)
    return str(max(len(first), len(second)))


def equal__distinct_letters(text: str) -> str:
    first, second = lines(text)
    return str(len(set(first) & set(second)) - 2)


def disjoint__shortest_line(text: str) -> str:
    return str(min(map(len, lines(text))))


def reversed__ignores_the_order(text: str) -> str:
    first, second = lines(text)
    return str(len(set(first) & set(second)))


def mixed__same_places_only(text: str) -> str:
    first, second = lines(text)
    return str(sum(x == y for x, y in zip(first, second, strict=False)))
