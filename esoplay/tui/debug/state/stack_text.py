"""Stacks as text: which values are new, and how many fit a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.style import Style

from esolangs.view import Number, Stack
from esoplay.tui.debug.canvas import Piece
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


def run_of(
    cells: Sequence[tuple[str, Style]], marked: int | None, left: str, right: str, base: Style
) -> list[Piece]:
    """Values in running text, a space around each but for marks around the ``marked`` one."""
    pieces: list[Piece] = []
    for at in range(len(cells) + 1):
        between = (
            left if at == marked else right if marked is not None and at == marked + 1 else " "
        )
        pieces.append(Piece(between, base))
        if at < len(cells):
            pieces.append(Piece(*cells[at]))
    return pieces


def index_at(cells: Sequence[tuple[int, str]], column: int) -> int | None:
    """The index of the value at a column of a row of ``rows_of``; None beside all values."""
    at = 0
    for index, text in cells:
        if at <= column < at + len(text):
            return index
        at += len(text) + 1
    return None
