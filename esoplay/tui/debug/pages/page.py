"""A box with tabs in its frame: one of several that share a place on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.message import Message

from esoplay.tui.debug.box import Box
from esoplay.tui.debug.canvas import Piece


class Page(Box):
    """Draws the names of its group's pages as its heading, its own in brackets."""

    NAME: ClassVar[str]

    class TabClicked(Message):
        """The tab of the page ``name`` was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    group: Sequence[str] = ()
    """Names of the pages that share this place, in order."""

    def heading(self) -> list[Piece]:
        pieces: list[Piece] = []
        for name in self.group or (self.NAME,):
            here = name == self.NAME
            style = self.palette.strong if here else self.palette.title
            if here and self.has_focus:
                style = self.palette.title_focused
            pieces.append(Piece(f"[{name}]" if here else f" {name} ", style))
        return pieces

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        """Scroll, where there is nothing to select."""
        self.top += rows
        self.repaint()

    def on_click(self, event: events.Click) -> None:
        if event.y == 0:
            name = self._tab_at(event.x)
            if name is not None:
                self.post_message(self.TabClicked(name))
        else:
            offset = self.inner_offset(event)
            if offset is not None:
                self.clicked(offset.x, self.top + offset.y)

    def clicked(self, column: int, row: int) -> None:
        """The mouse was clicked on a row; pages with something to select do so."""

    def _tab_at(self, x: int) -> str | None:
        column = 3  # corner, dash and space
        for name in self.group:
            if column <= x < column + len(name) + 2:
                return name
            column += len(name) + 2
        return None
