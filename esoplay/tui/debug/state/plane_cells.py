"""Cells of a plane as text: characters, numbers, coordinates and directions."""

from __future__ import annotations

from rich.cells import get_character_cell_size

from esolangs.view import Grid, Number, Point
from esoplay.tui.debug.byte_glyphs import BYTE_PICTURES
from esoplay.tui.debug.state.values import NumberBase

LARGE, NEGATIVE = "▪", "▫"
"""Glyphs of values that are not characters: large and negative values."""
TOO_WIDE = "#"
"""The character that fills a cell whose number does not fit; the description shows the number."""
CELL_COLUMNS = {NumberBase.CHARACTER: 1, NumberBase.DECIMAL: 5, NumberBase.HEXADECIMAL: 5}
"""Width of a cell in columns, by number base."""

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
    """Return a direction as an arrow; as a vector if it does not lead to an adjacent cell."""
    return _ARROWS.get(delta) or f"→({delta[0]},{delta[1]})"


def glyph(value: Number) -> str:
    """Return a value as a character of one column."""
    if isinstance(value, str) or value > 0x10FFFF:
        return NEGATIVE if str(value).startswith("-") else LARGE
    if value < 0:
        return NEGATIVE
    if value < 128:
        return chr(value).translate(BYTE_PICTURES)
    character = chr(value)
    drawable = character.isprintable() and get_character_cell_size(character) == 1
    return character if drawable else LARGE


def cell_text(value: Number, base: NumberBase) -> str:
    """Return the text that shows a value as a character or a number, as wide as a cell.

    Where numbers are shown, a space (32) is a dot.
    """
    pitch = CELL_COLUMNS[base]
    if base is NumberBase.CHARACTER:
        return glyph(value)
    if value == ord(" "):
        return " " * (pitch - 1) + "·"
    number = str(value) if isinstance(value, str) or base is NumberBase.DECIMAL else f"{value:02x}"
    return f"{number if len(number) < pitch else TOO_WIDE * (pitch - 1):>{pitch}}"


def describe_cell(value: Number) -> str:
    """Return a value as a number, followed by its character if it has one."""
    if isinstance(value, int) and 32 < value < 127:
        return f"{value} '{chr(value)}'"
    return f"{value} space" if value == 32 else str(value)


def value_at(grid: Grid, point: Point) -> Number | None:
    """Return the value of a cell; None if the cell is outside the window."""
    x, y = point[0] - grid.left, point[1] - grid.top
    if 0 <= y < len(grid.rows) and 0 <= x < len(grid.rows[y]):
        return grid.rows[y][x]
    return None


def ruler(left: int, cell_count: int, pitch: int) -> str:
    """Return a row with the number of every tenth column, or of every fifth if cells are wide.

    A number that would touch the one before it is left out.
    """
    interval = 10 if pitch == 1 else 5
    row = [" "] * (cell_count * pitch)
    free = 0
    for x in range(left, left + cell_count):
        column = (x - left) * pitch + pitch - 1
        label = str(x)
        if x % interval == 0 and column >= free and column + len(label) <= len(row):
            row[column : column + len(label)] = label
            free = column + len(label) + 1
    return "".join(row)
