"""Wrong ways to recognise a palindrome, by the edge class that catches each."""

from __future__ import annotations


def said(answer: bool) -> str:
    return "yes" if answer else "no"


def empty__nothing_is_none(text: str) -> str:
    return said(text != "" and text == text[::-1])


def odd__middle_left_in_one_half(text: str) -> str:
    half = len(text) // 2
    return said(text[:half] == text[half:][::-1])


def even__middle_always_left_out(text: str) -> str:
    half = len(text) // 2
    return said(text[:half] == text[half + 1 :][::-1])


def middle__last_pair_not_compared(text: str) -> str:
    return said(all(text[i] == text[-1 - i] for i in range(len(text) // 2 - 1)))


def middle__only_the_ends_compared(text: str) -> str:
    return said(text[:1] == text[-1:])


def case__case_ignored(text: str) -> str:
    return said(text.lower() == text.lower()[::-1])


def case__ends_not_compared(text: str) -> str:
    return said(text[1:-1] == text[1:-1][::-1])


def spaces__spaces_ignored(text: str) -> str:
    text = text.replace(" ", "")
    return said(text == text[::-1])


def spaces__halves_with_the_same_characters(text: str) -> str:
    half = len(text) // 2
    return said(sorted(text[:half]) == sorted(text[-half:]))
