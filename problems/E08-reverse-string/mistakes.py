"""Wrong ways to reverse a line, by the edge class that catches each."""

from __future__ import annotations


def empty__zero_byte_printed(text: str) -> str:
    return text[::-1] or "\0"


def single__first_character_lost(text: str) -> str:
    return text[:0:-1]


def pair__unchanged(text: str) -> str:
    return text


def spaces__stripped(text: str) -> str:
    return text.strip()[::-1]


def punctuation__brackets_mirrored(text: str) -> str:
    return text[::-1].translate(str.maketrans("()[]{}<>", ")(][}{><"))


def punctuation__only_letters(text: str) -> str:
    return "".join(sign for sign in text[::-1] if sign.isalpha())


def long__buffer_of_64(text: str) -> str:
    return text[:64][::-1]
