"""Wrong solutions of B11, by the edge class that catches each."""

from __future__ import annotations


def counts(text: str, letters: str) -> str:
    return "".join(f"{sign}{text.count(sign)}" for sign in letters if sign in text)


def empty__a_zero(text: str) -> str:
    return counts(text, "abcdef") or "0"


def all__five_letters(text: str) -> str:
    return counts(text, "abcde")


def ten__one_digit(text: str) -> str:
    return "".join(f"{sign}{text.count(sign) % 10}" for sign in "abcdef" if sign in text)


def order__first_occurrence(text: str) -> str:
    return counts(text, "".join(dict.fromkeys(text)))


def usual__letters_that_do_not_occur(text: str) -> str:
    return "".join(f"{sign}{text.count(sign)}" for sign in "abcdef")
