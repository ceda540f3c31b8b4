"""The watch expressions: what they come to at this moment, and what they were before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from textual.binding import BindingType
from textual.message import Message

from esolangs.numbers import shown
from esoplay.debugging.watches import Watch
from esoplay.tui.debug.canvas import Piece
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.pages.list_page import LIST_ACTIONS, ListPage
from esoplay.tui.debug.state.values import Base, spell_number
from esoplay.tui.debug.visible import PICTURED_TEXT
from esoplay.tui.keys import Action, bindings


class WatchPage(ListPage):
    """Enter or ``E`` edits an expression, Delete removes it."""

    NAME = "watch"
    WORDS = "the watches"
    ACTIONS = (*LIST_ACTIONS, "watch", "base")
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "watch",
        Action("watch.edit", "ask('edit')", "Edit the expression"),
        Action("watch.delete", "ask('delete')", "Delete the expression"),
    )

    class Asked(Message):
        """Give a watch another expression, or delete it."""

        def __init__(self, watch: Watch, what: Literal["edit", "delete"]) -> None:
            super().__init__()
            self.watch = watch
            self.what: Literal["edit", "delete"] = what

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.base = Base.DECIMAL
        self._watches: tuple[Watch, ...] = ()

    def show(self, moment: Moment) -> None:
        """Show the values of this moment."""
        self.moment = moment
        if moment.watches != self._watches:
            self._watches = moment.watches
            self.selected = max(0, min(self.selected, len(self._watches) - 1))
            self.repaint()

    def cycle_base(self) -> None:
        """Write the values in the next number base."""
        self.base = self.base.following
        self.repaint()

    def item_count(self) -> int:
        return len(self._watches)

    def item(self, index: int) -> Sequence[Piece]:
        watch, palette = self._watches[index], self.palette
        longest = max(len(each.text) for each in self._watches)
        column = min(longest, max(8, self.inner_width // 2))
        pieces = [
            Piece(f"{watch.id:>2}  ", palette.faint),
            Piece(f"{_cut(watch.text, column):<{column}}  ".translate(PICTURED_TEXT), palette.base),
        ]
        if watch.value is None:
            return [*pieces, Piece(f"✗ {watch.error}".translate(PICTURED_TEXT), palette.warning)]
        style = palette.changed if watch.changed else palette.strong
        pieces.append(Piece(self._spelled(watch.value), style))
        if watch.changed and watch.before is not None:
            pieces.append(Piece(f"  was {self._spelled(watch.before)}", palette.faint))
        if watch.missing:
            pieces.append(Piece(f"  {watch.missing}".translate(PICTURED_TEXT), palette.faint))
        return pieces

    def _spelled(self, value: int) -> str:
        return spell_number(shown(value), self.base)

    def nothing(self) -> str:
        return "no watches: u adds an expression, such as cell[3] + 1 or stack[-1]"

    def choose(self) -> None:
        self.action_ask("edit")

    def clicked(self, column: int, row: int) -> None:
        if row < self.item_count():
            self.select(row)

    def action_ask(self, what: Literal["edit", "delete"]) -> None:
        """Pass on what is to be done with the selected expression."""
        if self._watches:
            self.post_message(self.Asked(self._watches[self.selected], what))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
