"""Wrong ways to tell whether 3 divides a number, by the edge class that catches each."""

from __future__ import annotations


def zero__refused(text: str) -> str:
    return answer(int(text) > 0 and int(text) % 3 == 0)


def last_digit__nothing_else_read(text: str) -> str:
    return answer(int(text[-1]) % 3 == 0)


def scattered__each_digit_by_itself(text: str) -> str:
    return answer(all(int(digit) % 3 == 0 for digit in text))


def scattered__last_digit_missed(text: str) -> str:
    return answer(int(text[:-1]) % 3 == 0)


def not_nine__sum_reduced_to_nine(text: str) -> str:
    return answer(int(text) % 9 == 0)


def remainder_two__only_one_refused(text: str) -> str:
    return answer(int(text) % 3 != 1)


def long__sum_in_a_byte(text: str) -> str:
    return answer(sum(map(int, text)) % 256 % 3 == 0)


def answer(divisible: bool) -> str:
    return "yes" if divisible else "no"
