"""A stack of stacks: each stack in running text under its name, the innermost first."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from rich.style import Style
from textual.strip import Strip

from esolangs.stops import Slot
from esolangs.view import Stack, StackOfStacks
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
from esoplay.tui.debug.visible import grouped

MORE = "…"
WHOLE = 1 << 30
"""More rows than any stack that is shown takes."""


class _Row(NamedTuple):
    """Values ``cells`` (index and text) of stack number ``stack``; the first has its name."""

    stack: int
    first: bool
    cells: list[tuple[int, str]]
    cut: bool


class StacksPanel(PanelBox):
    """Shows a stack of stacks of each moment; the selected value stands between marks."""

    WORDS = "the stack"
    ACTIONS = SLOTS
    SHOWS = StackOfStacks
    HEIGHT: ClassVar[Height] = Height(least=4, share=2)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._panel: StackOfStacks | None = None
        self._changed: dict[int, frozenset[int]] = {}
        self._laid: list[_Row] = []

    def show(self, moment: Moment, panel: StackOfStacks) -> None:
        self.keep(moment)
        self._panel = panel
        before: StackOfStacks | None = panel_before(moment, panel)
        self._changed = {}
        if before is not None:
            deeper = panel.depth - before.depth
            for index, stack in enumerate(panel.stacks):
                there = 0 <= index - deeper < len(before.stacks)
                old = before.stacks[index - deeper] if there else None
                self._changed[index] = changed_values(stack, old)
        self.repaint()

    @property
    def depth(self) -> int:
        return max(1, self.inner_height * max(1, self.inner_width // 3))

    # Entries

    def stacks(self) -> list[Stack]:
        return [] if self._panel is None else list(self._panel.stacks)

    def places(self) -> list[Place]:
        return [slot for stack in self.stacks() for slot in slots_of(stack)]

    def row_of(self, place: Place) -> int | None:
        rows = enumerate(self._laid)
        return next((at for at, row in rows if self._index_in(row, place) is not None), None)

    def place_at(self, row: int, column: int) -> Place | None:
        if row >= len(self._laid):
            return None
        found = self._laid[row]
        index = index_at(found.cells, column - self._label_width)
        return None if index is None else slots_of(self.stacks()[found.stack])[index]

    def _index_in(self, row: _Row, place: Place | None) -> int | None:
        """Where in the row a place is."""
        stack = self.stacks()[row.stack]
        if not isinstance(place, Slot) or place.stack != stack.key:
            return None
        indices = [index for index, _ in row.cells]
        index = stack.depth - 1 - place.level
        return indices.index(index) if index in indices else None

    # Drawing

    def lay_out(self) -> None:
        self._laid = self._lay_out()

    def heading(self) -> list[Piece]:
        name = "stacks" if self._panel is None else self._panel.name
        return [self.title_piece(f"{name}  {self.base.value}")]

    def caption(self) -> list[Piece]:
        panel = self._panel
        if panel is None or not panel.stacks:
            return []
        depth = f"depth {grouped(panel.stacks[0].depth)}"
        stacks = f"{grouped(panel.depth)} stacks, " if panel.depth > 1 else ""
        return [self.title_piece(stacks + depth)]

    def row_count(self) -> int:
        return max(1, len(self._laid))

    def line(self, row: int, width: int) -> Strip:
        palette = self.palette
        if self._panel is None or not self._laid:
            return strip_of([Piece(" empty", palette.faint)], width, palette.base)
        place = self._laid[row]
        stack = self._panel.stacks[place.stack]
        style = palette.pointer if place.stack == 0 else palette.faint
        name = f"{stack.name} " if place.first else ""
        pieces = [Piece(f"{name:>{self._label_width}}"[:-1], style)]
        if not stack.values:
            pieces.append(Piece(" empty", palette.faint))
            return strip_of(pieces, width, palette.base)
        changed = self._changed.get(place.stack, frozenset())
        marked = self._index_in(place, self.selected)
        cells: list[tuple[str, Style]] = []
        for at, (index, text) in enumerate(place.cells):
            top = palette.strong if index == 0 else palette.base
            body = palette.changed if index in changed else top
            cells.append((text, palette.selected if at == marked else body))
        pieces += run_of(cells, marked, OPEN, CLOSE, palette.base)
        if place.cut:
            pieces.append(Piece(MORE, palette.faint))
        return strip_of(pieces, width, palette.base)

    @property
    def _label_width(self) -> int:
        assert self._panel is not None
        longest = max((len(stack.name) for stack in self._panel.stacks), default=0)
        return min(longest + 2, self.inner_width // 2)

    def _lay_out(self) -> list[_Row]:
        """The innermost stack first, with all rows but a third where there are others."""
        if self._panel is None:
            return []
        others = len(self._panel.stacks) - 1
        height = self.inner_height
        kept = height - min(others, max(1, height // 3)) if others else WHOLE
        found: list[_Row] = []
        for number, stack in enumerate(self._panel.stacks):
            found += self._rows_of(number, stack, kept if number == 0 else 1)
        return found

    def _rows_of(self, number: int, stack: Stack, limit: int) -> list[_Row]:
        width = self.inner_width - self._label_width
        cells = list(rows_of(stack.values, self.base, width))
        first = self._first_row(stack, cells, max(1, limit))
        cells = cells[first : first + max(1, limit)]
        if not cells:
            return [_Row(number, True, [], False)]
        cut = stack.depth > cells[-1][-1][0] + 1
        last = len(cells) - 1
        return [_Row(number, at == 0, row, cut and at == last) for at, row in enumerate(cells)]

    def _first_row(self, stack: Stack, cells: list[list[tuple[int, str]]], limit: int) -> int:
        """The row with which a stack begins to be shown, so that the selected value is seen."""
        slot = self.selected
        if not isinstance(slot, Slot) or slot.stack != stack.key:
            return 0
        index = stack.depth - 1 - slot.level
        at = next((at for at, row in enumerate(cells) if index <= row[-1][0]), 0)
        return max(0, at + 1 - limit)
