"""Wrong solutions of B07, by the edge class that catches each."""

from __future__ import annotations


def one__the_whole_word(text: str) -> str:
    words = text.split(" ")
    return text.upper() if len(words) == 1 else "".join(word[0] for word in words).upper()


def letters__left_out(text: str) -> str:
    return "".join(word[0] for word in text.split(" ") if len(word) > 1).upper()


def many__first_five(text: str) -> str:
    return "".join(word[0] for word in text.split(" ")[:5]).upper()


def usual__lower_case(text: str) -> str:
    return "".join(word[0] for word in text.split(" "))


def usual__last_letters(text: str) -> str:
    return "".join(word[-1] + word[0] for word in text.split(" ")).upper()
