"""A program to be read: coloured, scrolled, and not executed."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType

from esoplay.tui.debug.canvas import Piece
from esoplay.tui.debug.program_view import NOWHERE, ProgramView
from esoplay.tui.debug.visible import plural
from esoplay.tui.keys import Action, bindings

SCROLLING: list[BindingType] = bindings(
    "reader",
    Action("replay.read-down", "scroll_rows(1)", "Down"),
    Action("replay.read-up", "scroll_rows(-1)", "Up"),
    Action("replay.read-on", "scroll_pages(1)", "A page down"),
    Action("replay.read-back", "scroll_pages(-1)", "A page up"),
    Action("replay.read-first", "scroll_to(False)", "The beginning"),
    Action("replay.read-last", "scroll_to(True)", "The end"),
)
"""Keys of whatever is read on this screen."""


class ProgramReader(ProgramView):
    """The program of the selected attempt."""

    BINDINGS: ClassVar[list[BindingType]] = SCROLLING

    _label = "program"

    def read(self, source: bytes, language_id: str, name: str) -> None:
        """Show a program from its start."""
        self._label = name
        self.open(source, language_id)
        self._current = NOWHERE
        self._length = len(source)
        self.repaint()

    _length = 0

    def heading(self) -> list[Piece]:
        return [self.title_piece(self._label)]

    def caption(self) -> list[Piece]:
        return [self.title_piece(plural(self._length, "byte"))]

    def on_click(self, event: events.Click) -> None:
        event.prevent_default()  # there is no cursor to be put somewhere

    def action_scroll_rows(self, rows: int) -> None:
        self._scroll_by(rows)

    def action_scroll_pages(self, pages: int) -> None:
        self._scroll_by(pages * max(1, self.inner_height - 1))

    def action_scroll_to(self, end: bool) -> None:
        self._scroll_by(self.row_count() if end else -self.row_count())
