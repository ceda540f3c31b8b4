"""Wrong ways to add up codes, by the edge class that catches each."""

from __future__ import annotations


def empty__nothing_printed(text: str) -> str:
    return str(total(text) or "")


def single__last_character_missed(text: str) -> str:
    return str(total(text[:-1]))


def single__places_in_the_alphabet(text: str) -> str:
    return str(sum(ord(sign) - 96 for sign in text))


def spaces__stripped(text: str) -> str:
    return str(total(text.strip()))


def spaces__not_counted(text: str) -> str:
    return str(total(text.replace(" ", "")))


def multiple__in_a_byte(text: str) -> str:
    return str(total(text) % 256)


def zeros__left_out(text: str) -> str:
    return str(total(text)).replace("0", "")


def longest__four_digits_kept(text: str) -> str:
    return str(total(text) % 10000)


def total(text: str) -> int:
    return sum(map(ord, text))
