"""Wrong ways to repeat a text, by the edge class that catches each."""

from __future__ import annotations


def zero__printed_once(text: str) -> str:
    number, line = text.split("\n")
    return line * max(1, int(number))


def once__one_time_less(text: str) -> str:
    number, line = text.split("\n")
    return line * (int(number) - 1)


def single__one_time_more(text: str) -> str:
    number, line = text.split("\n")
    return line * (int(number) + 1)


def single__space_between(text: str) -> str:
    number, line = text.split("\n")
    return " ".join([line] * int(number))


def digits__taken_into_the_number(text: str) -> str:
    number, line = text.split("\n")
    return line * int(number + line[0]) if line[0].isdigit() else line * int(number)


def digits__stripped(text: str) -> str:
    number, line = text.split("\n")
    return line.strip("0123456789 ") * int(number)


def two_digits__first_digit_read(text: str) -> str:
    number, line = text.split("\n")
    return line * int(number[0])


def many__buffer_of_1024(text: str) -> str:
    number, line = text.split("\n")
    return (line * int(number))[:1024]
