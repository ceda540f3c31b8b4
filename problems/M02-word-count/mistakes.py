"""Wrong ways to count words, by the edge class that catches each."""

from __future__ import annotations

import re


def empty__one_more_than_spaces(text: str) -> str:
    return str(text.count(" ") + 1)


def single__spaces_counted(text: str) -> str:
    return str(text.count(" "))


def letters__one_letter_is_no_word(text: str) -> str:
    return str(sum(len(word) > 1 for word in text.split()))


def signs__words_of_letters_and_digits(text: str) -> str:
    return str(len(re.findall(r"\w+", text)))


def signs__words_start_with_a_letter(text: str) -> str:
    return str(sum(word[0].isalpha() for word in text.split()))


def round__zeros_at_the_end_lost(text: str) -> str:
    return str(len(text.split())).rstrip("0")


def round__last_word_missed(text: str) -> str:
    return str(len(re.findall(r"\S+ ", text)))


def over_255__byte_wraps(text: str) -> str:
    return str(len(text.split()) % 256)
