"""Wrong solutions of B01, by the edge class that catches each."""

from __future__ import annotations


def none__no_default(text: str) -> str:
    return f"Hi, {text}!"


def short__one_letter_is_not_a_name(text: str) -> str:
    return f"Hi, {text if len(text) > 1 else 'you'}!"


def long__cut_at_nineteen(text: str) -> str:
    return f"Hi, {text[:19] or 'you'}!"


def usual__capitalized(text: str) -> str:
    return f"Hi, {text.swapcase() or 'you'}!"


def usual__no_exclamation_mark(text: str) -> str:
    return f"Hi, {text or 'you'}"
