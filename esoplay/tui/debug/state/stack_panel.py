"""One stack, the top first: a value a row where there is room, else in running text."""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from textual.strip import Strip

from esolangs.view import Stack
from esoplay.tui.debug.canvas import Piece, strip_of
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.state.panel_box import Height, PanelBox, panel_before
from esoplay.tui.debug.state.stack_text import changed_values, rows_of
from esoplay.tui.debug.state.values import Base, spell_number
from esoplay.tui.debug.visible import grouped

LIST_FROM = 6
"""Rows from which on every value gets its own."""
TOP = "top "


class StackPanel(PanelBox):
    """Shows a stack of each moment; values that are new are underlined."""

    HEIGHT: ClassVar[Height] = Height(least=3, share=2)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._stack: Stack | None = None
        self._changed: frozenset[int] = frozenset()
        self._rows: list[list[tuple[int, str]]] = []

    def show(self, moment: Moment, panel: Stack) -> None:
        self.moment, self._stack = moment, panel
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

    # Drawing

    def draw(self) -> list[Strip]:
        values = () if self._stack is None or self._listed else self._stack.values
        self._rows = list(rows_of(values, self.base, self.inner_width - len(TOP)))
        return super().draw()

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
        pieces = [
            Piece(f"{label:>6}", palette.pointer if row == 0 else palette.faint),
            Piece(spell_number(value, self.base), self._style(row)),
        ]
        if isinstance(value, int) and 0 <= value < 127:
            pieces.append(Piece(f"  {spell_number(value, other)}", palette.faint))
        return pieces

    def _running_row(self, stack: Stack, row: int) -> list[Piece]:
        palette = self.palette
        pieces = [Piece(TOP if row == 0 else " " * len(TOP), palette.pointer)]
        for index, text in self._rows[row]:
            pieces += [Piece(text, self._style(index)), Piece(" ", palette.base)]
        if row == len(self._rows) - 1 and stack.depth > len(stack.values):
            pieces.append(Piece("…", palette.faint))
        return pieces

    def _style(self, index: int) -> Style:
        if index in self._changed:
            return self.palette.changed
        return self.palette.strong if index == 0 else self.palette.base
