"""Wrong ways to read a binary number, by the edge class that catches each."""

from __future__ import annotations


def single__newline_after_it(text: str) -> str:
    return f"{int(text, 2)}\n"


def zeros__nothing_printed(text: str) -> str:
    return str(int(text, 2) or "")


def zeros__digits_copied(text: str) -> str:
    return text if "1" not in text else str(int(text, 2))


def leading__least_significant_first(text: str) -> str:
    return str(int(text[::-1], 2))


def leading__ends_at_the_first_zero(text: str) -> str:
    return str(int(text.split("0")[0] or "0", 2))


def power__ones_counted(text: str) -> str:
    return str(text.count("1"))


def power__wraps_at_256(text: str) -> str:
    return str(int(text, 2) % 256)


def ones__the_next_power(text: str) -> str:
    return str(2 ** len(text) if "0" not in text else int(text, 2))


def ones__doubled_once_more(text: str) -> str:
    return str(2 * int(text, 2))


def largest__wraps_at_16_bits(text: str) -> str:
    return str(int(text, 2) % 2**16)


def largest__taken_for_decimal(text: str) -> str:
    return str(int(text))
