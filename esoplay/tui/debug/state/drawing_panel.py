"""A drawing in Braille dots, with its own line colours and background."""

from __future__ import annotations

from typing import ClassVar

from rich.color import Color
from rich.style import Style
from textual.strip import Strip

from esolangs.view import Drawing, Line, Point
from esoplay.debugging.descriptions import color_text
from esoplay.tui.debug.byte_glyphs import format_int
from esoplay.tui.debug.canvas import StyledText, make_strip
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.state.panel_box import PanelBox, PanelHeight

DOT_COLUMNS, DOT_ROWS = 2, 4
"""Number of columns and rows of dots in a Braille character."""
_BRAILLE = 0x2800
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot in a Braille character, by row and column."""
_TURTLES = "→↘↓↙←↖↑↗"
"""Arrows for the turtle's heading, clockwise from the right in steps of 45 degrees."""


class DrawingScale:
    """The scale at which a drawing fits a grid of dots.

    A unit of the drawing takes the same number of dots in both directions, as many as fit.
    """

    def __init__(self, low: Point, high: Point, width: int, height: int) -> None:
        """Fit the box with the corners ``low`` and ``high`` into ``width`` × ``height`` dots."""
        extents = high[0] - low[0], high[1] - low[1]
        units = [(width - 1) / extents[0]] if extents[0] else []
        units += [(height - 1) / extents[1]] if extents[1] else []
        self._low = low
        self._unit = min(units, default=1.0)
        drawn = [round(span * self._unit) for span in extents]
        self._margin = (width - 1 - drawn[0]) // 2, (height - 1 - drawn[1]) // 2

    def dot(self, point: Point) -> Point:
        """Return the column and row of the dot nearest to a point."""
        x, y = point[0] - self._low[0], point[1] - self._low[1]
        return self._margin[0] + round(x * self._unit), self._margin[1] + round(y * self._unit)


def dots_between(start: Point, end: Point) -> list[Point]:
    """Return the dots of a straight line, including its ends."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    across, down = end[0] - start[0], end[1] - start[1]
    return [
        (start[0] + (2 * across * at + steps) // (2 * steps),
         start[1] + (2 * down * at + steps) // (2 * steps))
        for at in range(steps + 1)
    ]  # fmt: skip


class Raster:
    """A grid of Braille characters, each in the colour of the last line drawn in it."""

    def __init__(self, columns: int, rows: int) -> None:
        self.patterns = [[0] * columns for _ in range(rows)]
        self.colors = [[0] * columns for _ in range(rows)]

    def draw(self, line: Line, scale: DrawingScale) -> None:
        """Draw a line."""
        for x, y in dots_between(scale.dot(line.start), scale.dot(line.end)):
            row, column = y // DOT_ROWS, x // DOT_COLUMNS
            self.patterns[row][column] |= _DOTS[y % DOT_ROWS][x % DOT_COLUMNS]
            self.colors[row][column] = line.color


class DrawingPanel(PanelBox):
    """Shows a drawing as large as possible, with the turtle."""

    LABEL = "the drawing"
    ACTIONS: ClassVar[tuple[str, ...]] = ()
    PANEL_TYPE = Drawing
    HEIGHT: ClassVar[PanelHeight] = PanelHeight(minimum=3, weight=5)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._drawing: Drawing | None = None
        self._raster = Raster(0, 0)
        self._turtle: Point = (0, 0)

    def show(self, snapshot: DebugSnapshot, panel: Drawing) -> None:
        """Show the drawing in a snapshot."""
        self.snapshot, self._drawing = snapshot, panel
        self.repaint()

    def cycle_base(self) -> None:
        """Do nothing, because a drawing does not contain numbers."""

    def lay_out(self) -> None:
        drawing, columns, rows = self._drawing, self.inner_width, self.inner_height
        if drawing is None or columns < 1 or rows < 1:
            return
        here = drawing.position
        low = min(drawing.low[0], here[0]), min(drawing.low[1], here[1])
        high = max(drawing.high[0], here[0]), max(drawing.high[1], here[1])
        scale = DrawingScale(low, high, columns * DOT_COLUMNS, rows * DOT_ROWS)
        self._raster = Raster(columns, rows)
        for line in drawing.lines:
            self._raster.draw(line, scale)
        x, y = scale.dot(here)
        self._turtle = x // DOT_COLUMNS, y // DOT_ROWS

    # Drawing

    def heading(self) -> list[StyledText]:
        drawing = self._drawing
        if drawing is None:
            return [self.title_span("drawing")]
        shown, size = len(drawing.lines), drawing.size
        count = "1 line" if size == 1 else f"{format_int(size)} lines"
        shown_text = f", the last {format_int(shown)} are shown" if shown < size else ""
        return [self.title_span(f"{drawing.name}  {count}{shown_text}")]

    def footer(self) -> list[StyledText]:
        drawing = self._drawing
        if drawing is None:
            return []
        x, y = drawing.position
        pen = f"pen {color_text(drawing.color)}" if drawing.pen else "pen up"
        return [self.title_span(f"at {x}, {y}  heading {drawing.heading}  {pen}")]

    def row_count(self) -> int:
        return self.inner_height

    def line(self, row: int, width: int) -> Strip:
        drawing, raster = self._drawing, self._raster
        if drawing is None or row >= len(raster.patterns):
            return make_strip([], width, self.palette.base)
        paper = _rich_color(drawing.paper)
        blank = Style(color=_rich_color(_contrasting_color(drawing.paper)), bgcolor=paper)
        pieces: list[StyledText] = []
        for column, pattern in enumerate(raster.patterns[row]):
            if (column, row) == self._turtle:
                pieces.append(
                    StyledText(_TURTLES[_compass_octant(drawing.heading)], blank + Style(bold=True))
                )
            elif pattern:
                style = Style(color=_rich_color(raster.colors[row][column]), bgcolor=paper)
                pieces.append(StyledText(chr(_BRAILLE + pattern), style))
            else:
                pieces.append(StyledText(" ", blank))
        return make_strip(pieces, width, blank)


def _compass_octant(heading: int) -> int:
    return (2 * heading + 45) // 90 % 8


def _rich_color(color: int) -> Color:
    return Color.from_rgb(color >> 16, color >> 8 & 255, color & 255)


def _contrasting_color(background: int) -> int:
    """Return black for light paper, white for dark paper."""
    red, green, blue = background >> 16, background >> 8 & 255, background & 255
    return 0 if 299 * red + 587 * green + 114 * blue > 127_500 else 0xFFFFFF
