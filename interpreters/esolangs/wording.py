"""Counts in sentences."""

from __future__ import annotations


def noun(count: int, one: str, many: str = "") -> str:
    """Return the noun that a count needs: ``byte`` for 1, else ``bytes`` or what ``many`` says."""
    return one if count == 1 else many or f"{one}s"


def plural(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun: ``1 byte``, ``1,204 bytes``, ``2 entries``.

    many: the plural where it is not ``one`` and an s.
    """
    return f"{count:,} {noun(count, one, many)}"


def count_of(count: int, one: str, many: str = "") -> str:
    """Return the same without separators between thousands: ``1204 bytes``."""
    return f"{count} {noun(count, one, many)}"
