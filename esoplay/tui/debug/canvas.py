"""Widgets that draw their rows themselves and send only the cells that changed.

A debugger repaints at every step.  :meth:`Canvas.repaint` draws all visible rows, which is
cheap, compares them with what the screen shows, and marks only the differing part of each
row for refreshing, which is what costs: bytes on the way to the terminal.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from esoplay.tui.debug.palette import Palette, palette_of


class Piece(NamedTuple):
    """Some text in one style; programs' text stays text, there is no markup."""

    text: str
    style: Style


def strip_of(pieces: Sequence[Piece], width: int, fill: Style) -> Strip:
    """One row of exactly ``width`` columns, cut or filled up.

    Neighbours of one style become one segment: a segment costs some forty bytes of colours.
    """
    segments: list[Segment] = []
    room = width
    for text, style in pieces:
        if not text or room <= 0:
            continue
        columns = len(text) if text.isascii() else cell_len(text)
        if columns > room:
            text, columns = set_cell_size(text, room), room
        _append(segments, text, style)
        room -= columns
    if room > 0:
        _append(segments, " " * room, fill)
    return Strip(segments, width)


def _append(segments: list[Segment], text: str, style: Style) -> None:
    if segments and (segments[-1].style is style or segments[-1].style == style):
        segments[-1] = Segment(segments[-1].text + text, style)
    else:
        segments.append(Segment(text, style))


def width_of(pieces: Sequence[Piece]) -> int:
    """Columns that the pieces take."""
    return sum(cell_len(piece.text) for piece in pieces)


def changed_columns(before: Strip, after: Strip) -> tuple[int, int] | None:
    """Columns ``(first, end)`` where two rows of the same width differ; None when nowhere."""
    if before == after:
        return None
    first = _equal_columns(list(before), list(after))
    last = _equal_columns(_mirrored(before), _mirrored(after))
    return first, max(first + 1, after.cell_length - last)


def _equal_columns(left: list[Segment], right: list[Segment]) -> int:
    """How many columns from the left are the same in text and style."""
    equal = 0
    left_text, right_text = "", ""
    left_style: Style | None = None
    right_style: Style | None = None
    left_parts, right_parts = iter(left), iter(right)
    while True:
        if not left_text:
            segment = next(left_parts, None)
            if segment is None:
                return equal
            left_text, left_style = segment.text, segment.style
        if not right_text:
            segment = next(right_parts, None)
            if segment is None:
                return equal
            right_text, right_style = segment.text, segment.style
        if left_style != right_style:
            return equal
        size = min(len(left_text), len(right_text))
        if left_text[:size] != right_text[:size]:
            common = next(i for i in range(size) if left_text[i] != right_text[i])
            return equal + cell_len(left_text[:common])
        equal += cell_len(left_text[:size])
        left_text, right_text = left_text[size:], right_text[size:]


def _mirrored(strip: Strip) -> list[Segment]:
    return [Segment(segment.text[::-1], segment.style) for segment in reversed(list(strip))]


class Canvas(Widget):
    """A widget of hand-drawn rows."""

    app: App[None]

    _shown: list[Strip] | None = None
    _palette: Palette | None = None

    @abstractmethod
    def draw(self) -> list[Strip]:
        """All rows of the widget at its present size, each as wide as the widget."""

    @property
    def palette(self) -> Palette:
        """The styles of the present theme."""
        if self._palette is None:
            self._palette = palette_of(self.app, self.background_colors[1])
        return self._palette

    def repaint(self) -> None:
        """Draw again, and refresh the cells that look different now."""
        if self._shown is None or not self.is_mounted or not self.size:
            self._shown = None
            self.refresh()  # what was drawn before may still be on the screen
            return
        before, after = self._shown, self.draw()
        self._shown = after
        regions: list[Region] = []
        for y, (old, new) in enumerate(zip(before, after, strict=False)):
            columns = changed_columns(old, new)
            if columns is not None:
                regions.append(Region(columns[0], y, columns[1] - columns[0], 1))
        if len(before) != len(after):
            self.refresh()
        elif regions:
            self.refresh(*regions)

    def redraw(self) -> None:
        """Forget what is shown: everything may look different (size, theme)."""
        self._shown = None
        self._palette = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        if self._shown is None:
            self._shown = self.draw()
        if y < len(self._shown):
            return self._shown[y]
        return Strip.blank(self.size.width, self.palette.base)

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, self._theme_changed)

    def on_resize(self, event: events.Resize) -> None:
        self.redraw()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._shown = None
        self._palette = None

    def _theme_changed(self, _theme: object) -> None:
        self.redraw()
