"""A plane: visible cells with a ruler, pointers with their directions, and changed cells.

A program whose code is on a plane is debugged in this panel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from esolangs.editing import Editing
from esolangs.view import Grid, Point
from esoplay.debugging.debugger import BreakpointSpec
from esoplay.tui.debug.byte_glyphs import format_int
from esoplay.tui.debug.canvas import SEARCH_ACTIONS, StyledText, make_strip
from esoplay.tui.debug.debug_snapshot import DebugSnapshot, active_pointer
from esoplay.tui.debug.heat_map import HeatMap
from esoplay.tui.debug.state.panel_box import VALUE_ACTIONS, PanelBox, PanelHeight, previous_panel
from esoplay.tui.debug.state.plane_cells import (
    CELL_COLUMNS,
    arrow,
    cell_text,
    describe_cell,
    ruler,
    value_at,
)
from esoplay.tui.debug.state.values import NumberBase
from esoplay.tui.debug.text_layout import find_next, find_previous
from esoplay.tui.debug.viewport import Extent
from esoplay.tui.highlight import find_editing

if TYPE_CHECKING:
    from esolangs.language import Program


ENABLED, DISABLED, POINTER_ROW_MARK, POINTER_COLUMN_MARK = "●", "○", "▶", "▼"
SELECTED_ROW_MARK, SELECTED_COLUMN_MARK = "›", "⌄"
"""Marks of the row and the column of the selected cell."""
WHEEL_ROWS, WHEEL_COLUMNS = 3, 8
BLANK = 32
MIN_ROWS_WITH_DESCRIPTION = 6
"""Minimum rows in the frame at which the last row describes the selected cell."""
SHARED_MARK = "+"
"""The mark of a row or column with several pointers."""
RIGHT_BUTTON = 3
FRAME_COLUMNS = 2
"""Width of the left and the right border of the frame together, in columns."""

_NEVER_WRITTEN = ("never written by the program", "never written", "unwritten")
"""Texts for an unwritten cell; the first text that fits is shown."""


class GridPanel(PanelBox):
    """Shows a plane; a click or ``move`` selects a cell."""

    LABEL = "the plane"
    ACTIONS = (
        *VALUE_ACTIONS,
        *("scroll-down", "scroll-up", "scroll-right", "scroll-left", "go-to-cell", "set-cell"),
        *("break", "break-edit", "to-cursor", "to-cursor-back"),
        *SEARCH_ACTIONS,
        "heat",
    )
    CYCLES_OWN_BASE = True
    PANEL_TYPE = Grid
    HEIGHT: ClassVar[PanelHeight] = PanelHeight(minimum=8, weight=6)

    class Scrolled(Message):
        """A request to scroll the plane by a number of cells."""

        def __init__(self, columns: int, rows: int) -> None:
            super().__init__()
            self.columns = columns
            self.rows = rows

    class BreakpointRequested(Message):
        """A request to set or remove a breakpoint on a cell."""

        def __init__(self, point: Point) -> None:
            super().__init__()
            self.point = point

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.base = NumberBase.CHARACTER
        self._grid: Grid | None = None
        self._program: Program | None = None
        self._editing = Editing()
        self._breakpoints: dict[Point, bool] = {}
        self._styles: dict[Point, Style] = {}
        self._changed: frozenset[Point] = frozenset()
        self._heat: HeatMap | None = None
        self._shows_numbers = False
        """Whether more than one pointer has existed, so that pointers are numbered at the edges."""
        self._stale = False
        self._pattern = b""
        self.wanted_columns = 0
        """Columns needed to show the full width of the program's text."""

    def open(self, program: Program) -> None:
        """Set the program whose plane this box shows; :meth:`show` then shows its cells."""
        self._program = program
        self._editing = find_editing(program.language.id)
        self._shows_numbers = self._stale = False
        lines = program.source.split(b"\n")
        self.wanted_columns = FRAME_COLUMNS + _gutter_for(len(lines)) + max(map(len, lines))

    def mark_stale(self, stale: bool) -> None:
        """Show or hide a warning that the text has changed since the program was opened."""
        self._stale = stale
        self.repaint()

    def show(self, snapshot: DebugSnapshot, panel: Grid) -> None:
        margins = self._gutter_width, self._head_rows
        self.snapshot, self._grid = snapshot, panel
        self._shows_numbers = self._shows_numbers or len(panel.pointers) > 1
        self._changed = _changed_points(panel, previous_panel(snapshot, panel))
        self._breakpoints = {}
        for each in snapshot.breakpoints:
            for address in each.locations or ():
                if isinstance(address, tuple):
                    point = address[0], address[1]
                    self._breakpoints[point] = (
                        self._breakpoints.get(point, False) or each.spec.enabled
                    )
        if (self._gutter_width, self._head_rows) != margins:
            self.post_message(self.CapacityChanged())
        self.repaint()

    def show_heat(self, heat_map: HeatMap | None) -> None:
        """Show the heat of each cell as a digit and a shade; None hides the heat."""
        if heat_map is None and self._heat is None:
            return
        pitch, self._heat = self._pitch, heat_map
        if self._pitch != pitch:
            self.post_message(self.CapacityChanged())
        self.repaint()

    def available_actions(self, snapshot: DebugSnapshot) -> tuple[str, ...]:
        missing = () if self._pattern else ("search-next", "search-previous")
        return tuple(each for each in super().available_actions(snapshot) if each not in missing)

    @property
    def _pitch(self) -> int:
        """Width of a cell in columns, including the digit of the heat map if that is shown."""
        return CELL_COLUMNS[self.base] + (self._heat is not None)

    @property
    def extent(self) -> Extent:
        """The columns and rows of cells that fit between gutter, ruler, description and frame."""
        width = (self.inner_width - self._gutter_width) // self._pitch
        height = self.inner_height - self._head_rows - self._description_rows
        return Extent(max(1, width), max(1, height))

    @property
    def _head_rows(self) -> int:
        """Rows above the cells: the ruler and, with several pointers, the pointers' numbers."""
        return 1 + self._shows_numbers

    @property
    def _description_rows(self) -> int:
        return 1 if self.inner_height >= MIN_ROWS_WITH_DESCRIPTION else 0

    @property
    def _gutter_width(self) -> int:
        """Width of the gutter in columns: marks, row number and a space."""
        grid = self._grid
        if grid is None:
            return 5
        return _gutter_for(grid.top, grid.top + max(0, len(grid.rows) - 1))

    def breakpoint_location(self, snapshot: DebugSnapshot) -> BreakpointSpec | None:
        cell = snapshot.selected_cell
        return BreakpointSpec(position=(cell[0], cell[1])) if isinstance(cell, tuple) else None

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        """Move the selection by rows and columns."""
        here = self._selected_point
        if here is not None:
            self.post_message(self.Selected((here[0] + columns, here[1] + rows)))

    def find(self, pattern: bytes | None = None, *, backwards: bool = False) -> bool:
        """Select the first cell of the next match in the source; None repeats the last search."""
        if pattern is not None:
            self._pattern = pattern
        program, point = self._program, self._selected_point
        if program is None:
            return False
        here = None if point is None else program.offset_at(point)
        at = -1 if here is None else here
        search = find_previous if backwards else find_next
        found = search(program.source, self._pattern, at)
        address = None if found is None else program.address_at(found)
        if not isinstance(address, tuple):
            return False
        self.post_message(self.Selected(address))
        return True

    # Frame

    def heading(self) -> list[StyledText]:
        grid = self._grid
        if grid is None:
            return [self.title_span("plane")]
        pieces = [self.title_span(f"{grid.name}  ")]
        pointer = active_pointer(grid)
        if pointer is not None:
            number = f" {pointer.id}" if len(grid.pointers) > 1 else ""
            x, y = pointer.position
            text = f"ip{number} {x},{y} {arrow(pointer.delta)}"
            pieces.append(StyledText(text, self.palette.pointer))
        pieces.append(self.title_span(f"  {self.base.value}"))
        if self._stale:
            pieces.append(StyledText("  stale: text changed", self.palette.warning))
        return pieces

    def caption(self) -> list[StyledText]:
        grid = self._grid
        if grid is None:
            return []
        (left, top), (right, bottom) = grid.low, grid.high
        return [self.title_span(f"{left},{top} to {right},{bottom}")]

    def footer(self) -> list[StyledText]:
        if self._heat is not None:
            return [self.title_span(self._heat.legend)]
        grid = self._grid
        pointer = None if grid is None else active_pointer(grid)
        if grid is None or pointer is None or value_at(grid, pointer.position) is not None:
            return []
        return [self.title_span(f"IP: {_distance_text(grid, pointer.position)}; Esc shows it")]

    # Rows

    def row_count(self) -> int:
        return self.inner_height

    def draw(self) -> list[Strip]:
        self._styles = self._marked_cells()
        return super().draw()

    def line(self, row: int, width: int) -> Strip:
        palette, grid = self.palette, self._grid
        if grid is None:
            return make_strip([], width, palette.base)
        if row == 0:
            return make_strip(self._ruler(grid), width, palette.base)
        if row == self.inner_height - 1 and self._description_rows:
            return make_strip(self._description(), width, palette.base)
        at = row - self._head_rows
        if at < 0:
            return make_strip(self._number_ruler(grid), width, palette.base)
        if at >= len(grid.rows):
            return make_strip([], width, palette.base)
        y = grid.top + at
        pieces = [*self._gutter_spans(grid, y), *self._cells(grid, y, grid.rows[at])]
        return make_strip(pieces, width, palette.base)

    def _ruler(self, grid: Grid) -> list[StyledText]:
        palette = self.palette
        text = ruler(grid.left, len(grid.rows[0]) if grid.rows else 0, self._pitch)
        marks: dict[int, StyledText] = {}
        if self._user_selected_point is not None:
            marks[self._column(grid, self._user_selected_point)] = StyledText(
                SELECTED_COLUMN_MARK, palette.strong
            )
        pointer = active_pointer(grid)
        if pointer is not None:
            marks[self._column(grid, pointer.position)] = StyledText(
                POINTER_COLUMN_MARK, palette.pointer
            )
        return [
            StyledText(" " * self._gutter_width, palette.faint),
            *_overlay(text, marks, palette.faint),
        ]

    def _number_ruler(self, grid: Grid) -> list[StyledText]:
        """Return the row of pointer numbers above their columns."""
        palette = self.palette
        text = " " * (self._pitch * (len(grid.rows[0]) if grid.rows else 0))
        marks: dict[int, StyledText] = {}
        for each in grid.pointers:
            column = self._column(grid, each.position)
            number = SHARED_MARK if column in marks else str(each.id)[-1]
            style = palette.pointer if each.active else palette.strong
            marks[column] = StyledText(number, marks[column].style if column in marks else style)
        label = "ip".rjust(self._gutter_width - 1)
        return [StyledText(f"{label} ", palette.faint), *_overlay(text, marks, palette.faint)]

    def _column(self, grid: Grid, point: Point) -> int:
        """Return the column, relative to the gutter, of a cell's last character."""
        return (point[0] - grid.left) * self._pitch + CELL_COLUMNS[self.base] - 1

    def _gutter_spans(self, grid: Grid, y: int) -> list[StyledText]:
        palette = self.palette
        enabled_flags = [enabled for (_, row), enabled in self._breakpoints.items() if row == y]
        mark = " " if not enabled_flags else ENABLED if any(enabled_flags) else DISABLED
        row_mark = StyledText(" ", palette.faint)
        others = [str(each.id)[-1] for each in grid.pointers if each.position[1] == y]
        pointer = active_pointer(grid)
        is_here = pointer is not None and pointer.position[1] == y
        if is_here:
            row_mark = StyledText(POINTER_ROW_MARK, palette.pointer)
        elif others:
            row_mark = StyledText(others[0] if len(others) == 1 else SHARED_MARK, palette.strong)
        elif self._user_selected_point is not None and self._user_selected_point[1] == y:
            row_mark = StyledText(SELECTED_ROW_MARK, palette.strong)
        style = palette.pointer if is_here else palette.faint
        return [
            StyledText(mark, palette.breakpoint),
            row_mark,
            StyledText(f"{y:>{self._gutter_width - 3}} ", style),
        ]

    def _cells(self, grid: Grid, y: int, values: tuple[int | str, ...]) -> list[StyledText]:
        base = self.palette.base
        pieces: list[StyledText] = []
        for x, value in enumerate(values, grid.left):
            text, style = cell_text(value, self.base), self._styles.get((x, y), base)
            if self._heat is not None:
                pieces += self._cell_with_digit(text, style, (x, y), blank=value == BLANK)
                continue
            if pieces and pieces[-1].style is style:
                pieces[-1] = StyledText(pieces[-1].text + text, style)
            else:
                pieces.append(StyledText(text, style))
        return pieces

    def _cell_with_digit(
        self, text: str, style: Style, point: Point, *, blank: bool
    ) -> list[StyledText]:
        """Return a cell and the digit after it, which shows how often the cell was executed.

        A blank cell that was not executed has a space instead of the digit.
        """
        assert self._heat is not None
        palette, heat = self.palette, self._heat
        if blank and not heat.is_executed(point):
            return [StyledText(text + " ", style)]
        shade = heat.shade(point)
        if shade and style is palette.base:
            style = palette.base + palette.heat[shade - 1]
        return [StyledText(text, style), StyledText(heat.digit(point), palette.faint)]

    def _marked_cells(self) -> dict[Point, Style]:
        """Return the styles of marked cells, such as breakpoints and pointers."""
        grid, palette = self._grid, self.palette
        if grid is None:
            return {}
        styles: dict[Point, Style] = dict.fromkeys(grid.written, palette.written)
        for point in self._changed:
            styles[point] = palette.changed
        shades = palette.trail
        for age, point in reversed(list(enumerate(grid.trail))):
            shade = shades[min(age * len(shades) // max(1, len(grid.trail)), len(shades) - 1)]
            styles[point] = styles.get(point, palette.base) + shade
        styles |= dict.fromkeys(self._matching_cells(grid), palette.found)
        styles |= dict.fromkeys(self._breakpoints, palette.breakpoint + _REVERSED)
        for pointer in grid.pointers:
            if not pointer.active:
                styles[pointer.position] = palette.found
        active = active_pointer(grid)
        if active is not None:
            styles[active.position] = palette.next
        selected = self._user_selected_point
        if selected is not None and (active is None or active.position != selected):
            styles[selected] = palette.cursor
        return styles

    def _matching_cells(self, grid: Grid) -> list[Point]:
        """Return the visible cells that match the last search."""
        pattern = self._pattern
        found: list[Point] = []
        for y, row in enumerate(grid.rows if pattern else (), grid.top):
            text = bytes(
                value if isinstance(value, int) and 0 <= value < 256 else 0 for value in row
            )
            at = text.find(pattern)
            while at >= 0:
                found += [(grid.left + x, y) for x in range(at, at + len(pattern))]
                at = text.find(pattern, at + len(pattern))
        return found

    def _description(self) -> list[StyledText]:
        """Describe the selected cell: its value, its instruction and its last write."""
        point, snapshot, grid = self._selected_point, self.snapshot, self._grid
        if point is None or snapshot is None or grid is None:
            return []
        faint = self.palette.faint
        value = value_at(grid, point)
        pieces = [StyledText(f" {point[0]},{point[1]}: ", faint)]
        if value is not None:
            pieces.append(StyledText(f"{describe_cell(value)}  ", self.palette.base))
            name = self._editing.instruction_name(value) if isinstance(value, int) else ""
            pieces.append(StyledText(f"{name}  " if name else "", faint))
        for each in grid.pointers if len(grid.pointers) > 1 else ():
            if each.position == point:
                text = f"IP {each.id} {arrow(each.delta)}  "
                pieces.append(StyledText(text, self.palette.pointer))
        known = snapshot.last_write
        if known is None or known.cell != point:
            return pieces
        if known.write is None:
            room = self.inner_width - sum(cell_len(each.text) for each in pieces)
            text = next((text for text in _NEVER_WRITTEN if len(text) <= room), "")
            return [*pieces, StyledText(text, faint)]
        write = known.write
        return [
            *pieces,
            StyledText("last write ", faint),
            StyledText(f"@{format_int(write.step)}", self.palette.base),
            StyledText(f"  {write.old} → {write.new}", faint),
        ]

    # The selected cell

    @property
    def _selected_point(self) -> Point | None:
        """The selected cell, chosen by the user or following the pointer; None if there is none."""
        selected = None if self.snapshot is None else self.snapshot.selected_cell
        return (selected[0], selected[1]) if isinstance(selected, tuple) else None

    @property
    def _user_selected_point(self) -> Point | None:
        """The cell that the user selected; None if the selection follows the pointer."""
        return (
            self._selected_point
            if self.snapshot is not None and self.snapshot.is_user_selected
            else None
        )

    # Mouse

    def on_click(self, event: events.Click) -> None:
        """Set or remove a breakpoint on a right click or a double click."""
        offset = self.inner_offset(event)
        point = None if offset is None else self._point_at(offset.x, offset.y)
        if point is not None and (event.button == RIGHT_BUTTON or event.chain == 2):
            self.post_message(self.BreakpointRequested(point))

    def handle_click(self, column: int, row: int) -> None:
        point = self._point_at(column, row)
        if point is not None:
            self.post_message(self.Selected(point))
        elif (
            column < self._gutter_width
            and (breakpoint_point := self._breakpoint_point_in_row(row)) is not None
        ):
            self.post_message(self.BreakpointRequested(breakpoint_point))

    def _point_at(self, column: int, row: int) -> Point | None:
        """Return the cell at a column and row inside the frame, or None."""
        grid = self._grid
        x, y = (column - self._gutter_width) // self._pitch, row - self._head_rows
        if grid is None or column < self._gutter_width or not 0 <= y < len(grid.rows):
            return None
        return (grid.left + x, grid.top + y) if x < len(grid.rows[y]) else None

    def _breakpoint_point_in_row(self, row: int) -> Point | None:
        """Return the cell whose breakpoint a click next to a row sets or removes.

        It is the first cell with a breakpoint, else the first cell with code, or None.
        """
        grid, at = self._grid, row - self._head_rows
        if grid is None or not 0 <= at < len(grid.rows):
            return None
        y = grid.top + at
        with_breakpoint = [point for point in self._breakpoints if point[1] == y]
        code = ((x, y) for x, value in enumerate(grid.rows[at], grid.left) if value != BLANK)
        return min(with_breakpoint) if with_breakpoint else next(code, None)

    def _scroll_by(self, rows: int) -> None:
        self.post_message(self.Scrolled(0, rows))

    def scroll_pages(self, *, rows: int = 0, columns: int = 0) -> None:
        width, height = self.extent
        self.post_message(self.Scrolled(columns * max(1, width // 2), rows * max(1, height - 2)))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._scroll_sideways(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._scroll_sideways(event, -1)

    def _scroll_sideways(self, event: events.MouseEvent, direction: int) -> None:
        """Scroll columns if Shift or Ctrl is pressed; otherwise the base class scrolls rows."""
        if event.shift or event.ctrl:
            event.stop()
            event.prevent_default()
            self.post_message(self.Scrolled(direction * WHEEL_COLUMNS, 0))

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        event.stop()
        self.post_message(self.Scrolled(WHEEL_COLUMNS, 0))

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        event.stop()
        self.post_message(self.Scrolled(-WHEEL_COLUMNS, 0))


def _gutter_for(*rows: int) -> int:
    return 3 + max(2, *(len(str(each)) for each in rows))


_REVERSED = Style(reverse=True)


def _overlay(text: str, marks: dict[int, StyledText], style: Style) -> list[StyledText]:
    """Return ``text`` with the characters of ``marks`` in their columns."""
    pieces: list[StyledText] = []
    free = 0
    for column in sorted(marks):
        if 0 <= column < len(text):
            pieces += [StyledText(text[free:column], style), marks[column]]
            free = column + 1
    return [*pieces, StyledText(text[free:], style)]


def _distance_text(grid: Grid, point: Point) -> str:
    """Return the position of a cell relative to the window, as text: ``12 right, 3 above``."""
    width = len(grid.rows[0]) if grid.rows else 0
    right = point[0] - (grid.left + width - 1)
    below = point[1] - (grid.top + len(grid.rows) - 1)
    words: list[str] = []
    if point[0] < grid.left:
        words.append(f"{format_int(grid.left - point[0])} left")
    elif right > 0:
        words.append(f"{format_int(right)} right")
    if point[1] < grid.top:
        words.append(f"{format_int(grid.top - point[1])} above")
    elif below > 0:
        words.append(f"{format_int(below)} below")
    return ", ".join(words)


def _changed_points(grid: Grid, before: Grid | None) -> frozenset[Point]:
    """Return the cells that are in both windows and have different values."""
    if before is None:
        return frozenset()
    changed: set[Point] = set()
    for y, row in enumerate(grid.rows, grid.top):
        at = y - before.top
        if not 0 <= at < len(before.rows):
            continue
        old = before.rows[at]
        if grid.left == before.left and row == old:
            continue
        for x, value in enumerate(row, grid.left):
            if 0 <= x - before.left < len(old) and old[x - before.left] != value:
                changed.add((x, y))
    return frozenset(changed)
