"""A page of lines of which one is selected."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from textwrap import wrap

from textual.message import Message
from textual.strip import Strip

from esoplay.tui.debug.canvas import Piece, strip_of
from esoplay.tui.debug.pages.page import Page

LEAST_WIDTH = 10
"""Columns in which a sentence is broken, however narrow the page is."""


class ListPage(Page):
    """j and k select a line; a click or Enter chooses it."""

    class StepChosen(Message):
        """A line was chosen that is about ``step``."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.selected = 0

    @abstractmethod
    def item_count(self) -> int: ...

    @abstractmethod
    def item(self, index: int) -> Sequence[Piece]: ...

    @abstractmethod
    def nothing(self) -> str:
        """What to say instead of no lines."""

    @abstractmethod
    def choose(self) -> None:
        """Do what a line is for."""

    def row_count(self) -> int:
        return self.item_count() or max(1, len(self._said(self.inner_width)))

    def line(self, row: int, width: int) -> Strip:
        if not self.item_count():
            said = Piece(f" {self._said(width)[row]}", self.palette.faint)
            return strip_of([said], width, self.palette.base)
        here = self.has_focus and row == self.selected
        mark = Piece("› " if here else "  ", self.palette.title_focused)
        return strip_of([mark, *self.item(row)], width, self.palette.base)

    def _said(self, width: int) -> list[str]:
        return wrap(self.nothing(), max(LEAST_WIDTH, width - 2))

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        self.select(self.selected + rows)

    def select(self, index: int) -> None:
        """Put the selection on a line, and show it."""
        self.selected = max(0, min(index, self.item_count() - 1))
        self.scroll_into_view(self.selected)
        self.repaint()

    def clicked(self, column: int, row: int) -> None:
        if row < self.item_count():
            self.select(row)
            self.choose()
