"""Stacks as text: which values are new, and how many fit a row."""

from __future__ import annotations

from collections.abc import Iterator

from esolangs.view import Number, Stack
from esoplay.tui.debug.state.values import Base, spell_number


def changed_values(stack: Stack, before: Stack | None) -> frozenset[int]:
    """Indices into ``stack.values`` of those pushed or changed since ``before``.

    A value keeps its place when its distance from the bottom is the same.
    """
    if before is None:
        return frozenset()
    lower = stack.depth - before.depth  # how much further down the old ones are now
    return frozenset(
        index
        for index, value in enumerate(stack.values)
        if index < lower
        or (0 <= index - lower < len(before.values) and before.values[index - lower] != value)
    )


def rows_of(values: tuple[Number, ...], base: Base, width: int) -> Iterator[list[tuple[int, str]]]:
    """Values with their indices, as many to a row as fit with a space between."""
    row: list[tuple[int, str]] = []
    room = width
    for index, value in enumerate(values):
        text = spell_number(value, base)
        if row and len(text) + 1 > room:
            yield row
            row, room = [], width
        row.append((index, text))
        room -= len(text) + 1
    if row:
        yield row
