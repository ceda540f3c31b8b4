"""Wrong solutions of B19, by the edge class that catches each."""

from __future__ import annotations


def number(line: str, most: int = 65535) -> int | None:
    valid = 1 <= len(line) <= 5 and line.isascii() and line.isdigit() and int(line) <= most
    return int(line) if valid else None


def total_of(text: str, most: int = 6) -> int | None:
    count, *lines = text.split("\n")
    many = number(count)
    if many is None or many > most or len(lines) < many:
        return None
    values = [number(line) for line in lines[:many]]
    return None if None in values else sum(value or 0 for value in values)


def shown(total: int | None) -> str:
    return "error" if total is None or total > 65535 else str(total)


def zero__is_an_error(text: str) -> str:
    return shown(total_of(text) or None)


def missing__counts_as_zero(text: str) -> str:
    return shown(total_of(text + "\n0" * 6))


def invalid__counts_as_zero(text: str) -> str:
    count, *lines = text.split("\n")
    return str(sum(number(line) or 0 for line in lines[: number(count) or 0]))


def above__wraps_around(text: str) -> str:
    total = total_of(text)
    return "error" if total is None else str(total % 65536)


def count__not_checked(text: str) -> str:
    count, _, rest = text.partition("\n")
    return shown(total_of(text, 99)) if number(count) is not None else str(rest.count("1"))


def further__added(text: str) -> str:
    _, *lines = text.split("\n")
    values = [number(line) for line in lines]
    return "error" if None in values else shown(sum(value or 0 for value in values) or 65536)
