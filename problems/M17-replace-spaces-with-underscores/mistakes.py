"""Wrong ways to replace spaces, by the edge class that catches each."""

from __future__ import annotations

import re


def empty__underscore_for_nothing(text: str) -> str:
    return text.replace(" ", "_") or "_"


def only__stripped(text: str) -> str:
    return text.strip(" ").replace(" ", "_")


def only__spaces_removed(text: str) -> str:
    return text.replace(" ", "")


def ends__spaces_at_the_end_lost(text: str) -> str:
    return text.rstrip(" ").replace(" ", "_")


def ends__spaces_in_front_lost(text: str) -> str:
    return text.lstrip(" ").replace(" ", "_")


def doubled__one_for_a_run(text: str) -> str:
    return re.sub(" +", "_", text)


def doubled__words_joined(text: str) -> str:
    return "_".join(text.split())


def underscores__both_exchanged(text: str) -> str:
    return text.translate(str.maketrans(" _", "_ "))


def underscores__every_sign_replaced(text: str) -> str:
    return re.sub(r"\W", "_", text)


def long__first_space_only(text: str) -> str:
    return text.replace(" ", "_", 1)


def long__first_80_only(text: str) -> str:
    return text[:80].replace(" ", "_")
