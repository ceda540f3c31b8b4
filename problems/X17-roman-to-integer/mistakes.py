"""Wrong ways to read Roman numerals, by the edge class that catches each."""

from __future__ import annotations

VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def _value(text: str) -> int:
    values = [VALUES[letter] for letter in text]
    following = [*values[1:], 0]
    return sum(-a if a < b else a for a, b in zip(values, following, strict=True))


def single__last_letter_not_settled(text: str) -> str:
    return str(_value(text) - VALUES[text[-1]])


def additive__equal_letters_subtract(text: str) -> str:
    values = [VALUES[letter] for letter in text]
    following = [*values[1:], 0]
    return str(sum(-a if a <= b else a for a, b in zip(values, following, strict=True)))


def fours__added(text: str) -> str:
    return str(sum(VALUES[letter] for letter in text))


def fours__subtracted_once_from_the_sum(text: str) -> str:
    total = sum(VALUES[letter] for letter in text)
    less = [VALUES[pair[0]] for pair in ("IV", "XL", "CD", "IX", "XC", "CM") if pair in text]
    return str(total - sum(less))


def nines__only_fours_known(text: str) -> str:
    total = sum(VALUES[letter] for letter in text)
    return str(total - 2 * sum(VALUES[pair[0]] for pair in ("IV", "XL", "CD") if pair in text))


def nines__from_left_to_right_without_looking_ahead(text: str) -> str:
    total = last = 0
    for letter in text:
        value = VALUES[letter]
        total += value - last if value > last else value
        last = value
    return str(total)


def longest__each_letter_once(text: str) -> str:
    return str(_value("".join(dict.fromkeys(text))))


def longest__kept_in_a_byte(text: str) -> str:
    return str(_value(text) % 256)


def largest__one_thousand_at_most(text: str) -> str:
    return str(_value(text.lstrip("M")) + 1000)
