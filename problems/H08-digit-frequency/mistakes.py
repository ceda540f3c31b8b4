"""Wrong ways to count digits, by the edge class that catches each."""

from __future__ import annotations


def empty__nothing_printed(text: str) -> str:
    return " ".join(counts(text)) if text else ""


def zeros__read_as_a_number(text: str) -> str:
    return " ".join(counts(str(int(text))))


def ends__nine_left_out(text: str) -> str:
    return " ".join(counts(text)[:9])


def ends__zero_left_out(text: str) -> str:
    return " ".join(counts(text)[1:])


def missing__left_out(text: str) -> str:
    return " ".join(count for count in counts(text) if count != "0")


def repeated__one_character_for_a_count(text: str) -> str:
    return " ".join(chr(48 + int(count)) for count in counts(text))


def repeated__zeros_at_the_end_lost(text: str) -> str:
    return " ".join(count.rstrip("0") or "0" for count in counts(text))


def longest__last_digit_missed(text: str) -> str:
    return " ".join(counts(text[:-1]))


def longest__in_the_order_they_come(text: str) -> str:
    return " ".join(str(text.count(digit)) for digit in dict.fromkeys(text + "0123456789"))


def counts(text: str) -> list[str]:
    return [str(text.count(digit)) for digit in "0123456789"]
