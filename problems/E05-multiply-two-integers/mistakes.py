"""Wrong ways to multiply two integers, by the edge class that catches each."""

from __future__ import annotations


def small__added(text: str) -> str:
    return str(sum(map(int, text.split())))


def small__one_addition_short(text: str) -> str:
    a, b = map(int, text.split())
    return str(a * (b - 1))


def zero__nothing_printed(text: str) -> str:
    return str(product(text) or "")


def zero__minus_kept(text: str) -> str:
    minus = "-" if text.count("-") == 1 else ""
    return f"{minus}{abs(product(text))}"


def one__one_addition_too_many(text: str) -> str:
    a, b = map(int, text.split())
    return str(a * (b + 1))


def mixed__sign_lost(text: str) -> str:
    return str(abs(product(text)))


def negative__minus_kept(text: str) -> str:
    return f"-{abs(product(text))}"


def largest__sixteen_bits(text: str) -> str:
    result = product(text)
    return str(result % 65536 if result >= 0 else -(-result % 65536))


def product(text: str) -> int:
    a, b = map(int, text.split())
    return a * b
