"""One stack, the top first: a value a row where there is room, else in running text."""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from textual.strip import Strip

from esolangs.stops import Slot
from esolangs.view import Stack
from esoplay.debugging.provenance import Place
from esoplay.tui.debug.canvas import Piece, strip_of
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.state.panel_box import (
    CLOSE,
    OPEN,
    SLOTS,
    Height,
    PanelBox,
    panel_before,
    slots_of,
)
from esoplay.tui.debug.state.stack_text import changed_values, index_at, rows_of, run_of
from esoplay.tui.debug.state.values import Base, spell_number
from esoplay.tui.debug.visible import grouped

LIST_FROM = 6
"""Rows from which on every value gets its own."""
TOP = "top "


class StackPanel(PanelBox):
    """Shows a stack of each moment; values that are new are underlined, the selected has ``›``."""

    WORDS = "the stack"
    ACTIONS = SLOTS
    SHOWS = Stack
    HEIGHT: ClassVar[Height] = Height(least=3, share=2)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._stack: Stack | None = None
        self._changed: frozenset[int] = frozenset()
        self._rows: list[list[tuple[int, str]]] = []

    def show(self, moment: Moment, panel: Stack) -> None:
        self.keep(moment)
        self._stack = panel
        self._changed = changed_values(panel, panel_before(moment, panel))
        self.repaint()

    @property
    def depth(self) -> int:
        if self._listed:
            return max(1, self.inner_height)
        return max(1, self.inner_height * max(1, self.inner_width // 3))

    @property
    def _listed(self) -> bool:
        return self.inner_height >= LIST_FROM

    # Entries

    def stacks(self) -> list[Stack]:
        return [] if self._stack is None else [self._stack]

    def places(self) -> list[Place]:
        return [slot for stack in self.stacks() for slot in slots_of(stack)]

    def beyond(self, last: Place, by: int) -> Place | None:
        """Deeper than the view goes."""
        assert isinstance(last, Slot)
        return last._replace(level=max(0, last.level - by))

    def row_of(self, place: Place) -> int | None:
        stack = self._stack
        if stack is None or not isinstance(place, Slot) or place.stack != stack.key:
            return None
        index = stack.depth - 1 - place.level
        if self._listed:
            return index
        rows = enumerate(self._rows)
        return next((at for at, row in rows if index in [each for each, _ in row]), None)

    def place_at(self, row: int, column: int) -> Place | None:
        stack = self._stack
        if stack is None:
            return None
        if self._listed:
            index = row if row < len(stack.values) else None
        else:
            cells = self._rows[row] if row < len(self._rows) else []
            index = index_at(cells, column - len(TOP))
        return None if index is None else Slot(stack.key, stack.depth - 1 - index)

    # Drawing

    def lay_out(self) -> None:
        values = () if self._stack is None or self._listed else self._stack.values
        self._rows = list(rows_of(values, self.base, self.inner_width - len(TOP)))

    def heading(self) -> list[Piece]:
        name = "stack" if self._stack is None else self._stack.name
        return [self.title_piece(f"{name}  {self.base.value}")]

    def caption(self) -> list[Piece]:
        return [self.title_piece(f"depth {grouped(self._stack.depth)}")] if self._stack else []

    def row_count(self) -> int:
        stack = self._stack
        if stack is None or not stack.values:
            return 1
        if not self._listed:
            return max(1, len(self._rows))
        return len(stack.values) + (stack.depth > len(stack.values))

    def line(self, row: int, width: int) -> Strip:
        palette, stack = self.palette, self._stack
        if stack is None or not stack.values:
            return strip_of([Piece(" empty", palette.faint)], width, palette.base)
        pieces = self._listed_row(stack, row) if self._listed else self._running_row(stack, row)
        return strip_of(pieces, width, palette.base)

    def _listed_row(self, stack: Stack, row: int) -> list[Piece]:
        palette = self.palette
        if row == len(stack.values):
            more = stack.depth - len(stack.values)
            return [Piece(f" … and {grouped(more)} more below", palette.faint)]
        value = stack.values[row]
        label = TOP if row == 0 else f"{row} "
        other = Base.DECIMAL if self.base is Base.CHARACTER else Base.CHARACTER
        selected = self._selected_index == row
        style = palette.pointer if row == 0 else palette.faint
        pieces = [
            Piece(CLOSE if selected else " ", palette.selected if selected else style),
            Piece(f"{label:>5}", style),
            Piece(spell_number(value, self.base), self._style(row)),
        ]
        if isinstance(value, int) and 0 <= value < 127:
            pieces.append(Piece(f"  {spell_number(value, other)}", palette.faint))
        return pieces

    def _running_row(self, stack: Stack, row: int) -> list[Piece]:
        palette = self.palette
        label = TOP if row == 0 else " " * len(TOP)
        pieces = [Piece(label[:-1], palette.pointer)]
        cells = [(text, self._style(index)) for index, text in self._rows[row]]
        indices = [index for index, _ in self._rows[row]]
        at = self._selected_index
        marked = indices.index(at) if at in indices else None
        pieces += run_of(cells, marked, OPEN, CLOSE, palette.base)
        if row == len(self._rows) - 1 and stack.depth > len(stack.values):
            pieces.append(Piece("…", palette.faint))
        return pieces

    @property
    def _selected_index(self) -> int | None:
        """Of the selected value, from the top; None where it is not on this stack."""
        stack, slot = self._stack, self.selected
        if stack is None or not isinstance(slot, Slot) or slot.stack != stack.key:
            return None
        return stack.depth - 1 - slot.level

    def _style(self, index: int) -> Style:
        if index == self._selected_index:
            return self.palette.selected
        if index in self._changed:
            return self.palette.changed
        return self.palette.strong if index == 0 else self.palette.base
