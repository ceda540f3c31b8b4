"""Wrong ways to count different characters, by the edge class that catches each."""

from __future__ import annotations

from itertools import groupby


def empty__one_for_nothing(text: str) -> str:
    return str(max(1, len(set(text))))


def same__all_characters_counted(text: str) -> str:
    return str(len(text))


def same__repetitions_counted(text: str) -> str:
    return str(len(text) - len(set(text)))


def returning__runs_counted(text: str) -> str:
    return str(len(list(groupby(text))))


def returning__only_those_that_occur_once(text: str) -> str:
    return str(sum(text.count(sign) == 1 for sign in text))


def case__case_ignored(text: str) -> str:
    return str(len(set(text.lower())))


def case__lower_case_only(text: str) -> str:
    return str(sum(sign.islower() for sign in set(text)))


def spaces__space_not_counted(text: str) -> str:
    return str(len(set(text) - {" "}))


def spaces__every_space_counted(text: str) -> str:
    return str(len(set(text) - {" "}) + text.count(" "))


def all__letters_only(text: str) -> str:
    return str(sum(sign.isalpha() for sign in set(text)))


def all__one_digit_printed(text: str) -> str:
    return str(len(set(text)))[-1]


def all__32_kinds_at_most(text: str) -> str:
    return str(min(32, len(set(text))))
