"""Wrong ways to remove duplicates, by the edge class that catches each."""

from __future__ import annotations

import re
from itertools import groupby, pairwise


def empty__first_character_taken_for_granted(text: str) -> str:
    return text[0] + "".join(y for x, y in pairwise(text) if x != y)


def one_run__pairs_made_single(text: str) -> str:
    return re.sub(r"(.)\1", r"\1", text)


def one_run__removed(text: str) -> str:
    return "".join(sign for sign, run in groupby(text) if len(list(run)) == 1)


def apart__every_later_one_removed(text: str) -> str:
    return "".join(dict.fromkeys(text))


def spaces__kept(text: str) -> str:
    return re.sub(r"(\S)\1+", r"\1", text)


def spaces__stripped(text: str) -> str:
    return once(text).strip()


def case__not_told_apart(text: str) -> str:
    return "".join(next(run) for _, run in groupby(text, str.lower))


def longest__last_run_missed(text: str) -> str:
    return once(text)[:-1]


def once(text: str) -> str:
    return "".join(sign for sign, _ in groupby(text))
