"""Wrong ways to sum digits, by the edge class that catches each."""

from __future__ import annotations


def zero__nothing_printed(text: str) -> str:
    return str(sum(digits(text)) or "")


def single__last_digit_left_out(text: str) -> str:
    return str(sum(digits(text)[:-1]))


def negative__sign_kept(text: str) -> str:
    return ("-" if text.startswith("-") else "") + str(sum(digits(text)))


def negative__minus_taken_for_a_digit(text: str) -> str:
    return str(sum(ord(sign) - ord("0") for sign in text))


def zeros__ends_at_zero(text: str) -> str:
    return str(sum(digits(text.split("0")[0])))


def ten__summed_again(text: str) -> str:
    total = sum(digits(text))
    return str((total - 1) % 9 + 1 if total else 0)


def ten__zero_lost(text: str) -> str:
    return str(sum(digits(text))).rstrip("0")


def nines__two_digits_kept(text: str) -> str:
    return str(sum(digits(text)) % 100)


def digits(text: str) -> list[int]:
    return [int(sign) for sign in text.lstrip("-")]
