"""The breakpoints: what they stop for, and how often they did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from textual.binding import BindingType
from textual.message import Message

from esoplay.debugging.debugger import Breakpoint
from esoplay.debugging.locations import breakpoint_text
from esoplay.tui.debug.anchors import Orphan
from esoplay.tui.debug.canvas import Piece
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.pages.list_page import LIST_ACTIONS, ListPage
from esoplay.tui.debug.program_stops import IDLE, ORPHAN, SET
from esoplay.tui.debug.visible import plural
from esoplay.tui.keys import Action, bindings

MARK_COLUMNS = 4
"""Columns at the front of a line where a click switches its breakpoint on and off."""


class BreaksPage(ListPage):
    """Enter goes to a breakpoint, ``a`` switches it on and off, Delete removes it."""

    NAME = "breaks"
    WORDS = "the breakpoints"
    ACTIONS = (*LIST_ACTIONS, "break-edit")
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "breaks",
        Action("breaks.switch", "ask('switch')", "Breakpoint on / off"),
        Action("breaks.delete", "ask('delete')", "Delete breakpoint"),
    )

    class Asked(Message):
        """Do something with a breakpoint: ``show`` it, ``switch`` or ``delete`` it."""

        def __init__(
            self, breakpoint: Breakpoint | Orphan, what: Literal["show", "switch", "delete"]
        ) -> None:
            super().__init__()
            self.breakpoint = breakpoint
            self.what: Literal["show", "switch", "delete"] = what

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._source = b""
        self._breakpoints: tuple[Breakpoint, ...] = ()
        self._orphans: tuple[Orphan, ...] = ()

    def show(self, moment: Moment, source: bytes) -> None:
        """Show the breakpoints of this moment."""
        self.moment = moment
        self._source = source
        self._breakpoints = moment.breakpoints
        self._orphans = moment.orphans
        self.selected = max(0, min(self.selected, self.item_count() - 1))
        self.repaint()

    @property
    def subject(self) -> Breakpoint | None:
        """The selected breakpoint; None on an orphan."""
        at = self.selected
        return self._breakpoints[at] if at < len(self._breakpoints) else None

    @property
    def orphan(self) -> Orphan | None:
        """The selected line, if it is a breakpoint whose text was edited away."""
        at = self.selected - len(self._breakpoints)
        return self._orphans[at] if 0 <= at < len(self._orphans) else None

    def item_count(self) -> int:
        return len(self._breakpoints) + len(self._orphans)

    def item(self, index: int) -> Sequence[Piece]:
        if index >= len(self._breakpoints):
            return self._lost(self._orphans[index - len(self._breakpoints)])
        each = self._breakpoints[index]
        palette = self.palette
        text = palette.base if each.spec.enabled else palette.faint
        return [
            Piece(f"{SET if each.spec.enabled else IDLE} ", palette.breakpoint),
            Piece(f"{each.id}  ", palette.faint),
            Piece(breakpoint_text(each.spec, self._source), text),
            Piece(f"  {plural(each.hits, 'hit')}" if each.hits else "", palette.faint),
            Piece("" if each.spec.enabled else "  off", palette.faint),
        ]

    def _lost(self, orphan: Orphan) -> list[Piece]:
        palette = self.palette
        return [
            Piece(f"{ORPHAN} ", palette.breakpoint),
            Piece(orphan.text, palette.faint),
            Piece("  edited away, waits for this text", palette.faint),
        ]

    def nothing(self) -> str:
        return "no breakpoints: b sets one at the cursor, :b cell[3]==10 one on a condition"

    def choose(self) -> None:
        self.action_ask("show")

    def clicked(self, column: int, row: int) -> None:
        if row < self.item_count():
            self.select(row)
            self.action_ask("switch" if column < MARK_COLUMNS else "show")

    def action_ask(self, what: Literal["show", "switch", "delete"]) -> None:
        """Pass on what is to be done with the selected breakpoint."""
        asked = self.subject or self.orphan
        if asked is not None:
            self.post_message(self.Asked(asked, what))
