"""Wrong ways to join two lines, by the edge class that catches each."""

from __future__ import annotations

import re


def first_empty__no_space(text: str) -> str:
    return " ".join(filter(None, text.split("\n")))


def first_empty__ends_at_the_empty_line(text: str) -> str:
    first, second = text.split("\n")
    return f"{first} {second}" if first else ""


def single__no_space(text: str) -> str:
    return text.replace("\n", "")


def words__newline_kept(text: str) -> str:
    return text


def spaces__stripped(text: str) -> str:
    return " ".join(line.strip() for line in text.split("\n"))


def spaces__runs_joined(text: str) -> str:
    return re.sub(" +", " ", text.replace("\n", " "))


def punctuation__only_letters(text: str) -> str:
    return "".join(sign for sign in text.replace("\n", " ") if sign.isalpha() or sign == " ")


def long__buffer_of_32(text: str) -> str:
    return " ".join(line[:32] for line in text.split("\n"))
