"""Wrong ways to average two integers, by the edge class that catches each."""

from __future__ import annotations

import math


def exact__not_halved(text: str) -> str:
    return str(total(text))


def half__rounded_up(text: str) -> str:
    return str(-(-total(text) // 2))


def negative_half__rounded_down(text: str) -> str:
    return str(total(text) // 2)


def near_zero__rounded_away_from_zero(text: str) -> str:
    half = (abs(total(text)) + 1) // 2
    return str(half if total(text) >= 0 else -half)


def near_zero__nothing_printed(text: str) -> str:
    return str(math.trunc(total(text) / 2) or "")


def opposite__each_halved_first(text: str) -> str:
    return str(sum(int(number) // 2 for number in text.split()))


def largest__sum_of_four_digits(text: str) -> str:
    half = abs(total(text)) % 10000 // 2
    return str(half if total(text) >= 0 else -half)


def total(text: str) -> int:
    return sum(map(int, text.split()))
