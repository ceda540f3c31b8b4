"""The program's bytes with line numbers, the next instruction, breakpoints and a cursor."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer

from esolangs.errors import ParseError
from esolangs.source import locate
from esoplay.tui.debug.canvas import (
    MOVE_ACTIONS,
    SEARCH_ACTIONS,
    PanelFrame,
    StyledText,
    make_strip,
)
from esoplay.tui.debug.text_layout import (
    TextLayout,
    TextRow,
    find_next,
    find_previous,
    matching_bracket,
)
from esoplay.tui.highlight import NEWLINE_GLYPH, Highlighter, find_editing, is_whitespace_code

if TYPE_CHECKING:
    from esolangs.language import Program
    from esolangs.source import Span
    from esolangs.stops import Address
    from esoplay.debugging.debugger import Breakpoint
    from esoplay.tui.debug.breakpoints import OrphanBreakpoint
    from esoplay.tui.debug.debug_snapshot import DebugSnapshot
    from esoplay.tui.debug.heat_map import HeatLayer, HeatMap


# A program's text as wrapped rows, with the token kind of each byte.


class ProgramText:
    """The text of a program, which is wrapped and split into tokens on demand."""

    def __init__(self, source: bytes, language_id: str) -> None:
        self.source = source
        self.show_whitespace = is_whitespace_code(language_id)
        self._fold = find_editing(language_id).fold
        # Lexers count columns in characters, and here a byte is a character.
        lines = source.decode("latin-1").split("\n")
        self.line_count = len(lines)
        self._highlighter = Highlighter(language_id, lines)
        self._layout: TextLayout | None = None

    def layout(self, width: int) -> TextLayout:
        """Return the text wrapped to ``width`` columns."""
        if self._layout is None or self._layout.width != max(1, width):
            self._layout = TextLayout(
                self.source, width, show_whitespace=self.show_whitespace, fold=self._fold
            )
        return self._layout

    def kinds(self, row: TextRow) -> list[str | None]:
        """Return the kind of token of each byte of a row, and of the following line break."""
        assert self._layout is not None, "call layout() first; it returns the rows"
        size = row.end - row.start + 1
        kinds: list[str | None] = [None] * size
        start = row.start - self._layout.line_span(row.line)[0]
        for piece in self._highlighter.highlighted_spans(row.line, start, start + size):
            kinds[piece.start - start : piece.end - start] = [piece.kind] * (
                piece.end - piece.start
            )
        return kinds

    @property
    def has_pending_spans(self) -> bool:
        """Whether token kinds were requested that are not known yet; see :meth:`lex_more`."""
        return self._highlighter.has_pending_spans

    def lex_more(self) -> bool:
        """Continue lexing the text; return whether all requested token kinds are known."""
        return self._highlighter.continue_lexing()


# Breakpoints in the text of a program, and the old locations of orphans.

ENABLED, DISABLED, ORPHAN = "●", "○", "◌"
"""Marks of an enabled breakpoint, a disabled one, and one whose instruction was deleted."""


class ProgramBreakpoints:
    """The breakpoints of a program, keyed by byte offset."""

    def __init__(self, source: bytes, program: Program | None) -> None:
        """Create an empty index of the breakpoints in ``source``.

        program: the parsed source, or None if it does not parse.
        """
        self._source = source
        self._program = program
        self._enabled: dict[Address, bool] = {}
        self._offsets: list[int] = []
        self._orphans: list[int] = []

    def set_breakpoints(
        self, breakpoints: Iterable[Breakpoint], orphans: Iterable[OrphanBreakpoint]
    ) -> None:
        """Replace the breakpoints, and the orphans: breakpoints whose instruction was deleted."""
        self._enabled = {}
        for each in breakpoints:
            for address in each.locations or ():
                self._enabled[address] = self._enabled.get(address, False) or each.spec.enabled
        self._offsets = sorted(at for at in self._enabled if isinstance(at, int))
        self._orphans = sorted(orphan.nearest_offset for orphan in orphans)

    def breakpoints_between(self, first: int, end: int) -> dict[int, bool]:
        """Return breakpoints at offsets ``first`` ≤ n < ``end``, and whether each is enabled."""
        if not self._enabled:
            return {}
        low, high = (bisect_left(self._offsets, at) for at in (first, end))
        found = {offset: self._enabled[offset] for offset in self._offsets[low:high]}
        # Points of a plane.
        if self._program is not None and len(self._enabled) > len(self._offsets):
            for offset in range(first, min(end, len(self._source))):
                enabled = self._enabled.get(self._program.address_at(offset))
                if enabled is not None:
                    found[offset] = enabled
        return found

    def has_orphan(self, first: int, end: int) -> bool:
        """Return whether a breakpoint whose instruction was deleted lies in a range.

        The range contains the offsets ``first`` ≤ n < ``end``.
        """
        at = bisect_left(self._orphans, first)
        return at < len(self._orphans) and self._orphans[at] < end


HERE, ERROR = "▶", "✖"
NO_SPAN = (-1, -1)
"""The span of a next instruction that is not in the source because the program wrote it."""
LEXING_PAUSE_SECONDS = 0.01
"""Seconds between two rounds of lexing; in this pause keys are handled."""
BRACKET_SEARCH_BYTES = 4096
"""Maximum distance, in bytes, at which each repaint looks for a matching bracket."""


def _ignore_cursor() -> None:
    """Do nothing when the cursor moves."""


class ProgramView(PanelFrame):
    """Shows a program; the cursor follows the next instruction until the user moves the cursor."""

    LABEL = "the program"
    ACTIONS = (
        *MOVE_ACTIONS,
        *("break", "break-edit", "to-cursor", "to-cursor-back", "partner"),
        *SEARCH_ACTIONS,
        "heat",
    )

    class GutterClicked(Message):
        """The user clicked the gutter next to the row with the bytes ``start`` to ``end``."""

        def __init__(self, start: int, end: int) -> None:
            super().__init__()
            self.start = start
            self.end = end

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._text = ProgramText(b"", "")
        self._current: Span = (0, 0)
        self._program: Program | None = None
        self._breakpoints = ProgramBreakpoints(b"", None)
        self._visible_breakpoints: dict[int, bool] = {}
        self._cursor: int | None = None
        self._lexing_timer: Timer | None = None
        self._pattern = b""
        self._error: ParseError | None = None
        self._stale = False
        self._marks: dict[int, Style] = {}
        self._heat: HeatLayer | None = None
        self._digits: dict[int, str] = {}
        self._shades: dict[int, int] = {}
        self.title = "program"
        self.cursor_changed: Callable[[], None] = _ignore_cursor
        """A function that is called after the user moved or released the cursor."""

    # Contents

    def open(self, source: bytes, language_id: str, program: Program | None = None) -> None:
        """Show another program from its start.

        program: the parsed source, or None if it cannot be parsed.
        """
        self._text = ProgramText(source, language_id)
        self._program = program
        self._heat = None
        self._current = (0, 0)
        self._breakpoints = ProgramBreakpoints(source, program)
        self._cursor = None
        self._error = None
        self._stale = False
        self.first_row = 0
        self.redraw()

    def show(self, snapshot: DebugSnapshot) -> None:
        """Mark the next instruction of a snapshot, and scroll it into view."""
        location = snapshot.view.location
        unwritten = isinstance(location.address, tuple) and location.span[0] == location.span[1]
        self._current = NO_SPAN if unwritten else location.span
        self._breakpoints.set_breakpoints(snapshot.breakpoints, snapshot.orphans)
        self._bring_into_view(self.cursor if unwritten else self._current[0])
        self.repaint()

    def show_heat(self, heat_map: HeatMap | None) -> None:
        """Show the heat of each instruction as a digit and a shade; None hides the heat."""
        if heat_map is None and self._heat is None:
            return
        pitch = self._pitch
        program = self._program
        from esoplay.tui.debug.heat_map import HeatLayer  # slow: imports the debugger

        self._heat = (
            HeatLayer(program, heat_map) if heat_map is not None and program is not None else None
        )
        if self._pitch != pitch:
            self.first_row = self.first_row * self._pitch // pitch
            self._bring_into_view(self.cursor)
        self.repaint()

    @property
    def _pitch(self) -> int:
        """Screen rows per row of text: 2 with heat, because digits are below instructions."""
        return 1 if self._heat is None else 2

    def show_error(self, error: ParseError) -> None:
        """Mark the parse error in the text that was just opened."""
        self._error = error
        self._current = error.span
        self._bring_into_view(error.span[0])
        self.redraw()

    def mark_stale(self, stale: bool) -> None:
        """Show or hide a warning that the text has changed since the program was opened."""
        self._stale = stale
        self.repaint()

    def available_actions(self, snapshot: DebugSnapshot) -> tuple[str, ...]:
        missing: set[str] = set()
        if matching_bracket(self._text.source, self.cursor, BRACKET_SEARCH_BYTES) is None:
            missing.add("partner")
        if not self._pattern:
            missing |= {"search-next", "search-previous"}
        return tuple(each for each in self.ACTIONS if each not in missing)

    # The cursor

    @property
    def cursor(self) -> int:
        """The offset of the cursor, which is at the next instruction until the user moves it."""
        return max(0, self._current[0]) if self._cursor is None else self._cursor

    @property
    def has_own_cursor(self) -> bool:
        """Whether the cursor was moved, so that it does not follow the next instruction."""
        return self._cursor is not None

    def set_cursor(self, offset: int | None) -> None:
        """Move the cursor to a byte; None lets the cursor follow the next instruction."""
        last = max(0, len(self._text.source) - 1)
        self._cursor = None if offset is None else max(0, min(offset, last))
        self._bring_into_view(self.cursor)
        self.repaint()
        self.cursor_changed()

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        """Move the cursor over the wrapped text."""
        offset = self.cursor + columns
        if rows:
            layout = self._rows()
            row, column = layout.row_and_column(offset)
            offset = layout.offset_at(max(0, min(row + rows, layout.row_count - 1)), column)
        self.set_cursor(offset)

    def go_to_partner(self) -> bool:
        """Move the cursor to the matching bracket; return False if no bracket matches."""
        partner = matching_bracket(self._text.source, self.cursor)
        if partner is not None:
            self.set_cursor(partner)
        return partner is not None

    def find(self, pattern: bytes | None = None, *, backwards: bool = False) -> bool:
        """Move the cursor to the next match of ``pattern``; None repeats the last search."""
        if pattern is not None:
            self._pattern = pattern
        search = find_previous if backwards else find_next
        found = search(self._text.source, self._pattern, self.cursor)
        if found is not None:
            self.set_cursor(found)
        return found is not None

    # Drawing

    def heading(self) -> list[StyledText]:
        pieces = [self.title_span(self.title)]
        if self._stale:
            pieces.append(StyledText(" stale: text changed", self.palette.warning))
        return pieces

    def caption(self) -> list[StyledText]:
        if not self._text.source:
            return []
        line, column = locate(self._text.source, self.cursor)
        return [self.title_span(f"{line}:{column}")]

    def footer(self) -> list[StyledText]:
        return [] if self._heat is None else [self.title_span(self._heat.heat_map.legend)]

    def row_count(self) -> int:
        return self._rows().row_count * self._pitch if self._text.source else 0

    def draw(self) -> list[Strip]:
        self._visible_breakpoints = (
            self._breakpoints.breakpoints_between(*self._visible_bytes())
            if self._text.source
            else {}
        )
        self._marks = self._marked_bytes()
        self._digits, self._shades = {}, {}
        if self._heat is not None and self._text.source:
            self._digits, self._shades = self._heat.digits_and_shades(*self._visible_bytes())
        strips = super().draw()
        self._schedule_lexing()
        return strips

    def _schedule_lexing(self) -> None:
        """Continue lexing later if the colours of drawn text are not known yet."""
        if self._text.has_pending_spans and self._lexing_timer is None:
            self._lexing_timer = self.set_timer(LEXING_PAUSE_SECONDS, self._continue_lexing)

    def _continue_lexing(self) -> None:
        self._lexing_timer = None
        if self._text.lex_more():
            self.repaint()
        else:
            self._schedule_lexing()

    def line(self, row: int, width: int) -> Strip:
        row, below = divmod(row, self._pitch)
        text_row = self._rows().row(row)
        if below:
            return make_strip(self._heat_digits(text_row), width, self.palette.base)
        number_width = self._gutter_width - 3
        number = str(text_row.line + 1) if text_row.section == 0 else ""
        pieces = [
            self._break_mark(text_row),
            self._step_mark(row),
            StyledText(f"{number:>{number_width}} ", self.palette.faint),
            *self._code(text_row),
        ]
        return make_strip(pieces, width, self.palette.base)

    def _break_mark(self, text_row: TextRow) -> StyledText:
        enabled_flags = [
            enabled
            for offset, enabled in self._visible_breakpoints.items()
            if text_row.start <= offset < max(text_row.end, text_row.start + 1)
        ]
        if not enabled_flags:
            has_orphan = self._breakpoints.has_orphan(
                text_row.start, max(text_row.end, text_row.start + 1)
            )
            return StyledText(ORPHAN if has_orphan else " ", self.palette.breakpoint)
        return StyledText(ENABLED if any(enabled_flags) else DISABLED, self.palette.breakpoint)

    def _step_mark(self, row: int) -> StyledText:
        if self._current == NO_SPAN or self._rows().row_and_column(self._current[0])[0] != row:
            return StyledText(" ", self.palette.base)
        if self._error is not None:
            return StyledText(ERROR, self.palette.bad)
        return StyledText(HERE, self.palette.pointer)

    def _heat_digits(self, text_row: TextRow) -> list[StyledText]:
        """Return the row of heat digits below a row of text."""
        faint = self.palette.faint
        glyphs = self._rows().glyphs(text_row)
        below = [
            self._digits.get(glyph.offset, " ").ljust(cell_len(glyph.text)) for glyph in glyphs
        ]
        if self._text.show_whitespace and text_row.end == self._rows().line_span(text_row.line)[1]:
            below.append(self._digits.get(text_row.end, " "))
        return [StyledText(" " * self._gutter_width, faint), StyledText("".join(below), faint)]

    def _code(self, text_row: TextRow) -> list[StyledText]:
        """Return the text of a row; adjacent bytes in one style are joined."""
        palette = self.palette
        kinds = self._text.kinds(text_row)
        pieces: list[StyledText] = []
        for glyph in self._rows().glyphs(text_row):
            kind = kinds[glyph.offset - text_row.start]
            style = self._marks.get(glyph.offset)
            if style is None:
                style = palette.base if kind is None else palette.code.get(kind, palette.base)
                if shade := self._shades.get(glyph.offset):
                    style = style + palette.heat[shade - 1]
            if pieces and pieces[-1].style is style:
                pieces[-1] = StyledText(pieces[-1].text + glyph.text, style)
            else:
                pieces.append(StyledText(glyph.text, style))
        newline_style = self._marks.get(text_row.end)
        ends_line = text_row.end == self._rows().line_span(text_row.line)[1]
        if ends_line and self._text.show_whitespace and text_row.line + 1 < self._text.line_count:
            style = palette.base if kinds[-1] is None else palette.code.get(kinds[-1], palette.base)
            pieces.append(StyledText(NEWLINE_GLYPH, newline_style or style))
        elif ends_line and newline_style is not None:
            pieces.append(StyledText(" ", newline_style))
        return pieces

    def _marked_bytes(self) -> dict[int, Style]:
        """Return the styles of visible bytes that are drawn differently from other code.

        Such bytes are matches of the last search, breakpoints, the partner of a bracket, the next
        instruction and the cursor; the styles of the later kinds replace the earlier ones.
        """
        if not self._text.source:
            return {}
        palette = self.palette
        first, end = self._visible_bytes()
        marks: dict[int, Style] = {}
        for start in self._matches(first, end):
            marks |= dict.fromkeys(range(start, start + len(self._pattern)), palette.found)
        marks |= dict.fromkeys(self._visible_breakpoints, palette.breakpoint)
        partner = matching_bracket(self._text.source, self.cursor, BRACKET_SEARCH_BYTES)
        if partner is not None:
            marks[partner] = palette.partner
        start, span_end = self._current
        style = palette.next if self._error is None else palette.wrong
        if self._current != NO_SPAN:
            shown = range(max(start, first), min(max(span_end, start + 1), end))
            marks |= dict.fromkeys(shown, style)
        if self._cursor is not None:
            marks[self._cursor] = palette.cursor
        return marks

    def _visible_bytes(self) -> tuple[int, int]:
        """Return the start and end offsets of the visible bytes."""
        layout = self._rows()
        pitch = self._pitch
        last_row = min((self.first_row + self.inner_height - 1) // pitch, layout.row_count - 1)
        first_row = max(0, min(self.first_row // pitch, last_row))
        return layout.row(first_row).start, layout.row(max(0, last_row)).end + 1

    def _matches(self, first: int, end: int) -> list[int]:
        """Return the offsets of the visible matches of the last search."""
        found: list[int] = []
        at = self._text.source.find(self._pattern, first, end) if self._pattern else -1
        while at >= 0:
            found.append(at)
            at = self._text.source.find(self._pattern, at + len(self._pattern), end)
        return found

    def on_resize(self, event: events.Resize) -> None:
        self._bring_into_view(self.cursor)

    # Mouse

    def handle_click(self, column: int, row: int) -> None:
        if row >= self.row_count():
            return
        row //= self._pitch
        if column < self._gutter_width:
            text_row = self._rows().row(row)
            self.post_message(self.GutterClicked(text_row.start, text_row.end))
        else:
            self.set_cursor(self._rows().offset_at(row, column - self._gutter_width))

    # Layout

    @property
    def _gutter_width(self) -> int:
        """Width of the gutter in columns: marks, the line number and a space."""
        return 3 + max(2, len(str(self._text.line_count)))

    def _rows(self) -> TextLayout:
        return self._text.layout(self.inner_width - self._gutter_width - self._text.show_whitespace)

    def _bring_into_view(self, offset: int) -> None:
        if self.size and self._text.source:
            self.scroll_into_view(self._rows().row_and_column(offset)[0] * self._pitch, center=True)
