"""Widgets that draw their own rows and repaint only changed cells.

The debugger repaints at every step. :meth:`Canvas.repaint` draws all visible rows, which is cheap,
compares them with the last drawing, and refreshes only the part of each row that differs, because
sending bytes to the terminal takes the most time.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from esoplay.tui.debug.palette import Palette, shared_palette
from esoplay.tui.word_wrap import cut_words

if TYPE_CHECKING:
    from esolangs.source import Span
    from esoplay.debugging.debugger import BreakpointSpec
    from esoplay.tui.debug.debug_snapshot import DebugSnapshot


class StyledText(NamedTuple):
    """Text in one style, without markup."""

    text: str
    style: Style


def make_strip(spans: Sequence[StyledText], width: int, fill: Style) -> Strip:
    """Return a row of exactly ``width`` columns, cut or padded with spaces in style ``fill``.

    Adjacent pieces with the same style are joined, because each segment sends about 40 bytes of
    colour codes.
    """
    segments: list[Segment] = []
    room = width
    for text, style in spans:
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


def spans_width(spans: Sequence[StyledText]) -> int:
    """Return the total width of the spans in columns."""
    return sum(cell_len(piece.text) for piece in spans)


def truncate_spans(spans: Sequence[StyledText], width: int) -> list[StyledText]:
    """Return the spans shortened to ``width`` columns, at a word boundary."""
    shown: list[StyledText] = []
    for at, piece in enumerate(spans):
        columns = cell_len(piece.text)
        more = any(each.text.strip() for each in spans[at + 1 :])
        if columns > width or (columns == width and more):
            text = cut_words(f"{piece.text} " if columns <= width else piece.text, width)
            return [*shown, StyledText(text, piece.style)]
        shown.append(piece)
        width -= columns
    return shown


def changed_columns(before: Strip, after: Strip) -> tuple[int, int] | None:
    """Return the columns ``(first, end)`` in which two rows of the same width differ, or None."""
    if before == after:
        return None
    first = _equal_columns(list(before), list(after))
    equal_at_end = _equal_columns(_reversed_strip(before), _reversed_strip(after))
    return first, max(first + 1, after.cell_length - equal_at_end)


def _equal_columns(left: list[Segment], right: list[Segment]) -> int:
    """Return the number of equal columns, in text and style, from the left."""
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


def _reversed_strip(strip: Strip) -> list[Segment]:
    return [Segment(segment.text[::-1], segment.style) for segment in reversed(list(strip))]


class Canvas(Widget):
    """A widget that draws its own rows."""

    app: App[None]

    _shown_strips: list[Strip] | None = None
    _palette: Palette | None = None

    @abstractmethod
    def draw(self) -> list[Strip]:
        """Return all rows of the widget at its current size, each as wide as the widget."""

    @property
    def palette(self) -> Palette:
        """The styles of the current theme."""
        if self._palette is None:
            self._palette = shared_palette(self.app, self.background_colors[1])
        return self._palette

    def repaint(self) -> None:
        """Draw all rows, and refresh the cells that changed."""
        if self._shown_strips is None or not self.is_mounted or not self.size:
            self._shown_strips = None
            self.refresh()  # The previous drawing may still be on the screen.
            return
        before, after = self._shown_strips, self.draw()
        self._shown_strips = after
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
        """Draw and refresh all cells, after a change of the size or the theme."""
        self._shown_strips = None
        self._palette = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        if self._shown_strips is None:
            self._shown_strips = self.draw()
        if y < len(self._shown_strips):
            return self._shown_strips[y]
        return Strip.blank(self.size.width, self.palette.base)

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, self._theme_changed)

    def on_resize(self, event: events.Resize) -> None:
        self.redraw()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._shown_strips = None
        self._palette = None

    def _theme_changed(self, _theme: object) -> None:
        self.redraw()


# A framed canvas with scrollable rows. The frame shows a title or tabs, and a scroll mark.

WHEEL_ROWS = 3

MOVE_ACTIONS = ("cursor-down", "cursor-up", "cursor-right", "cursor-left")
ROW_ACTIONS = ("cursor-down", "cursor-up")
SEARCH_ACTIONS = ("search", "search-next", "search-previous")
WRITE_ACTIONS = ("write-before", "write-after", "writes", "origin")
"""Ids of actions that find writes to the selected place and the origin of its value."""


class PanelFrame(Canvas, can_focus=True):
    """A frame ``╭─ title ───── caption ─╮`` around rows that can scroll.

    :meth:`line` returns a row; ``first_row`` is the index of the first visible one.
    LABEL: the name of the box in sentences. ACTIONS: ids of actions that are available while the
    box has the focus. NAME: the label of its tab, if several boxes share its space.
    """

    LABEL: ClassVar[str] = ""
    ACTIONS: ClassVar[tuple[str, ...]] = ()
    NAME: ClassVar[str] = ""

    DEFAULT_CSS: ClassVar[str] = """
    PanelFrame { width: 1fr; height: 1fr; }
    """

    class TabClicked(Message):
        """The user clicked the tab of the box ``name``."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    first_row: int = 0
    """The index of the first visible row."""
    tab_names: Sequence[str] = ()
    """Names of the boxes that share this space, in the order of their tabs."""

    def available_actions(self, snapshot: DebugSnapshot) -> tuple[str, ...]:
        """Return the ids of the actions that are available in this snapshot."""
        return self.ACTIONS

    def breakpoint_location(self, snapshot: DebugSnapshot) -> BreakpointSpec | None:
        """Return the location for a breakpoint on the selection, or None."""
        return None

    def selected_code(self, snapshot: DebugSnapshot) -> Span | None:
        """Return the selection's byte range in the program; None to use the program's cursor.

        Raises UsageError if the selection does not have bytes in the program.
        """
        return None

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        """Move the selection; a box without a selection scrolls."""
        self.first_row += rows
        self.repaint()

    def scroll_pages(self, *, rows: int = 0, columns: int = 0) -> None:
        """Scroll by pages of rows, or of columns in boxes that scroll horizontally."""
        self._scroll_by(rows * max(1, self.inner_height - 2))

    def choose(self) -> None:
        """Run the default action of the selection."""

    def handle_click(self, column: int, row: int) -> None:
        """Handle a click inside the frame; boxes override it, mostly to select what was clicked."""

    @abstractmethod
    def row_count(self) -> int:
        """Return the number of rows, including rows that are scrolled out of view."""

    @abstractmethod
    def line(self, row: int, width: int) -> Strip:
        """Return one row, ``width`` columns wide."""

    def heading(self) -> list[StyledText]:
        """Return the title at the top left: the tabs, with the open one in brackets."""
        pieces: list[StyledText] = []
        for name in self.tab_names or (self.NAME,) if self.NAME else ():
            is_open = name == self.NAME
            style = self.palette.strong if is_open else self.palette.title
            if is_open and self.has_focus:
                style = self.palette.title_focused
            pieces.append(StyledText(f"[{name}]" if is_open else f" {name} ", style))
        return pieces

    def caption(self) -> list[StyledText]:
        """Return the text at the top right of the frame."""
        return []

    def footer(self) -> list[StyledText]:
        """Return the text at the lower left of the frame."""
        return []

    @property
    def inner_width(self) -> int:
        return max(0, self.size.width - 2)

    @property
    def inner_height(self) -> int:
        return max(0, self.size.height - 2)

    def title_span(self, text: str) -> StyledText:
        """Return a piece of the title; its style depends on whether the box has the focus."""
        return StyledText(
            text, self.palette.title_focused if self.has_focus else self.palette.title
        )

    def draw(self) -> list[Strip]:
        width, height = self.size
        if width < 2 or height < 2:
            return [Strip.blank(width, self.palette.base) for _ in range(height)]
        frame = self.palette.frame_focused if self.has_focus else self.palette.frame
        rows = self.row_count()
        self.first_row = max(0, min(self.first_row, rows - self.inner_height))
        thumb = self._thumb(rows)
        blank = Strip.blank(self.inner_width, self.palette.base)
        strips = [self._top_edge()]
        for y in range(self.inner_height):
            row = self.first_row + y
            content = self.line(row, self.inner_width) if row < rows else blank
            right = "┃" if y in thumb else "│"
            strips.append(
                Strip.join(
                    [
                        make_strip([StyledText("│", frame)], 1, frame),
                        content,
                        make_strip([StyledText(right, frame)], 1, frame),
                    ]
                )
            )
        strips.append(self._bottom_edge())
        return strips

    def scroll_into_view(self, row: int, *, center: bool = False) -> None:
        """Scroll as little as possible to make ``row`` visible.

        center: instead, place ``row`` at a third of the height. Then the box scrolls less often,
        which matters because scrolling repaints all rows.
        """
        height = self.inner_height
        if height <= 0:
            return
        if not self.first_row <= row < self.first_row + height:
            if center:
                self.first_row = row - height // 3
            else:
                self.first_row = row if row < self.first_row else row + 1 - height
        self.first_row = max(0, min(self.first_row, self.row_count() - height))

    def inner_offset(self, event: events.MouseEvent) -> Offset | None:
        """Return the column and row under the mouse, inside the frame; None outside it."""
        x, y = event.x - 1, event.y - 1
        inside = 0 <= x < self.inner_width and 0 <= y < self.inner_height
        return Offset(x, y) if inside else None

    def on_click(self, event: events.Click) -> None:
        if event.y == 0:
            name = self._tab_at(event.x)
            if name is not None:
                self.post_message(self.TabClicked(name))
            return
        offset = self.inner_offset(event)
        if offset is not None:
            self.handle_click(offset.x, self.first_row + offset.y)

    def _tab_at(self, x: int) -> str | None:
        column = 3  # corner, dash and space
        for name in self.tab_names:
            if column <= x < column + len(name) + 2:
                return name
            column += len(name) + 2
        return None

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._scroll_by(WHEEL_ROWS)
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._scroll_by(-WHEEL_ROWS)
        event.stop()

    def on_focus(self) -> None:
        self.repaint()

    def on_blur(self) -> None:
        self.repaint()

    def _scroll_by(self, rows: int) -> None:
        self.first_row = max(0, min(self.first_row + rows, self.row_count() - self.inner_height))
        self.repaint()

    def _thumb(self, rows: int) -> range:
        """Return the visible rows that the scroll mark covers; empty if all rows are visible."""
        height = self.inner_height
        if rows <= height or height <= 0:
            return range(0)
        size = max(1, height * height // rows)
        start = (height - size) * self.first_row // (rows - height)
        return range(start, start + size)

    def _top_edge(self) -> Strip:
        frame = self.palette.frame_focused if self.has_focus else self.palette.frame
        room = self.size.width - 4
        left, right = _pad(self.heading()), _pad(self.caption())
        if spans_width(left) + spans_width(right) > room:
            right = []
        gap = max(0, room - spans_width(left) - spans_width(right))
        pieces = [StyledText("╭─", frame), *left, StyledText("─" * gap, frame), *right]
        edge = make_strip(pieces, self.size.width - 2, frame)
        return Strip.join([edge, make_strip([StyledText("─╮", frame)], 2, frame)])

    def _bottom_edge(self) -> Strip:
        frame = self.palette.frame_focused if self.has_focus else self.palette.frame
        pieces = _pad(self.footer())
        width = self.size.width
        gap = max(0, width - 3 - spans_width(pieces))
        edge = [StyledText("╰─", frame), *pieces, StyledText("─" * gap, frame)]
        return Strip.join(
            [make_strip(edge, width - 1, frame), make_strip([StyledText("╯", frame)], 1, frame)]
        )


def _pad(spans: Sequence[StyledText]) -> list[StyledText]:
    """Return the spans with a space before and after them; [] if there are none."""
    if not spans:
        return []
    space = StyledText(" ", spans[0].style)
    return [space, *spans, space]


def box_label_and_actions(widget: object) -> tuple[str, tuple[str, ...]] | None:
    """Return the label of a box and the ids of its actions; None for other widgets."""
    if not isinstance(widget, PanelFrame) or not widget.ACTIONS:
        return None
    return widget.LABEL, tuple(f"debug.{each}" for each in widget.ACTIONS)
