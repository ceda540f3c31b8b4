"""Wrong ways to print every other character, by the edge class that catches each."""

from __future__ import annotations


def empty__end_of_input_printed(text: str) -> str:
    return text[::2] or "\0"


def single__indices_from_one(text: str) -> str:
    return text[1::2]


def single__only_full_pairs(text: str) -> str:
    return "".join(text[i] for i in range(0, len(text) - 1, 2))


def even__last_character_always(text: str) -> str:
    return text[:-1:2] + text[-1:]


def even__end_printed_in_pairs(text: str) -> str:
    return text[::2] + ("\0" if len(text) % 2 == 0 else "")


def odd__last_character_lost(text: str) -> str:
    return text[:-1:2]


def odd__counted_from_the_end(text: str) -> str:
    return text[-2::-2][::-1]


def spaces__ends_stripped(text: str) -> str:
    return text.strip()[::2]


def spaces__spaces_not_counted(text: str) -> str:
    return text.replace(" ", "")[::2]


def spaces__each_word_anew(text: str) -> str:
    return " ".join(word[::2] for word in text.split(" "))


def long__first_80_only(text: str) -> str:
    return text[:80:2]
