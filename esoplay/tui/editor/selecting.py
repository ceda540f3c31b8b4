"""The part of the editor that selects by clicks, and that ways of typing write on."""

from __future__ import annotations

from abc import abstractmethod

from textual.document._document import Location, Selection
from textual.events import Click
from textual.geometry import Region, Spacing

from esolangs.editing import Editing
from esoplay.tui.editor.searching import SearchedEditor


class SelectingEditor(SearchedEditor):
    """What a double click takes is what one would call a word in this text.

    editing: what the language knows for editors.
    """

    def __init__(self, *, id: str | None = None) -> None:
        self.editing = Editing()
        super().__init__(id=id)

    @property
    def source(self) -> bytes:
        """The program's bytes as they stand."""
        return self.document.source

    def type(self, text: str) -> None:
        """Insert what a key means, in place of the selection."""
        self._replace_via_keyboard(text, *self.selection)

    def insert_exactly(self, text: str) -> None:
        """Insert text that was made of bytes, in place of the selection."""
        if not self.read_only:
            result = self.replace(text, *self.selection, maintain_selection_offset=False)
            self.move_cursor(result.end_location)

    @abstractmethod
    def look(self) -> None:
        """Find out what the cursor stands in."""

    def show_cell(self, at: Location) -> None:
        """Scroll to a cell, which may lie beyond the text, and draw the cursor there."""
        row, column = at
        spacing = Spacing(right=self.gutter_width)
        self.scroll_to_region(Region(column, row, 3, 1), spacing=spacing, animate=False, force=True)
        self.refresh()
        self.look()

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
