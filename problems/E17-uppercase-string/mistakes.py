"""Wrong ways to put a line into upper case, by the edge class that catches each."""

from __future__ import annotations


def empty__zero_byte_printed(text: str) -> str:
    return text.upper() or "\0"


def lower__first_letter_only(text: str) -> str:
    return text[:1].upper() + text[1:]


def mixed__cases_swapped(text: str) -> str:
    return text.swapcase()


def mixed__first_letters_of_words(text: str) -> str:
    return text.title()


def neighbours__grave_taken_for_a_letter(text: str) -> str:
    return text.upper().replace("`", "@")


def neighbours__brace_taken_for_a_letter(text: str) -> str:
    return text.upper().replace("{", "[")


def neighbours__z_left_out(text: str) -> str:
    return "".join(letter if letter == "z" else letter.upper() for letter in text)


def no_letters__every_sign_shifted(text: str) -> str:
    return "".join(chr(ord(sign) & 0b1011111) for sign in text)


def long__buffer_of_64(text: str) -> str:
    return text[:64].upper()
