"""A plane: a window on its cells under a ruler, pointers with their direction, what has changed."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import get_character_cell_size
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from esolangs.view import Grid, Number, Point
from esoplay.debugging.debugger import BreakpointSpec
from esoplay.tui.debug.canvas import Piece, strip_of
from esoplay.tui.debug.heat_map import HeatMap
from esoplay.tui.debug.moment import Moment, active_pointer
from esoplay.tui.debug.state.panel_box import VALUES, Height, PanelBox, panel_before
from esoplay.tui.debug.state.values import Base
from esoplay.tui.debug.viewport import Extent
from esoplay.tui.debug.visible import PICTURED, grouped

LARGE, NEGATIVE = "▪", "▫"
"""Stand for values that are no character: those too large, and those below 0."""
TOO_WIDE = "#"
"""Fills a cell whose number does not fit; the footer has it."""
PITCH = {Base.CHARACTER: 1, Base.DECIMAL: 5, Base.HEXADECIMAL: 5}
"""Columns of a cell in each base."""

_ARROWS: dict[Point, str] = {
    (1, 0): "→",
    (-1, 0): "←",
    (0, 1): "↓",
    (0, -1): "↑",
    (1, 1): "↘",
    (-1, 1): "↙",
    (1, -1): "↗",
    (-1, -1): "↖",
    (0, 0): "∘",
}


def arrow(delta: Point) -> str:
    """The direction, or the vector where it is no neighbour's."""
    return _ARROWS.get(delta) or f"→({delta[0]},{delta[1]})"


def glyph(value: Number) -> str:
    """A value as one character of one column."""
    if isinstance(value, str) or value > 0x10FFFF:
        return NEGATIVE if str(value).startswith("-") else LARGE
    if value < 0:
        return NEGATIVE
    if value < 128:
        return chr(value).translate(PICTURED)
    character = chr(value)
    drawable = character.isprintable() and get_character_cell_size(character) == 1
    return character if drawable else LARGE


def cell_text(value: Number, base: Base) -> str:
    """A cell in a base, exactly as wide as cells are there; blanks are left blank."""
    pitch = PITCH[base]
    if base is Base.CHARACTER:
        return glyph(value)
    if value == ord(" "):
        return " " * (pitch - 1) + "·"
    number = str(value) if isinstance(value, str) or base is Base.DECIMAL else f"{value:02x}"
    return f"{number if len(number) < pitch else TOO_WIDE * (pitch - 1):>{pitch}}"


def describe(value: Number) -> str:
    """A cell's value in words: its number, and the character where it is one."""
    if isinstance(value, int) and 32 < value < 127:
        return f"{value} '{chr(value)}'"
    return f"{value} space" if value == 32 else str(value)


def value_at(grid: Grid, point: Point) -> Number | None:
    """What a cell of the window holds; None outside of it."""
    x, y = point[0] - grid.left, point[1] - grid.top
    if 0 <= y < len(grid.rows) and 0 <= x < len(grid.rows[y]):
        return grid.rows[y][x]
    return None


def ruler(left: int, cells: int, pitch: int) -> str:
    """Numbers above every tenth column, as far apart as they need to be."""
    every = 10 if pitch == 1 else 5
    row = [" "] * (cells * pitch)
    free = 0
    for x in range(left, left + cells):
        at = (x - left) * pitch + pitch - 1
        label = str(x)
        if x % every == 0 and at >= free and at + len(label) <= len(row):
            row[at : at + len(label)] = label
            free = at + len(label) + 1
    return "".join(row)


# A window on a plane: cells under a ruler, pointers with their direction, what has changed.

BREAK, HERE, ABOVE = "●", "▶", "▼"
WHEEL_ROWS, WHEEL_COLUMNS = 3, 8
BLANK = 32
FOOTER_FROM = 6
"""Rows inside the frame from which on the selected cell is described below."""


