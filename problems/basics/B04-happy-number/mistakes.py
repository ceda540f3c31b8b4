"""Wrong solutions of B04, by the edge class that catches each."""

from __future__ import annotations


def _final(number: int, power: int = 2) -> int:
    for _ in range(100):
        if number in (1, 4):
            break
        number = sum(int(digit) ** power for digit in str(number))
    return number


def one__already_done_is_sad(text: str) -> str:
    return "happy" if text != "1" and _final(int(text)) == 1 else "sad"


def four__everything_is_happy(text: str) -> str:
    return "happy"


def happy__one_round_only(text: str) -> str:
    return "happy" if text == "1" else "sad"


def sad__squares_the_sum(text: str) -> str:
    return "sad" if _final(int(text)) == 1 else "happy"


def zeros__stops_at_a_zero(text: str) -> str:
    return "sad" if "0" in text else "happy"
