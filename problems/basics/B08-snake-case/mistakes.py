"""Wrong solutions of B08, by the edge class that catches each."""

from __future__ import annotations

import re


def plain__underscore_at_the_start(text: str) -> str:
    return "_" + re.sub("[A-Z]", lambda found: "_" + found[0].lower(), text)


def single__needs_two(text: str) -> str:
    return "" if len(text) == 1 else re.sub("[A-Z]", lambda found: "_" + found[0].lower(), text)


def usual__capitals_remain(text: str) -> str:
    return re.sub("[A-Z]", lambda found: "_" + found[0], text)


def usual__first_word_only(text: str) -> str:
    return re.sub("[A-Z]", lambda found: "_" + found[0].lower(), text, count=1)


def capitals__one_underscore_for_a_group(text: str) -> str:
    return re.sub("[A-Z]+", lambda found: "_" + found[0].lower(), text)


def last__not_a_word(text: str) -> str:
    return re.sub("[A-Z](?=.)", lambda found: "_" + found[0].lower(), text).lower()
