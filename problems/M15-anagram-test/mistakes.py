"""Wrong ways to recognise anagrams, by the edge class that catches each."""

from __future__ import annotations

from collections import Counter


def lines(text: str) -> tuple[str, str]:
    first, second = text.split("\n")
    return first, second


def said(answer: bool) -> str:
    return "yes" if answer else "no"


def empty__only_first_checked(text: str) -> str:
    first, second = map(Counter, lines(text))
    return said(first <= second)


def empty__empty_line_skipped(text: str) -> str:
    words = [sorted(line) for line in text.split("\n") if line]
    return said(words[0] == words[-1])


def equal__must_differ(text: str) -> str:
    first, second = lines(text)
    return said(first != second and sorted(first) == sorted(second))


def shuffled__compared_in_order(text: str) -> str:
    first, second = lines(text)
    return said(first == second)


def shuffled__compared_backwards(text: str) -> str:
    first, second = lines(text)
    return said(first == second[::-1])


def shorter__only_second_checked(text: str) -> str:
    first, second = map(Counter, lines(text))
    return said(second <= first)


def shorter__each_letter_found_somewhere(text: str) -> str:
    first, second = lines(text)
    return said(all(letter in first for letter in second))


def counts__same_set_of_letters(text: str) -> str:
    first, second = lines(text)
    return said(set(first) == set(second))


def counts__set_and_length(text: str) -> str:
    first, second = lines(text)
    return said(len(first) == len(second) and set(first) == set(second))


def sums__codes_added(text: str) -> str:
    first, second = lines(text)
    return said(sum(map(ord, first)) == sum(map(ord, second)))


def sums__only_lengths_compared(text: str) -> str:
    first, second = lines(text)
    return said(len(first) == len(second))
