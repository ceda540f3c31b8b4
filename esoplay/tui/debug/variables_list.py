"""The variables of the source by name, with their values at this moment."""

from __future__ import annotations

from collections.abc import Sequence

from textual.message import Message

from esoplay.tui.debug.box import ROWS
from esoplay.tui.debug.canvas import Piece
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.pages.list_page import ListPage
from esoplay.tui.debug.sourced import Entry, Sourced, entries
from esoplay.tui.debug.visible import PICTURED_TEXT

FOLDED, UNFOLDED = "▸", "▾"
_WIDEST = 24
"""Columns that names take at most."""


class VariablesList(ListPage):
    """Enter unfolds an array; questions about writes are about the selected one."""

    NAME = "variables"
    WORDS = "the variables"
    ACTIONS = (*ROWS, "choose", "write-before", "write-after")

    class Selected(Message):
        """A variable was chosen, which questions are about from now on."""

        def __init__(self, entry: Entry) -> None:
            super().__init__()
            self.entry = entry

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._sourced: Sourced | None = None
        self._entries: list[Entry] = []
        self._unfolded: set[str] = set()

    def show(self, moment: Moment) -> None:
        """Show the values of this moment."""
        self.moment = moment
        self._sourced = moment.sourced
        self._list()

    def _list(self) -> None:
        self._entries = [] if self._sourced is None else entries(self._sourced, self._unfolded)
        self.selected = max(0, min(self.selected, len(self._entries) - 1))
        self.repaint()

    @property
    def subject(self) -> Entry | None:
        """The selected variable."""
        return self._entries[self.selected] if self._entries else None

    def heading(self) -> list[Piece]:
        return [self.title_piece(self.NAME)]

    def item_count(self) -> int:
        return len(self._entries)

    def item(self, index: int) -> Sequence[Piece]:
        entry, palette = self._entries[index], self.palette
        names = [len(each.name) + 2 * each.is_element for each in self._entries]
        column = min(max(names), _WIDEST, max(8, self.inner_width // 2))
        name = f"{'  ' if entry.is_element else ''}{entry.name}"
        if len(name) > column:
            name = f"{name[: column - 1]}…"
        sign = " "
        if entry.is_array:
            sign = UNFOLDED if self._base_of(entry) in self._unfolded else FOLDED
        style = palette.strong if entry.was is None else palette.changed
        pieces = [
            Piece(sign, palette.faint),
            Piece(f"{name:<{column}} ", palette.base),
            Piece(entry.text.translate(PICTURED_TEXT), style),
        ]
        if entry.was is not None and not entry.is_array:
            pieces.append(Piece(f"  was {entry.was}".translate(PICTURED_TEXT), palette.faint))
        return pieces

    def nothing(self) -> str:
        if self._sourced is None:
            return "no source map: no variables"
        return "the map names no variables: in this language none has a cell of its own"

    def select(self, index: int) -> None:
        super().select(index)
        if self.subject is not None:
            self.post_message(self.Selected(self.subject))

    def choose(self) -> None:
        """Unfold or fold an array; another variable is selected once more."""
        entry = self.subject
        if entry is None:
            return
        if entry.is_array:
            self._unfolded ^= {self._base_of(entry)}
            self._list()
        else:
            self.select(self.selected)

    def clicked(self, column: int, row: int) -> None:
        if row < self.item_count():
            again = row == self.selected
            self.select(row)
            if again and self._entries[row].is_array:
                self.choose()

    @staticmethod
    def _base_of(entry: Entry) -> str:
        return entry.name.partition("[")[0]
