"""Stacks and stacks of stacks: one value per row if the rows fit, otherwise several per row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from rich.style import Style
from textual.strip import Strip

from esolangs.stops import Slot
from esolangs.view import Number, Stack, StackOfStacks
from esoplay.debugging.provenance import Place
from esoplay.tui.debug.byte_glyphs import format_int
from esoplay.tui.debug.canvas import StyledText, make_strip
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.state.panel_box import (
    CLOSE,
    OPEN,
    SLOT_ACTIONS,
    PanelBox,
    PanelHeight,
    previous_panel,
    visible_slots,
)
from esoplay.tui.debug.state.values import NumberBase, format_number


def changed_values(stack: Stack, before: Stack | None) -> frozenset[int]:
    """Return the indices in ``stack.values`` of values pushed or changed since ``before``.

    Values are compared by their distance from the bottom of the stack.
    """
    if before is None:
        return frozenset()
    shift = stack.depth - before.depth  # old values moved down by this number
    return frozenset(
        index
        for index, value in enumerate(stack.values)
        if index < shift
        or (0 <= index - shift < len(before.values) and before.values[index - shift] != value)
    )


def value_rows(
    values: tuple[Number, ...], base: NumberBase, width: int
) -> Iterator[list[tuple[int, str]]]:
    """Yield rows of values with their indices, with as many values per row as fit."""
    row: list[tuple[int, str]] = []
    room = width
    for index, value in enumerate(values):
        text = format_number(value, base)
        if row and len(text) + 1 > room:
            yield row
            row, room = [], width
        row.append((index, text))
        room -= len(text) + 1
    if row:
        yield row


def row_text(
    cells: Sequence[tuple[str, Style]],
    marked_index: int | None,
    left: str,
    right: str,
    style: Style,
) -> list[StyledText]:
    """Return values separated by spaces; the marked one is between ``left`` and ``right``."""
    brackets = {} if marked_index is None else {marked_index: left, marked_index + 1: right}
    pieces: list[StyledText] = []
    for at in range(len(cells) + 1):
        pieces.append(StyledText(brackets.get(at, " "), style))
        if at < len(cells):
            pieces.append(StyledText(*cells[at]))
    return pieces


def index_at(cells: Sequence[tuple[int, str]], column: int) -> int | None:
    """Return the index of the value that a row shows at a column; None if no value is there.

    cells: the index and the text of each value of the row, as :func:`value_rows` yields them.
    """
    at = 0
    for index, text in cells:
        if at <= column < at + len(text):
            return index
        at += len(text) + 1
    return None


# One stack, the top first

LIST_FROM = 6
"""Minimum height of the panel, in rows, at which each value has its own row."""
TOP = "top "


class StackPanel(PanelBox):
    """Shows a stack; new values are underlined, and ``›`` marks the selected value."""

    LABEL = "the stack"
    ACTIONS = SLOT_ACTIONS
    PANEL_TYPE = Stack
    HEIGHT: ClassVar[PanelHeight] = PanelHeight(minimum=3, weight=2)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._stack: Stack | None = None
        self._changed: frozenset[int] = frozenset()
        self._rows: list[list[tuple[int, str]]] = []

    def show(self, snapshot: DebugSnapshot, panel: Stack) -> None:
        self.set_snapshot(snapshot)
        self._stack = panel
        self._changed = changed_values(panel, previous_panel(snapshot, panel))
        self.repaint()

    @property
    def max_entries(self) -> int:
        if self._is_listed:
            return max(1, self.inner_height)
        return max(1, self.inner_height * max(1, self.inner_width // 3))

    @property
    def _is_listed(self) -> bool:
        return self.inner_height >= LIST_FROM

    # Entries

    def stacks(self) -> list[Stack]:
        return [] if self._stack is None else [self._stack]

    def places(self) -> list[Place]:
        return [slot for stack in self.stacks() for slot in visible_slots(stack)]

    def place_past_end(self, last: Place, distance: int) -> Place | None:
        """Return the slot ``distance`` levels below ``last``, but at most the bottom slot."""
        assert isinstance(last, Slot)
        return last._replace(level=max(0, last.level - distance))

    def find_row(self, place: Place) -> int | None:
        stack = self._stack
        if stack is None or not isinstance(place, Slot) or place.stack != stack.key:
            return None
        index = stack.depth - 1 - place.level
        if self._is_listed:
            return index
        rows = enumerate(self._rows)
        return next((at for at, row in rows if index in [each for each, _ in row]), None)

    def place_at(self, row: int, column: int) -> Place | None:
        stack = self._stack
        if stack is None:
            return None
        if self._is_listed:
            index = row if row < len(stack.values) else None
        else:
            cells = self._rows[row] if row < len(self._rows) else []
            index = index_at(cells, column - len(TOP))
        return None if index is None else Slot(stack.key, stack.depth - 1 - index)

    # Drawing

    def lay_out(self) -> None:
        values = () if self._stack is None or self._is_listed else self._stack.values
        self._rows = list(value_rows(values, self.base, self.inner_width - len(TOP)))

    def heading(self) -> list[StyledText]:
        name = "stack" if self._stack is None else self._stack.name
        return [self.title_span(f"{name}  {self.base.value}")]

    def caption(self) -> list[StyledText]:
        return [self.title_span(f"depth {format_int(self._stack.depth)}")] if self._stack else []

    def row_count(self) -> int:
        stack = self._stack
        if stack is None or not stack.values:
            return 1
        if not self._is_listed:
            return max(1, len(self._rows))
        return len(stack.values) + (stack.depth > len(stack.values))

    def line(self, row: int, width: int) -> Strip:
        palette, stack = self.palette, self._stack
        if stack is None or not stack.values:
            return make_strip([StyledText(" empty", palette.faint)], width, palette.base)
        pieces = self._listed_row(stack, row) if self._is_listed else self._inline_row(stack, row)
        return make_strip(pieces, width, palette.base)

    def _listed_row(self, stack: Stack, row: int) -> list[StyledText]:
        palette = self.palette
        if row == len(stack.values):
            more = stack.depth - len(stack.values)
            return [StyledText(f" … and {format_int(more)} more below", palette.faint)]
        value = stack.values[row]
        label = TOP if row == 0 else f"{row} "
        other = NumberBase.DECIMAL if self.base is NumberBase.CHARACTER else NumberBase.CHARACTER
        selected = self._selected_index == row
        style = palette.pointer if row == 0 else palette.faint
        pieces = [
            StyledText(CLOSE if selected else " ", palette.selected if selected else style),
            StyledText(f"{label:>5}", style),
            StyledText(format_number(value, self.base), self._style(row)),
        ]
        if isinstance(value, int) and 0 <= value < 127:
            pieces.append(StyledText(f"  {format_number(value, other)}", palette.faint))
        return pieces

    def _inline_row(self, stack: Stack, row: int) -> list[StyledText]:
        palette = self.palette
        label = TOP if row == 0 else " " * len(TOP)
        pieces = [StyledText(label[:-1], palette.pointer)]
        cells = [(text, self._style(index)) for index, text in self._rows[row]]
        indices = [index for index, _ in self._rows[row]]
        at = self._selected_index
        marked = indices.index(at) if at in indices else None
        pieces += row_text(cells, marked, OPEN, CLOSE, palette.base)
        if row == len(self._rows) - 1 and stack.depth > len(stack.values):
            pieces.append(StyledText("…", palette.faint))
        return pieces

    @property
    def _selected_index(self) -> int | None:
        """The index of the selected value, from the top; None if it is on another stack."""
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


# A stack of stacks: each as running text after its name, the innermost first

MORE = "…"
UNLIMITED = 1 << 30
"""Number of rows that no stack exceeds."""


class _Row(NamedTuple):
    """A row with values of one stack.

    cells: index and text of each value. is_first: whether the row starts with the name of the
    stack. is_cut: whether further values were left out.
    """

    stack_index: int
    is_first: bool
    cells: list[tuple[int, str]]
    is_cut: bool


class StacksPanel(PanelBox):
    """Shows a stack of stacks; the selected value is between marks."""

    LABEL = "the stack"
    ACTIONS = SLOT_ACTIONS
    PANEL_TYPE = StackOfStacks
    HEIGHT: ClassVar[PanelHeight] = PanelHeight(minimum=4, weight=2)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._panel: StackOfStacks | None = None
        self._changed: dict[int, frozenset[int]] = {}
        self._laid_out_rows: list[_Row] = []

    def show(self, snapshot: DebugSnapshot, panel: StackOfStacks) -> None:
        self.set_snapshot(snapshot)
        self._panel = panel
        before: StackOfStacks | None = previous_panel(snapshot, panel)
        self._changed = {}
        if before is not None:
            shift = panel.depth - before.depth
            for index, stack in enumerate(panel.stacks):
                existed = 0 <= index - shift < len(before.stacks)
                old = before.stacks[index - shift] if existed else None
                self._changed[index] = changed_values(stack, old)
        self.repaint()

    @property
    def max_entries(self) -> int:
        return max(1, self.inner_height * max(1, self.inner_width // 3))

    # Entries

    def stacks(self) -> list[Stack]:
        return [] if self._panel is None else list(self._panel.stacks)

    def places(self) -> list[Place]:
        return [slot for stack in self.stacks() for slot in visible_slots(stack)]

    def find_row(self, place: Place) -> int | None:
        rows = enumerate(self._laid_out_rows)
        return next((at for at, row in rows if self._position_in_row(row, place) is not None), None)

    def place_at(self, row: int, column: int) -> Place | None:
        if row >= len(self._laid_out_rows):
            return None
        found = self._laid_out_rows[row]
        index = index_at(found.cells, column - self._label_width)
        return None if index is None else visible_slots(self.stacks()[found.stack_index])[index]

    def _position_in_row(self, row: _Row, place: Place | None) -> int | None:
        """Return the index of a place among the values of a row; None if the row lacks it."""
        stack = self.stacks()[row.stack_index]
        if not isinstance(place, Slot) or place.stack != stack.key:
            return None
        indices = [index for index, _ in row.cells]
        index = stack.depth - 1 - place.level
        return indices.index(index) if index in indices else None

    # Drawing

    def lay_out(self) -> None:
        self._laid_out_rows = self._make_rows()

    def heading(self) -> list[StyledText]:
        name = "stacks" if self._panel is None else self._panel.name
        return [self.title_span(f"{name}  {self.base.value}")]

    def caption(self) -> list[StyledText]:
        panel = self._panel
        if panel is None or not panel.stacks:
            return []
        depth = f"depth {format_int(panel.stacks[0].depth)}"
        stacks = f"{format_int(panel.depth)} stacks, " if panel.depth > 1 else ""
        return [self.title_span(stacks + depth)]

    def row_count(self) -> int:
        return max(1, len(self._laid_out_rows))

    def line(self, row: int, width: int) -> Strip:
        palette = self.palette
        if self._panel is None or not self._laid_out_rows:
            return make_strip([StyledText(" empty", palette.faint)], width, palette.base)
        stack_row = self._laid_out_rows[row]
        stack = self._panel.stacks[stack_row.stack_index]
        style = palette.pointer if stack_row.stack_index == 0 else palette.faint
        name = f"{stack.name} " if stack_row.is_first else ""
        pieces = [StyledText(f"{name:>{self._label_width}}"[:-1], style)]
        if not stack.values:
            pieces.append(StyledText(" empty", palette.faint))
            return make_strip(pieces, width, palette.base)
        changed = self._changed.get(stack_row.stack_index, frozenset())
        marked = self._position_in_row(stack_row, self.selected)
        cells: list[tuple[str, Style]] = []
        for at, (index, text) in enumerate(stack_row.cells):
            plain_style = palette.strong if index == 0 else palette.base
            value_style = palette.changed if index in changed else plain_style
            cells.append((text, palette.selected if at == marked else value_style))
        pieces += row_text(cells, marked, OPEN, CLOSE, palette.base)
        if stack_row.is_cut:
            pieces.append(StyledText(MORE, palette.faint))
        return make_strip(pieces, width, palette.base)

    @property
    def _label_width(self) -> int:
        assert self._panel is not None
        longest = max((len(stack.name) for stack in self._panel.stacks), default=0)
        return min(longest + 2, self.inner_width // 2)

    def _make_rows(self) -> list[_Row]:
        """Return the rows of the innermost stack, then one row for each of the other stacks.

        The innermost stack leaves at most a third of the box to the other stacks.
        """
        if self._panel is None:
            return []
        others = len(self._panel.stacks) - 1
        height = self.inner_height
        innermost_rows = height - min(others, max(1, height // 3)) if others else UNLIMITED
        rows: list[_Row] = []
        for number, stack in enumerate(self._panel.stacks):
            rows += self._stack_rows(number, stack, innermost_rows if number == 0 else 1)
        return rows

    def _stack_rows(self, number: int, stack: Stack, limit: int) -> list[_Row]:
        width = self.inner_width - self._label_width
        rows = list(value_rows(stack.values, self.base, width))
        first = self._first_visible_row(stack, rows, max(1, limit))
        rows = rows[first : first + max(1, limit)]
        if not rows:
            return [_Row(number, True, [], False)]
        cut = stack.depth > rows[-1][-1][0] + 1
        last = len(rows) - 1
        return [_Row(number, at == 0, row, cut and at == last) for at, row in enumerate(rows)]

    def _first_visible_row(
        self, stack: Stack, rows: list[list[tuple[int, str]]], limit: int
    ) -> int:
        """Return the first row of a stack to show, so that the selected value is visible."""
        slot = self.selected
        if not isinstance(slot, Slot) or slot.stack != stack.key:
            return 0
        index = stack.depth - 1 - slot.level
        at = next((at for at, row in enumerate(rows) if index <= row[-1][0]), 0)
        return max(0, at + 1 - limit)
