"""Wrapping and shortening of sentences between words, by their width on the screen."""

from __future__ import annotations

from rich.cells import cell_len, chop_cells, set_cell_size

ELLIPSIS = "…"


def wrap_words(text: str, width: int, indent: int = 0) -> list[str]:
    """Wrap ``text`` into rows of at most ``width`` columns, and indent all rows after the first.

    Whitespace between words becomes one space. A word is broken only if it is wider than ``width``;
    a word that is too wide for an indented row is not indented.
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
    """Shorten ``text`` to at most ``width`` columns: cut it between words, and add an ellipsis.

    A text that fits is returned unchanged.  Only a number, and a word at the start of the text, can
    be cut in the middle.
    """
    if cell_len(text) <= width:
        return text
    room = max(0, width - 1)
    part = set_cell_size(text, room)
    following = text[len(part) : len(part) + 1]
    whole = part.rstrip()
    if following.strip() and part == whole and not (following + part[-1:]).isdigit():
        whole = part.rpartition(" ")[0].rstrip() or whole
    return f"{whole}{ELLIPSIS}"[: max(0, width)]
