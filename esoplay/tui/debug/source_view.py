"""The source from which the program was generated, and its variables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer

from esoplay.debugging.debugger import BreakpointSpec
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES
from esoplay.tui.debug.canvas import ROW_ACTIONS, SEARCH_ACTIONS, PanelFrame, StyledText, make_strip
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.list_page import ListPage
from esoplay.tui.debug.program_view import (
    DISABLED,
    ENABLED,
    HERE,
    LEXING_PAUSE_SECONDS,
    ProgramText,
)
from esoplay.tui.debug.source_position import SourcePosition, VariableRow, variable_rows
from esoplay.tui.debug.text_layout import TextLayout, TextRow, find_next, find_previous

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap
    from esoplay.tui.debug.heat_map import LineHeatMap


class SourceView(PanelFrame):
    """Shows a source; the cursor is on the line of the next instruction until the user moves it."""

    LABEL = "the source"
    ACTIONS = (
        *ROW_ACTIONS,
        *("break", "break-edit", "to-cursor", "to-cursor-back"),
        *SEARCH_ACTIONS,
        *("granularity", "source", "heat"),
    )

    class GutterClicked(Message):
        """The user clicked the gutter next to a line, counted from 1."""

        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._source_map: SourceMap | None = None
        self._text = ProgramText(b"", "")
        self._current_line: int | None = None
        self._breakpoints: dict[int, bool] = {}
        self._cursor: int | None = None
        self._pattern = b""
        self._steps_by_line = False
        self._stale = False
        self._heat: LineHeatMap | None = None
        self._lexing_timer: Timer | None = None

    # Contents

    @property
    def is_open(self) -> bool:
        return self._source_map is not None

    def open(self, source_map: SourceMap | None) -> None:
        """Show the source of a map; None shows no source.

        The view does not scroll if the map belongs to a new version of the shown source.
        """
        names = {each.name for each in (self._source_map, source_map) if each is not None}
        same = self._source_map is not None and len(names) == 1
        self._source_map = source_map
        text, language = "", ""
        if source_map is not None:
            text = source_map.text.removesuffix("\n")
            language = PurePath(source_map.name).suffix.lstrip(".")
        self._text = ProgramText(text.encode("utf-8", "surrogatepass"), language)
        self._current_line = self._heat = None
        self._breakpoints = {}
        self._cursor = None
        self._stale = False
        if not same:
            self.first_row = 0
        self.redraw()

    def show(self, snapshot: DebugSnapshot) -> None:
        """Mark the line of the next instruction, and scroll to it."""
        position = snapshot.source_position
        if position is None:
            return
        self._breakpoints = {}
        for each in snapshot.breakpoints:
            line = each.spec.source_line
            if line is not None:
                self._breakpoints[line] = self._breakpoints.get(line, False) or each.spec.enabled
        if position.line is not None and position.line != self._current_line:
            self._bring_into_view(position.line)
        self._current_line = position.line
        self.repaint()

    def show_heat(self, heat: LineHeatMap | None) -> None:
        """Show a digit next to each line that generated code; None hides the digits."""
        if heat is not None or self._heat is not None:
            self._heat = heat
            self.repaint()

    def show_granularity(self, steps_by_line: bool) -> None:
        """Show in the frame whether the user steps by line."""
        self._steps_by_line = steps_by_line
        self.repaint()

    def mark_stale(self, stale: bool) -> None:
        """Show or hide a warning that the source has changed since the program was generated."""
        self._stale = stale
        self.repaint()

    def available_actions(self, snapshot: DebugSnapshot) -> tuple[str, ...]:
        missing = () if self._pattern else ("search-next", "search-previous")
        return tuple(each for each in self.ACTIONS if each not in missing)

    def breakpoint_location(self, snapshot: DebugSnapshot) -> BreakpointSpec | None:
        return BreakpointSpec(source_line=self.cursor)

    # The cursor

    @property
    def cursor(self) -> int:
        """The cursor's line, from 1; the line of the next instruction until the user moves it."""
        return (self._current_line or 1) if self._cursor is None else self._cursor

    @property
    def has_own_cursor(self) -> bool:
        """Whether the cursor was moved, so that it does not follow the program."""
        return self._cursor is not None

    def set_cursor(self, line: int | None) -> None:
        """Move the cursor to a line; None lets the cursor follow the program."""
        self._cursor = None if line is None else max(1, min(line, self._text.line_count))
        self._bring_into_view(self.cursor)
        self.repaint()

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        self.set_cursor(self.cursor + rows)

    def find(self, pattern: bytes | None = None, *, backwards: bool = False) -> bool:
        """Move the cursor to the next matching line; ``pattern`` None repeats the last search."""
        if pattern is not None:
            self._pattern = pattern
        start, end = self._rows().line_span(self.cursor - 1)
        search = find_previous if backwards else find_next
        found = search(self._text.source, self._pattern, start if backwards else end - 1)
        if found is not None:
            self.set_cursor(self._text.source.count(b"\n", 0, found) + 1)
        return found is not None

    # Drawing

    def heading(self) -> list[StyledText]:
        if self._source_map is None:
            return [self.title_span("source")]
        pieces = [self.title_span(self._source_map.name)]
        if self._steps_by_line:
            pieces.append(StyledText(" by line", self.palette.strong))
        if self._stale:
            pieces.append(StyledText(" stale: source changed", self.palette.warning))
        return pieces

    def caption(self) -> list[StyledText]:
        return [self.title_span(f"line {self.cursor}")] if self._source_map is not None else []

    def footer(self) -> list[StyledText]:
        return [] if self._heat is None else [self.title_span(self._heat.legend)]

    def row_count(self) -> int:
        return self._rows().row_count if self._text.source else 0

    def draw(self) -> list[Strip]:
        strips = super().draw()
        if self._text.has_pending_spans and self._lexing_timer is None:
            self._lexing_timer = self.set_timer(LEXING_PAUSE_SECONDS, self._continue_lexing)
        return strips

    def _continue_lexing(self) -> None:
        self._lexing_timer = None
        self._text.lex_more()
        self.repaint()

    def line(self, row: int, width: int) -> Strip:
        text_row = self._rows().row(row)
        number = text_row.line + 1
        is_first_section = text_row.section == 0
        palette = self.palette
        digits = max(2, len(str(self._text.line_count)))
        style = palette.cursor if self._cursor == number else palette.faint
        pieces = [
            self._break_mark(number if is_first_section else 0),
            StyledText(
                HERE if is_first_section and number == self._current_line else " ", palette.pointer
            ),
            StyledText(f"{number:>{digits}}" if is_first_section else " " * digits, style),
            StyledText(" ", palette.base),
        ]
        if self._heat is not None:
            pieces += [
                self._heat_digit(number if is_first_section else 0),
                StyledText(" ", palette.base),
            ]
        pieces += self._code(text_row)
        return make_strip(pieces, width, palette.base)

    def _break_mark(self, number: int) -> StyledText:
        enabled = self._breakpoints.get(number)
        sign = " " if enabled is None else ENABLED if enabled else DISABLED
        return StyledText(sign, self.palette.breakpoint)

    def _heat_digit(self, number: int) -> StyledText:
        """Return the digit of a line's heat, which shows the level without colour.

        number: the line number; 0 for a row that continues a line and shows no digit.
        """
        if self._heat is None or not number:
            return StyledText(" ", self.palette.faint)
        shade = self._heat.shade(number)
        palette = self.palette
        style = palette.base + palette.heat[shade - 1] if shade else palette.faint
        return StyledText(self._heat.digit(number), style)

    def _code(self, text_row: TextRow) -> list[StyledText]:
        """Return the text of a row; adjacent characters in one style are joined."""
        palette = self.palette
        is_current = text_row.line + 1 == self._current_line
        kinds = self._text.kinds(text_row)
        found = self._matches_in(text_row)
        pieces: list[StyledText] = []
        started = False
        for glyph in self._rows().glyphs(text_row):
            kind = kinds[glyph.offset - text_row.start]
            style: Style = palette.base if kind is None else palette.code.get(kind, palette.base)
            started = started or not glyph.text.isspace()
            if glyph.offset in found:
                style = palette.found
            elif is_current and started:
                style = palette.next
            if pieces and pieces[-1].style is style:
                pieces[-1] = StyledText(pieces[-1].text + glyph.text, style)
            else:
                pieces.append(StyledText(glyph.text, style))
        return pieces

    def _matches_in(self, text_row: TextRow) -> set[int]:
        """Return the offsets of the bytes in a row that match the last search."""
        found: set[int] = set()
        at = (
            self._text.source.find(self._pattern, text_row.start, text_row.end)
            if self._pattern
            else -1
        )
        while at >= 0:
            found.update(range(at, at + len(self._pattern)))
            at = self._text.source.find(self._pattern, at + len(self._pattern), text_row.end)
        return found

    # Mouse

    def handle_click(self, column: int, row: int) -> None:
        if row >= self.row_count():
            return
        line = self._rows().row(row).line + 1
        if column < self._gutter_width:
            self.post_message(self.GutterClicked(line))
        else:
            self.set_cursor(line)

    def on_resize(self, event: events.Resize) -> None:
        self._bring_into_view(self.cursor)

    # Layout

    @property
    def _gutter_width(self) -> int:
        """Width of the gutter in columns: marks, line number and a space; two more with heat."""
        digits = max(2, len(str(self._text.line_count)))
        return 3 + digits + (0 if self._heat is None else 2)

    def _rows(self) -> TextLayout:
        return self._text.layout(self.inner_width - self._gutter_width)

    def _bring_into_view(self, line: int) -> None:
        if self.size and self._text.source:
            layout = self._rows()
            start = layout.line_span(min(line, self._text.line_count) - 1)[0]
            self.scroll_into_view(layout.row_and_column(start)[0], center=True)


