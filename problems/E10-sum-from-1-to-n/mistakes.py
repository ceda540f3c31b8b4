"""Wrong ways to sum from 1 to N, by the edge class that catches each."""

from __future__ import annotations


def zero__starts_at_one(text: str) -> str:
    return str(total(max(int(text), 1)))


def zero__nothing_printed(text: str) -> str:
    return str(total(int(text)) or "")


def one__n_left_out(text: str) -> str:
    return str(total(int(text) - 1))


def digit__one_digit_kept(text: str) -> str:
    return str(total(int(text)) % 10)


def two_digits__first_digit_read(text: str) -> str:
    return str(total(int(text[0])))


def round__halved_too_early(text: str) -> str:
    return str((int(text) + 1) // 2 * int(text))


def largest__sixteen_bits(text: str) -> str:
    return str(total(int(text)) % 65536)


def total(n: int) -> int:
    return sum(range(1, n + 1))
