"""Wrong ways to encode runs, by the edge class that catches each."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby


def runs(text: str) -> list[tuple[str, int]]:
    return [(sign, len(list(run))) for sign, run in groupby(text)]


def empty__a_run_of_nothing(text: str) -> str:
    return "".join(f"{sign}{length}" for sign, length in runs(text)) or "0"


def alone__ones_left_out(text: str) -> str:
    return "".join(sign + (str(length) if length > 1 else "") for sign, length in runs(text))


def alone__last_run_missing(text: str) -> str:
    return "".join(f"{sign}{length}" for sign, length in runs(text)[:-1])


def spaces__ends_stripped(text: str) -> str:
    return "".join(f"{sign}{length}" for sign, length in runs(text.strip()))


def spaces__spaces_skipped(text: str) -> str:
    return "".join(f"{sign}{length}" for sign, length in runs(text) if sign != " ")


def returning__counted_in_the_whole_line(text: str) -> str:
    return "".join(f"{sign}{count}" for sign, count in Counter(text).items())


def round__one_digit_printed(text: str) -> str:
    return "".join(sign + chr(48 + length) for sign, length in runs(text))


def round__runs_end_at_nine(text: str) -> str:
    pieces = re.findall(r"((.)\2{0,8})", text)
    return "".join(f"{sign}{len(piece)}" for piece, sign in pieces)


def over_255__byte_wraps(text: str) -> str:
    return "".join(f"{sign}{length % 256}" for sign, length in runs(text))