# The variables of the source by name, with their current values

COLLAPSED, EXPANDED = "▸", "▾"
_MAX_NAME_COLUMNS = 24
"""Maximum width of names in columns."""


class VariablesList(ListPage):
    """The list of variables: Enter expands an array or selects a variable for queries."""

    NAME = "variables"
    LABEL = "the variables"
    ACTIONS = (*ROW_ACTIONS, "choose", "write-before", "write-after")

    class Selected(Message):
        """The user selected a variable for queries."""

        def __init__(self, variable: VariableRow) -> None:
            super().__init__()
            self.variable = variable

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._position: SourcePosition | None = None
        self._entries: list[VariableRow] = []
        self._expanded: set[str] = set()

    def show(self, snapshot: DebugSnapshot) -> None:
        """Show the values of the variables in a snapshot."""
        self._position = snapshot.source_position
        self._update_entries()

    def _update_entries(self) -> None:
        self._entries = (
            [] if self._position is None else variable_rows(self._position, self._expanded)
        )
        self.selected = max(0, min(self.selected, len(self._entries) - 1))
        self.repaint()

    @property
    def selected_variable(self) -> VariableRow | None:
        """The selected variable, or None."""
        return self._entries[self.selected] if self._entries else None

    def heading(self) -> list[StyledText]:
        return [self.title_span(self.NAME)]

    def item_count(self) -> int:
        return len(self._entries)

    def item(self, index: int) -> Sequence[StyledText]:
        entry, palette = self._entries[index], self.palette
        widths = [len(each.name) + 2 * each.is_element for each in self._entries]
        name_width = min(max(widths), _MAX_NAME_COLUMNS, max(8, self.inner_width // 2))
        name = f"{'  ' if entry.is_element else ''}{entry.name}"
        if len(name) > name_width:
            name = f"{name[: name_width - 1]}…"
        sign = " "
        if entry.is_array:
            sign = EXPANDED if self._array_name(entry) in self._expanded else COLLAPSED
        style = palette.strong if entry.previous_text is None else palette.changed
        pieces = [
            StyledText(sign, palette.faint),
            StyledText(f"{name:<{name_width}} ", palette.base),
            StyledText(entry.text.translate(CONTROL_PICTURES), style),
        ]
        if entry.previous_text is not None and not entry.is_array:
            pieces.append(
                StyledText(
                    f"  was {entry.previous_text}".translate(CONTROL_PICTURES), palette.faint
                )
            )
        return pieces

    def empty_text(self) -> str:
        if self._position is None:
            return "no source map is open, so no variables are known"
        return "the map has no variables: in this language, variables have no fixed cells"

    def select(self, index: int) -> None:
        super().select(index)
        if self.selected_variable is not None:
            self.post_message(self.Selected(self.selected_variable))

    def choose(self) -> None:
        """Expand or collapse an array; select any other variable."""
        entry = self.selected_variable
        if entry is None:
            return
        if entry.is_array:
            self._expanded ^= {self._array_name(entry)}
            self._update_entries()
        else:
            self.select(self.selected)

    def handle_click(self, column: int, row: int) -> None:
        if row < self.item_count():
            was_selected = row == self.selected
            self.select(row)
            if was_selected and self._entries[row].is_array:
                self.choose()

    @staticmethod
    def _array_name(entry: VariableRow) -> str:
        return entry.name.partition("[")[0]
