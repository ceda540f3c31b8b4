"""How wide a text is: letters of East Asia take two columns, signs that combine none (UAX #11)."""

from __future__ import annotations

from itertools import accumulate
from unicodedata import combining, east_asian_width


def columns_of(text: str) -> int:
    """The columns that a terminal gives the text, whose characters are all printable."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def shortened_to(text: str, columns: int) -> str:
    """The text, cut where it has more columns."""
    if columns_of(text) <= columns:
        return text
    ends = accumulate(map(_columns, text))
    return text[: sum(end < columns for end in ends)] + "…"


def _columns(character: str) -> int:
    return 0 if combining(character) else 1 + (east_asian_width(character) in "WF")
