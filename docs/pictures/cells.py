"""What a screen shows, as rows of styled text that know nothing of Textual."""

from __future__ import annotations

from typing import NamedTuple

from rich.color import ColorType
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from textual.app import App
from textual.color import Color
from textual.filter import ANSIToTruecolor


class Run(NamedTuple):
    """Text of one style from ``column`` on; ``cells`` are the columns that it takes."""

    column: int
    cells: int
    text: str
    front: str
    back: str
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False


Row = tuple[Run, ...]


class Shot(NamedTuple):
    """A screen at one moment."""

    columns: int
    rows: tuple[Row, ...]
    back: str


def shoot(app: App[int]) -> Shot:
    """What the application shows now."""
    width, height = app.size
    back = app.current_theme.background or app.theme_variables["background"]
    ground = Color.parse(back)
    strips = app.screen._compositor.render_strips()  # pyright: ignore[reportPrivateUsage]
    plain = ANSIToTruecolor(DEFAULT_TERMINAL_THEME)
    rows = tuple(_row(plain.apply(list(strip), ground), ground) for strip in strips[:height])
    return Shot(width, rows, ground.hex6)


def _row(segments: list[Segment], ground: Color) -> Row:
    runs: list[Run] = []
    column = 0
    for segment in segments:
        cells = segment.cell_length
        run = _run(column, cells, segment.text, segment.style or Style(), ground)
        column += cells
        if runs and runs[-1][3:] == run[3:]:
            before = runs.pop()
            run = before._replace(cells=before.cells + cells, text=before.text + run.text)
        if cells:
            runs.append(run)
    return tuple(runs)


def _run(column: int, cells: int, text: str, style: Style, ground: Color) -> Run:
    front, back = _color(style, "color", "#c5c8c6"), _color(style, "bgcolor", ground.hex6)
    if style.reverse:
        front, back = back, front
    if style.dim:
        front = Color.parse(front).blend(Color.parse(back), 0.4).hex6
    return Run(
        column,
        cells,
        text,
        front,
        back,
        bool(style.bold),
        bool(style.italic),
        bool(style.underline),
        bool(style.strike),
    )


def _color(style: Style, name: str, default: str) -> str:
    color = style.color if name == "color" else style.bgcolor
    if color is None or color.type is ColorType.DEFAULT:
        return default
    return color.get_truecolor(DEFAULT_TERMINAL_THEME).hex
