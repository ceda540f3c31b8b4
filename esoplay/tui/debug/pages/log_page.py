"""The log: stops, lines that log breakpoints noted, answers to questions."""

from __future__ import annotations

from collections.abc import Sequence

from esoplay.tui.debug.canvas import Piece
from esoplay.tui.debug.pages.list_page import ListPage
from esoplay.tui.debug.target import LogEntry
from esoplay.tui.debug.visible import PICTURED_TEXT, grouped


class LogPage(ListPage):
    """Newest last; a line leads back to its step."""

    NAME = "log"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._entries: Sequence[LogEntry] = ()

    def show_log(self, entries: Sequence[LogEntry]) -> None:
        """Show these lines, the last of them selected."""
        if len(entries) == len(self._entries) and list(entries) == list(self._entries):
            return
        self._entries = entries
        self.select(len(entries) - 1)

    def item_count(self) -> int:
        return len(self._entries)

    def item(self, index: int) -> Sequence[Piece]:
        entry = self._entries[index]
        return [
            Piece(f"@{grouped(entry.step)}  ", self.palette.faint),
            Piece(entry.text.translate(PICTURED_TEXT), self.palette.base),
        ]

    def nothing(self) -> str:
        return "nothing yet: stops and lines of log breakpoints are noted here"

    def choose(self) -> None:
        if self._entries:
            self.post_message(self.StepChosen(self._entries[self.selected].step))
