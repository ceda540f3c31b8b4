"""Drawing of the editor's text: visible characters, colours and marks.

Only cells on the screen are examined, because a program can be one line of 1 MB.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.document._document import Location
from textual.geometry import Size
from textual.strip import Strip
from textual.widgets import TextArea

from esoplay.tui.editor.document import (
    FIRST_PLACEHOLDER,
    ByteDocument,
    CellWrapping,
    DocumentRow,
    cell_width,
    column_at,
    visible_text,
)
from esoplay.tui.highlight import KINDS, NEWLINE_GLYPH, SPACE_GLYPH, TAB_GLYPH, Highlighter

_TAB = chr(FIRST_PLACEHOLDER + 9)
_WHITESPACE_GLYPHS = str.maketrans({" ": SPACE_GLYPH, _TAB: TAB_GLYPH})


class StyledRange(NamedTuple):
    """A range of text that is drawn in the style of a component class."""

    start: Location
    end: Location
    component: str


class BaseEditor(TextArea):
    """Base class of the editor; draws the text."""

    DEFAULT_CSS = """
    BaseEditor {
        border: none;
        padding: 0;
        background: $background;
        scrollbar-size: 1 1;
        & .editor--comment { color: $code-comment; }
        & .editor--loop { color: $code-loop; }
        & .editor--move { color: $code-move; }
        & .editor--arithmetic { color: $code-arithmetic; }
        & .editor--io { color: $code-io; }
        & .editor--control { color: $quiet; background: $panel; }
        & .editor--error { color: $background; background: $error; }
        & .editor--here { text-style: underline; }
        & .editor--function { text-style: underline; background: $panel; }
        & .editor--argument { text-style: bold italic; background: $panel; }
        & .editor--path { text-style: underline; background: $panel; }
        & .editor--found { text-style: reverse; }
        & .text-area--cursor { color: $background; background: $foreground; }
        & .text-area--gutter { color: $code-comment; }
        & .text-area--cursor-gutter { color: $accent; background: $background; }
        & .text-area--cursor-line { background: $boost; }
        & .text-area--matching-bracket {
            color: $pointer-text; background: $pointer; text-style: bold;
        }
        &:focus { border: none; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"editor--{kind}" for kind in KINDS),
        "editor--control",
        "editor--error",
        "editor--here",
        "editor--function",
        "editor--argument",
        "editor--path",
        "editor--found",
    }

    document: ByteDocument  # pyright: ignore[reportIncompatibleVariableOverride]
    wrapped_document: CellWrapping  # pyright: ignore[reportIncompatibleVariableOverride]
    app: App[None]

    def __init__(self, *, id: str | None = None) -> None:
        self._highlighter: Highlighter | None = None
        self._shows_whitespace = False
        self._stale = False
        self._lexing = False
        self._error: tuple[Location, Location] | None = None
        self._marks: tuple[StyledRange, ...] = ()
        super().__init__(id=id, show_line_numbers=True, max_checkpoints=500)
        self.cursor_blink = False

    # Defined by subclasses

    @property
    def drawn_cursor(self) -> Location:
        """The displayed location of the cursor; on a plane, it can be outside the text."""
        return self.cursor_location

    @property
    def extra_rows(self) -> int:
        """The number of rows below the last line of the text to which the cursor can move."""
        return 0

    def selected_columns(self, line: int) -> tuple[int, int] | None:
        """Return the selected range of a line; its line break counts as a character."""
        top, bottom = sorted(self.selection)
        if top == bottom or not top[0] <= line <= bottom[0]:
            return None
        start = top[1] if line == top[0] else 0
        return start, bottom[1] if line == bottom[0] else len(self.document.get_line(line)) + 1

    def match_columns(self, line: int, start: int, end: int) -> Iterable[tuple[int, int]]:
        """Return the matches of a search in characters ``start`` to ``end`` of a line."""
        return ()

    def paint(self, marks: Iterable[StyledRange]) -> None:
        """Draw ``marks`` instead of the earlier marks."""
        new = tuple(marks)
        if new != self._marks:
            self._marks = new
            self.refresh()

    # Rows

    def _refresh_size(self) -> None:
        super()._refresh_size()
        if self.extra_rows:
            width, height = self.virtual_size
            self.virtual_size = Size(width, height + self.extra_rows)

    def render_line(self, y: int) -> Strip:
        scroll_x, scroll_y = self.scroll_offset
        row = self.wrapped_document.row(y + scroll_y)
        base = self.rich_style
        width = self.scrollable_content_region.width
        cursor = self.drawn_cursor
        if row is None:
            line = y + scroll_y - self.wrapped_document.height + self.document.line_count
            if line != cursor[0] or not self.has_focus:
                return Strip.blank(width, base)
            row = DocumentRow(line, 0, 0, 0)
        is_cursor_line = row.line == cursor[0] and self.has_focus
        if is_cursor_line:
            base += self.get_component_rich_style("text-area--cursor-line")
        room = width - self.gutter_width
        gutter = self._gutter(row, base, is_cursor_line)
        if self.soft_wrap:
            text, scroll_x = self._strip(row, base), 0
        else:
            text = self._visible_strip(row, base, scroll_x, room)
        if is_cursor_line:
            text = self._with_cursor_beyond(text, row, cursor, base, scroll_x)
        text = text.extend_cell_length(room, base).crop(0, room)
        return Strip.join([Strip([gutter]), text])

    def _strip(self, row: DocumentRow, base: Style) -> Strip:
        segments = self._segments(row, base)
        return Strip(segments, cell_width("".join(segment.text for segment in segments)))

    def _visible_strip(self, row: DocumentRow, base: Style, scroll_x: int, room: int) -> Strip:
        """Return the visible cells of a line that is not wrapped."""
        line = self._line(row.line)
        start = column_at(line, scroll_x)
        end = column_at(line, scroll_x + room)
        if start == len(line) and cell_width(line) < scroll_x:
            return Strip([])
        strip = self._strip(
            DocumentRow(row.line, row.section, start, min(end + 1, len(line))), base
        )
        left_out = scroll_x - cell_width(line[:start])
        return strip.crop(left_out, left_out + room)

    def _line(self, number: int) -> str:
        """Return the characters of a line; "" below the text."""
        return self.document.get_line(number) if number < self.document.line_count else ""

    def _with_cursor_beyond(
        self, text: Strip, row: DocumentRow, cursor: Location, base: Style, scroll_x: int
    ) -> Strip:
        """Add a cell with the cursor to a row if the cursor is beyond its text."""
        line = self._line(row.line)
        beyond = cursor[1] - len(line)
        if row.end != len(line) or (beyond <= 0 and row.line < self.document.line_count):
            return text
        x = cell_width(line) + beyond - scroll_x
        if x < 0:
            return text
        cursor_cell = Strip([Segment(" ", self._component("text-area--cursor", partial=False))], 1)
        return Strip.join([text.extend_cell_length(x, base).crop(0, x), cursor_cell])

    def _gutter(self, row: DocumentRow, base: Style, is_cursor_line: bool) -> Segment:
        name = "text-area--cursor-gutter" if is_cursor_line else "text-area--gutter"
        number = str(row.line + 1) if row.section == 0 else ""
        style = base + self.get_component_rich_style(name, partial=True)
        return Segment(f"{number:>{self.gutter_width - 2}}  ", style)

    def _segments(self, row: DocumentRow, base: Style) -> list[Segment]:
        """Return the row's text, split where the style changes.

        A space follows the text; if whitespace is shown, the end of a line has a glyph instead.
        """
        line = self._line(row.line)
        shown = line[row.start : row.end]
        size = len(shown) + 1
        shown = visible_text(
            shown.translate(_WHITESPACE_GLYPHS) if self._shows_whitespace else shown
        )
        styles = [base] * size
        self._paint_tokens(styles, row, line, base)
        self._paint_marks(styles, row, base)
        ends_line = row.end == len(line) and row.line + 1 < self.document.line_count
        shown += NEWLINE_GLYPH if self._shows_whitespace and ends_line else " "
        segments: list[Segment] = []
        start = 0
        for end in range(1, size + 1):
            if end == size or styles[end] is not styles[start]:
                segments.append(Segment(shown[start:end], styles[start]))
                start = end
        return segments

    def _paint_tokens(self, styles: list[Style], row: DocumentRow, line: str, base: Style) -> None:
        highlighter = self._highlighter
        if highlighter is not None:
            if self._stale:
                highlighter.change(list(self.document.lines))
                self._stale = False
            by_kind: dict[str, Style] = {}
            for piece in highlighter.highlighted_spans(
                row.line, row.start, row.end + self._shows_whitespace
            ):
                style = by_kind.get(piece.kind)
                if style is None:
                    style = base + self._component(f"editor--{piece.kind}")
                    by_kind[piece.kind] = style
                for index in range(
                    max(0, piece.start - row.start), min(len(styles), piece.end - row.start)
                ):
                    styles[index] = style
            if highlighter.has_pending_spans and not self._lexing:
                self._lexing = True
                self.set_timer(highlighter.pause_seconds, self._continue_lexing)
        control = None
        for index, character in enumerate(line[row.start : row.end]):
            if "\ue000" <= character <= "\ue0ff" and not (
                self._shows_whitespace and character == _TAB
            ):
                control = control or base + self._component("editor--control")
                styles[index] = control

    def _continue_lexing(self) -> None:
        """Continue lexing, and draw the new colours."""
        self._lexing = False
        if self._highlighter is None or self._stale:
            return
        if self._highlighter.continue_lexing():
            self.refresh()
        else:
            self._lexing = True
            self.set_timer(self._highlighter.pause_seconds, self._continue_lexing)

    def _paint_marks(self, styles: list[Style], row: DocumentRow, base: Style) -> None:
        is_last_section = row.end == len(self._line(row.line))

        def paint(start: int, end: int, name: str, partial: bool = False) -> None:
            style = self._component(name, partial=partial)
            limit = len(styles) if is_last_section else len(styles) - 1
            mixed: dict[Style, Style] = {}
            for index in range(max(0, start - row.start), min(limit, end - row.start)):
                old = styles[index]
                if partial and old not in mixed:
                    mixed[old] = old + style
                styles[index] = mixed[old] if partial else style

        def paint_cell(location: Location, name: str) -> None:
            line, column = location
            if line == row.line:
                paint(column, column + 1, name)

        def paint_range(start: Location, end: Location, name: str, partial: bool) -> None:
            if start[0] <= row.line <= end[0]:
                end_column = end[1] if end[0] == row.line else row.end + 1
                paint(start[1] if start[0] == row.line else 0, end_column, name, partial)

        for each in self._marks:
            paint_range(each.start, each.end, each.component, True)
        for start, end in self.match_columns(row.line, row.start, row.end):
            paint(start, end, "editor--found")
        if self._error is not None:
            paint_range(*self._error, "editor--error", False)
        selected = self.selected_columns(row.line)
        if selected is not None:
            paint(*selected, "text-area--selection")
        elif (partner := self.matching_bracket_location) is not None and self.has_focus:
            paint_cell(partner, "text-area--matching-bracket")
        if self.has_focus:
            paint_cell(self.drawn_cursor, "text-area--cursor")

    def _component(self, name: str, *, partial: bool = True) -> Style:
        return self.get_component_rich_style(name, partial=partial)
