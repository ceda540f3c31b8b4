"""Wrong ways to shift letters, by the edge class that catches each."""

from __future__ import annotations


def shifted(text: str, by: int, letters: int = 26) -> str:
    return "".join(chr((ord(letter) - 97 + by) % letters + 97) for letter in text)


def empty__end_of_input_shifted(text: str) -> str:
    return shifted(text, 3) or "\x03"


def single__last_letter_lost(text: str) -> str:
    return shifted(text[:-1], 3)


def wrap__not_wrapped(text: str) -> str:
    return "".join(chr(ord(letter) + 3) for letter in text)


def wrap__always_to_a(text: str) -> str:
    return "".join("a" if letter > "w" else shifted(letter, 3) for letter in text)


def border__w_wrapped_too(text: str) -> str:
    return "".join(
        chr(ord(letter) - 23) if letter >= "w" else chr(ord(letter) + 3) for letter in text
    )


def border__alphabet_of_25(text: str) -> str:
    return shifted(text, 3, 25)


def alphabet__shifted_back(text: str) -> str:
    return shifted(text, -3)


def alphabet__shifted_by_two(text: str) -> str:
    return shifted(text, 2)


def long__first_80_only(text: str) -> str:
    return shifted(text[:80], 3)
