"""The part of the editor that selects by clicks: a word by two, a line by three."""

from __future__ import annotations

from textual.document._document import Selection
from textual.events import Click

from esoplay.tui.editor.searching import SearchedEditor


class SelectingEditor(SearchedEditor):
    """What a double click takes is what one would call a word in this text."""

    @property
    def selects_cells(self) -> bool:
        """The cell at the end of a selection is selected, too."""
        return False

    async def _on_click(self, event: Click) -> None:
        if event.chain < 2 or event.button != 1:
            return
        row, column = self.cursor_location
        line = self.document.get_line(row)
        start, end = word_at(line, column) if event.chain == 2 else (0, len(line))
        if self.selects_cells and end > start:
            end -= 1
        self.selection = Selection((row, start), (row, end))


def word_at(line: str, column: int) -> tuple[int, int]:
    """From where to where the word at a column goes.

    Letters, digits and underscores are a word; else it is as many of the same character as stand
    side by side, as programs write them.  Behind the last character it is the word before.
    """
    if not line:
        return 0, 0
    at = min(column, len(line) - 1)

    def belongs(character: str) -> bool:
        return _is_letter(character) if _is_letter(line[at]) else character == line[at]

    start = end = at
    while start and belongs(line[start - 1]):
        start -= 1
    while end < len(line) and belongs(line[end]):
        end += 1
    return start, end


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"
