"""Wrong ways to echo a line, by the edge class that catches each."""

from __future__ import annotations

import re


def empty__zero_byte_printed(text: str) -> str:
    return text or "\0"


def single__last_character_lost(text: str) -> str:
    return text[:-1]


def spaces__stripped(text: str) -> str:
    return text.strip()


def spaces__runs_joined(text: str) -> str:
    return re.sub(" +", " ", text)


def punctuation__only_letters(text: str) -> str:
    return "".join(sign for sign in text if sign.isalpha() or sign == " ")


def words__first_word_only(text: str) -> str:
    return text.split(" ")[0]


def long__buffer_of_128(text: str) -> str:
    return text[:128]
