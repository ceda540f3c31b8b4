"""Wrong ways to find the ends of a line, by the edge class that catches each."""

from __future__ import annotations


def single__printed_once(text: str) -> str:
    return f"{text[0]} {text[-1]}" if len(text) > 1 else text


def pair__no_space(text: str) -> str:
    return text[0] + text[-1]


def pair__last_one_first(text: str) -> str:
    return f"{text[-1]} {text[0]}"


def same__printed_once(text: str) -> str:
    return text[0] if text[0] == text[-1] else f"{text[0]} {text[-1]}"


def spaces__stripped(text: str) -> str:
    line = text.strip()
    return f"{line[0]} {line[-1]}"


def words__of_the_first_word(text: str) -> str:
    word = text.split(" ")[0]
    return f"{word[0]} {word[-1]}"


def long__buffer_of_64(text: str) -> str:
    return f"{text[0]} {text[:64][-1]}"
