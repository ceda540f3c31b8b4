"""Wrong ways to greet, by the edge class that catches each."""

from __future__ import annotations

import string


def empty__greets_nobody(text: str) -> str:
    return f"Hello, {text}!" if text else ""


def single__last_character_lost(text: str) -> str:
    return f"Hello, {text[:-1]}!"


def name__in_lower_case(text: str) -> str:
    return f"Hello, {text.lower()}!"


def name__no_comma(text: str) -> str:
    return f"Hello {text}!"


def full_name__first_word_only(text: str) -> str:
    return f"Hello, {text.split(' ')[0]}!"


def full_name__spaces_lost(text: str) -> str:
    return f"Hello, {text.replace(' ', '')}!"


def punctuation__trimmed(text: str) -> str:
    return f"Hello, {text.strip(string.punctuation)}!"


def long__buffer_of_32(text: str) -> str:
    return f"Hello, {text[:32]}!"
