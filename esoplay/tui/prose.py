"""Sentences in rows: broken between words, by the columns that they take on the screen."""

from __future__ import annotations

from rich.cells import cell_len, chop_cells, set_cell_size

ELLIPSIS = "…"
LEAST_SHARE = 2
"""A sentence is cut inside a word where less than one part in this many would be left of it."""


def wrap_words(text: str, width: int, indent: int = 0) -> list[str]:
    """Break ``text`` into rows of at most ``width`` columns, all but the first indented.

    White space between words becomes one space.  Only a word that is wider than ``width`` is
    broken; one that is too wide for an indented row begins at its left edge.
    """
    width = max(1, width)
    rows: list[str] = []
    row, used = "", 0
    for word in text.split():
        for part in [word] if cell_len(word) <= width else chop_cells(word, width):
            columns = cell_len(part)
            if row and used + 1 + columns <= width:
                row, used = f"{row} {part}", used + 1 + columns
                continue
            if row:
                rows.append(row)
            before = indent if rows and indent + columns <= width else 0
            row, used = " " * before + part, before + columns
    return [*rows, row] if row else rows


def cut_words(text: str, width: int) -> str:
    """Shorten ``text`` to ``width`` columns, between words, with an ellipsis at the end.

    A long word is cut where nothing much would be left without it.
    """
    if cell_len(text) <= width:
        return text
    room = max(0, width - 1)
    part = set_cell_size(text, room)
    inside = text[len(part) : len(part) + 1].strip() and not part.endswith(" ")
    whole = part.rpartition(" ")[0].rstrip() if inside else part.rstrip()
    if cell_len(whole) * LEAST_SHARE < room:
        whole = part.rstrip()
    return f"{whole}{ELLIPSIS}"[: max(0, width)]
