"""Wrong ways to remove vowels, by the edge class that catches each."""

from __future__ import annotations


def without(text: str, vowels: str) -> str:
    return "".join(sign for sign in text if sign not in vowels)


def empty__blank_for_nothing(text: str) -> str:
    return without(text, "aeiouAEIOU") or " "


def only__removed_while_walking(text: str) -> str:
    signs = list(text)
    for sign in signs:
        if sign in "aeiouAEIOU":
            signs.remove(sign)
    return "".join(signs)


def only__vowels_kept(text: str) -> str:
    return "".join(sign for sign in text if sign in "aeiouAEIOU")


def none__y_removed(text: str) -> str:
    return without(text, "aeiouyAEIOUY")


def none__stops_without_a_vowel(text: str) -> str:
    return without(text, "aeiouAEIOU") if set(text) & set("aeiouAEIOU") else ""


def upper__lower_case_only(text: str) -> str:
    return without(text, "aeiou")


def upper__case_lost(text: str) -> str:
    return without(text.lower(), "aeiou")


def each__u_forgotten(text: str) -> str:
    return without(text, "aeioAEIO")


def each__first_of_each_only(text: str) -> str:
    for vowel in "aeiou":
        text = text.replace(vowel, "", 1)
    return text


def long__spaces_removed(text: str) -> str:
    return without(text, "aeiouAEIOU ")


def long__first_80_only(text: str) -> str:
    return without(text[:80], "aeiouAEIOU")
