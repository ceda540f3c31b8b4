"""Wrong ways to write Roman numerals, by the edge class that catches each."""

from __future__ import annotations

UNITS = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
PLACES = ["IVX", "XLC", "CDM", "M??"]


def _roman(text: str, units: list[str] = UNITS) -> str:
    parts = ""
    for digit, letters in zip(text[::-1], PLACES, strict=False):
        parts = units[int(digit)].translate(str.maketrans("IVX", letters)) + parts
    return parts


def _changed(**digits: str) -> list[str]:
    """Return the units, some of them written in another way."""
    return [digits.get(f"_{at}", unit) for at, unit in enumerate(UNITS)]


def digit__one_place_too_high(text: str) -> str:
    return _roman(text + "0")


def fours__four_equal_letters(text: str) -> str:
    return _roman(text, _changed(_4="IIII"))


def fours__ten_instead_of_five(text: str) -> str:
    return _roman(text, _changed(_4="IX"))


def nines__five_and_four_ones(text: str) -> str:
    return _roman(text, _changed(_9="VIIII"))


def nines__five_and_four(text: str) -> str:
    return _roman(text, _changed(_9="VIV"))


def zeros__end_the_number(text: str) -> str:
    digits = text.partition("0")[0]
    return _roman(digits + "0" * (len(text) - len(digits)))


def zeros__left_out(text: str) -> str:
    return _roman(text.replace("0", ""))


def longest__eight_as_two_before_ten(text: str) -> str:
    return _roman(text, _changed(_8="IIX"))


def longest__ones_only(text: str) -> str:
    return _roman(text, _changed(_5="IIIII", _6="IIIIII", _7="IIIIIII", _8="IIIIIIII"))


def largest__three_digits_only(text: str) -> str:
    return _roman(text[-3:])


def largest__kept_in_a_byte(text: str) -> str:
    return _roman(str(int(text) % 256))
