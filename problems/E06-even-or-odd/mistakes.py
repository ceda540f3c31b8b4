"""Wrong ways to tell even from odd, by the edge class that catches each."""

from __future__ import annotations

import math


def zero__counts_as_odd(text: str) -> str:
    return "even" if int(text) and int(text) % 2 == 0 else "odd"


def single__the_other_way_round(text: str) -> str:
    return "even" if int(text) % 2 else "odd"


def negative_odd__remainder_of_minus_one(text: str) -> str:
    return "odd" if math.fmod(int(text), 2) == 1 else "even"


def negative_even__only_positive_are_even(text: str) -> str:
    return "even" if int(text) >= 0 and int(text) % 2 == 0 else "odd"


def misleading__first_digit_decides(text: str) -> str:
    return "odd" if int(text.lstrip("-")[0]) % 2 else "even"


def misleading__last_digit_left_out(text: str) -> str:
    return "odd" if int(text.lstrip("-")[:-1] or 0) % 2 else "even"


def long__as_floating_point(text: str) -> str:
    return "odd" if float(text) % 2 else "even"
