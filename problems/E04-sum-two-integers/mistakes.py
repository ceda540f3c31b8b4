"""Wrong ways to add two integers, by the edge class that catches each."""

from __future__ import annotations


def small__joined(text: str) -> str:
    return text.replace(" ", "")


def carry__not_carried(text: str) -> str:
    a, b = (number.rjust(5, "0") for number in text.split())
    digits = [str((int(x) + int(y)) % 10) for x, y in zip(a, b, strict=True)]
    return "".join(digits).lstrip("0") or "0"


def negative__sign_lost(text: str) -> str:
    return str(abs(sum(map(int, text.split()))))


def mixed__signs_dropped(text: str) -> str:
    return str(sum(abs(int(number)) for number in text.split()))


def opposite__nothing_for_zero(text: str) -> str:
    return str(sum(map(int, text.split())) or "")


def largest__four_digits_kept(text: str) -> str:
    total = sum(map(int, text.split()))
    return str(total % 10000 if total >= 0 else -(-total % 10000))
