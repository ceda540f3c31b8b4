"""Sentences as people name them, whatever their case, spacing and final mark."""

from __future__ import annotations


def phrase(text: str) -> str:
    """What counts of a text: its words and inner marks in lower case, with a blank around each.

    ``thy`` and ``thine`` count as ``your``, so that one name finds all ways to say it.
    """
    from re import findall

    parts = findall(r"[\w'-]+|[^\w\s]", text.lower())
    while parts and parts[-1] in ".!?":
        parts.pop()
    return f" {' '.join('your' if part in ('thy', 'thine') else part for part in parts)} "
