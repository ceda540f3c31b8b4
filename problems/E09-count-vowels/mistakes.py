"""Wrong ways to count vowels, by the edge class that catches each."""

from __future__ import annotations


def empty__nothing_printed(text: str) -> str:
    return str(count(text) or "")


def none__y_is_one(text: str) -> str:
    return str(count(text, "aeiouyAEIOUY"))


def upper__lower_case_only(text: str) -> str:
    return str(count(text, "aeiou"))


def each__u_forgotten(text: str) -> str:
    return str(count(text, "aeioAEIO"))


def each__kinds_instead_of_letters(text: str) -> str:
    return str(len(set("aeiou") & set(text.lower())))


def sentence__first_word_only(text: str) -> str:
    return str(count(text.split(" ")[0]))


def many__two_digits_kept(text: str) -> str:
    return str(count(text) % 100)


def many__one_byte(text: str) -> str:
    return str(count(text) % 256)


def count(text: str, vowels: str = "aeiouAEIOU") -> int:
    return sum(sign in vowels for sign in text)
