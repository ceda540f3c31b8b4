"""Wrong ways to shift letters, by the edge class that catches each."""

from __future__ import annotations

from math import fmod


def negative__sign_lost(text: str) -> str:
    shift, letters = parts(text)
    return shifted(abs(shift), letters)


def negative__below_a(text: str) -> str:
    shift, letters = parts(text)
    return "".join(chr(ord(letter) + shift) for letter in letters)


def wrap__beyond_z(text: str) -> str:
    shift, letters = parts(text)
    return "".join(chr(ord(letter) + shift) for letter in letters)


def wrap__one_too_far(text: str) -> str:
    shift, letters = parts(text)
    return "".join(chr(97 + (ord(letter) - 97 + shift) % 25) for letter in letters)


def turns__alphabet_of_twenty_five(text: str) -> str:
    shift, letters = parts(text)
    return shifted(shift % 25, letters)


def far__corrected_once(text: str) -> str:
    shift, letters = parts(text)
    codes = [ord(letter) + shift for letter in letters]
    return "".join(chr(code - 26 if code > 122 else code) for code in codes)


def far__in_a_byte(text: str) -> str:
    shift, letters = parts(text)
    return shifted(shift % 256, letters)


def far_negative__remainder_with_a_sign(text: str) -> str:
    shift, letters = parts(text)
    return "".join(chr(97 + int(fmod(ord(letter) - 97 + shift, 26))) for letter in letters)


def far_negative__corrected_once(text: str) -> str:
    shift, letters = parts(text)
    codes = [ord(letter) + shift for letter in letters]
    return "".join(chr(code + 26 if code < 97 else code) for code in codes)


def longest__last_letter_missed(text: str) -> str:
    shift, letters = parts(text)
    return shifted(shift, letters[:-1])


def parts(text: str) -> tuple[int, str]:
    number, letters = text.split("\n")
    return int(number), letters


def shifted(shift: int, letters: str) -> str:
    return "".join(chr(97 + (ord(letter) - 97 + shift) % 26) for letter in letters)
