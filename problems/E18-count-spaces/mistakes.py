"""Wrong ways to count spaces, by the edge class that catches each."""

from __future__ import annotations

import re


def empty__nothing_printed(text: str) -> str:
    return str(text.count(" ") or "")


def none__next_sign_counted(text: str) -> str:
    return str(text.count(" ") + text.count("!"))


def only__nothing_between_words(text: str) -> str:
    return str(max(len(text.split()) - 1, 0))


def ends__stripped(text: str) -> str:
    return str(text.strip().count(" "))


def ends__runs_counted(text: str) -> str:
    return str(len(re.findall(" +", text)))


def words__words_counted(text: str) -> str:
    return str(len(text.split()))


def many__two_digits_kept(text: str) -> str:
    return str(text.count(" ") % 100)


def many__one_byte(text: str) -> str:
    return str(text.count(" ") % 256)
