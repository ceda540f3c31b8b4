"""Wrong ways to find the longest word, by the edge class that catches each."""

from __future__ import annotations

import re


def empty__first_word_taken_for_granted(text: str) -> str:
    return max(re.findall(r"\S+", text), key=len)


def single__length_printed(text: str) -> str:
    return str(len(max(text.split(" "), key=len)))


def tie__last_of_equals(text: str) -> str:
    return max(reversed(text.split(" ")), key=len)


def tie__least_of_equals(text: str) -> str:
    return min(text.split(" "), key=lambda word: (-len(word), word))


def tie__greatest_of_equals(text: str) -> str:
    return max(text.split(" "), key=lambda word: (len(word), word))


def last__only_words_before_a_space(text: str) -> str:
    return max(text.split(" ")[:-1], key=len)


def last__always_the_first(text: str) -> str:
    return text.split(" ")[0]


def marks__letters_only(text: str) -> str:
    return max(re.findall("[A-Za-z]+", text), key=len)


def marks__letters_counted(text: str) -> str:
    return max(text.split(" "), key=lambda word: len(re.findall("[A-Za-z]", word)))


def longest__last_character_missed(text: str) -> str:
    return max(text.split(" "), key=len)[:-1]