class GridPanel(PanelBox):
    """Shows a plane of each moment; a click or ``move`` selects a cell."""

    WORDS = "the plane"
    ACTIONS = (*VALUES, "break", "break-edit", "to-cursor", "heat")
    BASE_ALONE = True
    SHOWS = Grid
    HEIGHT: ClassVar[Height] = Height(least=8, share=6)

    class Scrolled(Message):
        """Another part of the plane is to be seen, so many cells further."""

        def __init__(self, columns: int, rows: int) -> None:
            super().__init__()
            self.columns = columns
            self.rows = rows

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.base = Base.CHARACTER
        self._grid: Grid | None = None
        self._breaks: frozenset[Point] = frozenset()
        self._styles: dict[Point, Style] = {}
        self._changed: frozenset[Point] = frozenset()
        self._heat: HeatMap | None = None

    def show(self, moment: Moment, panel: Grid) -> None:
        gutter = self._gutter
        self.moment, self._grid = moment, panel
        self._changed = _changed_points(panel, panel_before(moment, panel))
        self._breaks = frozenset(
            (address[0], address[1])
            for each in moment.breakpoints
            for address in each.locations or ()
            if isinstance(address, tuple)
        )
        if self._gutter != gutter:
            self.post_message(self.RoomChanged())
        self.repaint()

    def show_heat(self, map: HeatMap | None) -> None:
        """Write a digit beside every cell that was executed, and shade it; None stops that."""
        if map is None and self._heat is None:
            return
        pitch, self._heat = self._pitch, map
        if self._pitch != pitch:
            self.post_message(self.RoomChanged())
        self.repaint()

    @property
    def _pitch(self) -> int:
        """Columns of a cell, its digit included."""
        return PITCH[self.base] + (self._heat is not None)

    @property
    def extent(self) -> Extent:
        """The cells that fit between gutter, ruler and footer."""
        width = (self.inner_width - self._gutter) // self._pitch
        return Extent(max(1, width), max(1, self.inner_height - 1 - self._footer_rows))

    @property
    def _footer_rows(self) -> int:
        return 1 if self.inner_height >= FOOTER_FROM else 0

    @property
    def _gutter(self) -> int:
        """Columns for the marks, the number of the row, and a blank: cells may be digits, too."""
        grid = self._grid
        if grid is None:
            return 5
        ends = (grid.top, grid.top + max(0, len(grid.rows) - 1))
        return 3 + max(2, *(len(str(each)) for each in ends))

    def place(self, moment: Moment) -> BreakpointSpec | None:
        cell = moment.selected
        return BreakpointSpec(position=(cell[0], cell[1])) if isinstance(cell, tuple) else None

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        """Select the cell so many rows and columns away."""
        here = self._point
        if here is not None:
            self.post_message(self.Selected((here[0] + columns, here[1] + rows)))

    # Drawing

    def heading(self) -> list[Piece]:
        grid = self._grid
        if grid is None:
            return [self.title_piece("plane")]
        pieces = [self.title_piece(f"{grid.name}  ")]
        pointer = active_pointer(grid)
        if pointer is not None:
            number = f" {pointer.id}" if len(grid.pointers) > 1 else ""
            x, y = pointer.position
            text = f"ip{number} {x},{y} {arrow(pointer.delta)}"
            pieces.append(Piece(text, self.palette.pointer))
        pieces.append(self.title_piece(f"  {self.base.value}"))
        return pieces

    def caption(self) -> list[Piece]:
        grid = self._grid
        if grid is None:
            return []
        (left, top), (right, bottom) = grid.low, grid.high
        return [self.title_piece(f"{left},{top} to {right},{bottom}")]

    def footing(self) -> list[Piece]:
        return [] if self._heat is None else [self.title_piece(self._heat.legend)]

    def row_count(self) -> int:
        return self.inner_height

    def draw(self) -> list[Strip]:
        self._styles = self._marked_cells()
        return super().draw()

    def line(self, row: int, width: int) -> Strip:
        palette, grid = self.palette, self._grid
        if grid is None:
            return strip_of([], width, palette.base)
        if row == 0:
            return strip_of(self._ruler(grid), width, palette.base)
        if row == self.inner_height - 1 and self._footer_rows:
            return strip_of(self._footer(), width, palette.base)
        y = grid.top + row - 1
        if row - 1 >= len(grid.rows):
            return strip_of([], width, palette.base)
        pieces = [*self._margin(grid, y), *self._cells(grid, y, grid.rows[row - 1])]
        return strip_of(pieces, width, palette.base)

    def _ruler(self, grid: Grid) -> list[Piece]:
        palette = self.palette
        pitch = self._pitch
        text = ruler(grid.left, len(grid.rows[0]) if grid.rows else 0, pitch)
        pieces = [Piece(" " * self._gutter, palette.faint)]
        pointer = active_pointer(grid)
        at = -1 if pointer is None else (pointer.position[0] - grid.left) * pitch
        at += 0 if pointer is None else PITCH[self.base] - 1
        if not 0 <= at < len(text):
            return [*pieces, Piece(text, palette.faint)]
        return [
            *pieces,
            Piece(text[:at], palette.faint),
            Piece(ABOVE, palette.pointer),
            Piece(text[at + 1 :], palette.faint),
        ]

    def _margin(self, grid: Grid, y: int) -> list[Piece]:
        palette = self.palette
        pointer = active_pointer(grid)
        here = pointer is not None and pointer.position[1] == y
        stops = any(row == y for _, row in self._breaks)
        style = palette.pointer if here else palette.faint
        return [
            Piece(BREAK if stops else " ", palette.breakpoint),
            Piece(HERE if here else " ", palette.pointer),
            Piece(f"{y:>{self._gutter - 3}} ", style),
        ]

    def _cells(self, grid: Grid, y: int, values: tuple[int | str, ...]) -> list[Piece]:
        base = self.palette.base
        pieces: list[Piece] = []
        for x, value in enumerate(values, grid.left):
            text, style = cell_text(value, self.base), self._styles.get((x, y), base)
            if self._heat is not None:
                pieces += self._heated(text, style, (x, y), blank=value == BLANK)
                continue
            if pieces and pieces[-1].style is style:
                pieces[-1] = Piece(pieces[-1].text + text, style)
            else:
                pieces.append(Piece(text, style))
        return pieces

    def _heated(self, text: str, style: Style, point: Point, *, blank: bool) -> list[Piece]:
        """A cell and its digit; a blank that was never executed has none."""
        assert self._heat is not None
        palette, heat = self.palette, self._heat
        if blank and not heat.executed(point):
            return [Piece(text + " ", style)]
        shade = heat.shade(point)
        if shade and style is palette.base:
            style = palette.base + palette.heat[shade - 1]
        return [Piece(text, style), Piece(heat.digit(point), palette.faint)]

    def _marked_cells(self) -> dict[Point, Style]:
        """Styles of cells that are more than their value, the strongest last."""
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
        for point in self._breaks:
            styles[point] = palette.breakpoint
        for pointer in grid.pointers:
            if not pointer.active:
                styles[pointer.position] = palette.found
        active = active_pointer(grid)
        if active is not None:
            styles[active.position] = palette.next
        selected = self._selected
        if selected is not None and (active is None or active.position != selected):
            styles[selected] = palette.cursor
        return styles

    def _footer(self) -> list[Piece]:
        """What the selected cell holds, and who wrote it last."""
        point, moment, grid = self._point, self.moment, self._grid
        if point is None or moment is None or grid is None:
            return []
        faint = self.palette.faint
        value = value_at(grid, point)
        pieces = [Piece(f" {point[0]},{point[1]}: ", faint)]
        if value is not None:
            pieces.append(Piece(f"{describe(value)}  ", self.palette.base))
        known = moment.last_write
        if known is None or known.cell != point:
            return pieces
        if known.write is None:
            return [*pieces, Piece("never written by the program", faint)]
        write = known.write
        return [
            *pieces,
            Piece("last write ", faint),
            Piece(f"@{grouped(write.step)}", self.palette.base),
            Piece(f"  {write.old} → {write.new}", faint),
        ]

    # The selected cell

    @property
    def _point(self) -> Point | None:
        """The cell that questions are about."""
        selected = None if self.moment is None else self.moment.selected
        return (selected[0], selected[1]) if isinstance(selected, tuple) else None

    @property
    def _selected(self) -> Point | None:
        """The cell that the user has chosen; None while it goes along with the pointer."""
        return self._point if self.moment is not None and self.moment.chosen else None

    # Mouse

    def clicked(self, column: int, row: int) -> None:
        grid = self._grid
        if grid is None:
            return
        x, y = (column - self._gutter) // self._pitch, row - 1
        if column >= self._gutter and 0 <= y < len(grid.rows) and x < len(grid.rows[y]):
            self.post_message(self.Selected((grid.left + x, grid.top + y)))

    def _scroll_by(self, rows: int) -> None:
        self.post_message(self.Scrolled(0, rows))

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        event.stop()
        self.post_message(self.Scrolled(WHEEL_COLUMNS, 0))

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        event.stop()
        self.post_message(self.Scrolled(-WHEEL_COLUMNS, 0))


def _changed_points(grid: Grid, before: Grid | None) -> frozenset[Point]:
    """Cells in both windows that have another value now."""
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
