"""Wrong ways to interleave two lines, by the edge class that catches each."""

from __future__ import annotations


def merged(first: str, second: str) -> str:
    return "".join(a + b for a, b in zip(first, second, strict=False))


def lines(text: str) -> tuple[str, str]:
    first, second = text.split("\n")
    return first, second


def single__second_first(text: str) -> str:
    first, second = lines(text)
    return merged(second, first)


def single__last_of_second_missed(text: str) -> str:
    return merged(*lines(text))[:-1]


def pair__one_after_the_other(text: str) -> str:
    return "".join(lines(text))


def pair__second_backwards(text: str) -> str:
    first, second = lines(text)
    return merged(first, second[::-1])


def same__each_character_once(text: str) -> str:
    return "".join(a if a == b else a + b for a, b in zip(*lines(text), strict=True))


def spaces__ends_stripped(text: str) -> str:
    first, second = lines(text)
    return merged(first.strip(), second.strip())


def spaces__split_into_words(text: str) -> str:
    first, second = text.split()[:2]
    return merged(first, second)


def digits__read_as_numbers(text: str) -> str:
    return merged(*(str(int(line)) for line in lines(text)))


def long__first_32_only(text: str) -> str:
    return merged(*lines(text))[:64]
