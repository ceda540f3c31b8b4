"""The disassembly of a program with unreadable source, with a cursor on a byte of the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from textual import events
from textual.strip import Strip

from esolangs.source import locate
from esolangs.view import CallStack
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES, format_int
from esoplay.tui.debug.canvas import (
    ROW_ACTIONS,
    SEARCH_ACTIONS,
    PanelFrame,
    StyledText,
    make_strip,
    spans_width,
    truncate_spans,
)
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.program_view import (
    DISABLED,
    ENABLED,
    ERROR,
    HERE,
    ORPHAN,
    ProgramBreakpoints,
    ProgramView,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from esolangs.errors import ParseError
    from esolangs.language import Program
    from esolangs.listing import Listing, ListingRow
    from esoplay.codegen.source_map import SourceMap
    from esoplay.tui.debug.heat_map import HeatMap

CURSOR = "›"
"""The mark of the cursor's row, if the cursor is not on the next instruction."""
INDENT = "  "
MNEMONIC_COLUMNS = 8
"""Width of the mnemonic before an operand, in columns."""
INSTRUCTION_COLUMNS = 32
"""Columns for an instruction before its remarks, but at most half of the width."""
MIN_REMARK_COLUMNS = 8
"""Minimum columns for remarks; with fewer they are hidden."""

_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("add", "sub", "mul", "div", "mod"), "arithmetic"),
    **dict.fromkeys(("store", "retrieve"), "move"),
    **dict.fromkeys(("label", "call", "jump", "jz", "jn", "return", "end"), "loop"),
    **dict.fromkeys(("printc", "printn", "readc", "readn"), "io"),
}
"""The kind of code of each mnemonic; themes have a colour for each kind."""


class ListingView(PanelFrame):
    """Shows one instruction per row, and shares its cursor with the view of the bytes."""

    LABEL = "the disassembly"
    ACTIONS = (
        *ROW_ACTIONS,
        *("break", "break-edit", "to-cursor", "to-cursor-back", "partner"),
        *SEARCH_ACTIONS,
        *("source", "heat"),
    )

    def __init__(self, bytes_view: ProgramView, *, id: str | None = None) -> None:
        """Create a disassembly; ``bytes_view`` shows the program's bytes and shares the cursor."""
        super().__init__(id=id)
        self._bytes_view = bytes_view
        bytes_view.cursor_changed = self._follow_cursor
        self._listing: Listing | None = None
        self._source = b""
        self._source_map: SourceMap | None = None
        self._current: int | None = None
        self._breakpoints = ProgramBreakpoints(b"", None)
        self._call_depths: Mapping[int, int] = {}
        self._depth = 0
        self._heat: HeatMap | None = None
        self._program: Program | None = None
        self._error: ParseError | None = None
        self._stale = False
        self._pattern = ""

    # Contents

    @property
    def is_open(self) -> bool:
        return self._listing is not None

    @property
    def listing(self) -> Listing | None:
        """The instructions shown, or None."""
        return self._listing

    def open(
        self,
        listing: Listing | None,
        source: bytes = b"",
        program: Program | None = None,
        source_map: SourceMap | None = None,
    ) -> None:
        """Show another program from its start; if ``listing`` is None, show no program.

        program: the parsed source, or None if it does not parse. source_map: maps bytes of the
        program to the source lines that generated the bytes.
        """
        self._listing = listing
        self._source = source
        self._program = program
        self._source_map = source_map
        self._current = 0 if listing else None
        self._breakpoints = ProgramBreakpoints(source, program)
        self._call_depths, self._depth = {}, 0
        self._heat = self._error = None
        self._stale = False
        self.first_row = 0
        self.redraw()

    def show(self, snapshot: DebugSnapshot) -> None:
        """Mark the next instruction of a snapshot, and scroll it into view."""
        if self._listing is None:
            return
        location = snapshot.view.location
        self._current = self._listing.row_at(location.offset) if location.instruction else None
        self._breakpoints.set_breakpoints(snapshot.breakpoints, snapshot.orphans)
        calls = next((each for each in snapshot.view.panels if isinstance(each, CallStack)), None)
        self._depth = 0 if calls is None else calls.depth
        frames = () if calls is None else calls.frames
        self._call_depths = {
            frame.span[0]: self._depth - at for at, frame in reversed([*enumerate(frames)])
        }
        self._bring_into_view(self._row_of_cursor)
        self.repaint()

    def show_heat(self, heat_map: HeatMap | None) -> None:
        """Show the heat of each instruction as a digit and a shade; None hides the heat."""
        if heat_map is not None or self._heat is not None:
            self._heat = heat_map
            self.repaint()

    def show_error(self, error: ParseError) -> None:
        """Mark the parse error in the program that was just opened."""
        self._error = error
        if self._listing is not None:
            self._current = self._listing.row_at(error.span[0])
            self._bring_into_view(self._current)
        self.redraw()

    def mark_stale(self, stale: bool) -> None:
        """Show or hide a warning that the text has changed since the program was opened."""
        self._stale = stale
        self.repaint()

    def available_actions(self, snapshot: DebugSnapshot) -> tuple[str, ...]:
        missing: set[str] = set()
        if self._partner is None:
            missing.add("partner")
        if not self._pattern:
            missing |= {"search-next", "search-previous"}
        return tuple(each for each in self.ACTIONS if each not in missing)

    # The cursor

    @property
    def _row_of_cursor(self) -> int:
        return 0 if self._listing is None else self._listing.row_at(self._bytes_view.cursor)

    @property
    def _partner(self) -> int | None:
        """The target row of the jump at the cursor; for a label, the row of the first jump to it.

        None if the row at the cursor is not a jump or label, or if the other row does not exist.
        """
        if not self._listing:
            return None
        return self._listing.partner(self._row_of_cursor)

    def set_row(self, row: int) -> None:
        """Move the cursor to the instruction in a row."""
        if self._listing:
            last = len(self._listing) - 1
            self._bytes_view.set_cursor(self._listing.start(max(0, min(row, last))))

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        if rows:
            self.set_row(self._row_of_cursor + rows)

    def go_to_partner(self) -> bool:
        """Move the cursor from a jump to its target, or from a label to the first jump to it.

        Returns whether such a row exists.
        """
        partner = self._partner
        if partner is not None:
            self.set_row(partner)
        return partner is not None

    def find(self, pattern: bytes | None = None, *, backwards: bool = False) -> bool:
        """Move the cursor to the next matching instruction; return whether one was found.

        pattern: None repeats the last search.
        """
        if pattern is not None:
            self._pattern = pattern.decode("utf-8", "replace")
        if self._listing is None or not self._pattern:
            return False
        found = self._listing.find(self._pattern, self._row_of_cursor, backwards=backwards)
        if found is not None:
            self.set_row(found)
        return found is not None

    def _follow_cursor(self) -> None:
        """Scroll to the cursor after a move in this view or in the view of the bytes."""
        if self._listing is not None:
            self._bring_into_view(self._row_of_cursor)
            self.repaint()

    # Drawing

    def heading(self) -> list[StyledText]:
        pieces = [self.title_span("disassembly")]
        if self._stale:
            pieces.append(StyledText(" stale: text changed", self.palette.warning))
        return pieces

    def caption(self) -> list[StyledText]:
        if not self._source:
            return []
        line, column = locate(self._source, self._bytes_view.cursor)
        return [self.title_span(f"byte {self._bytes_view.cursor}  {line}:{column}")]

    def footer(self) -> list[StyledText]:
        pieces = [self.title_span(f"call depth {format_int(self._depth)}")] if self._depth else []
        if self._heat is not None:
            pieces.append(self.title_span(f"{'  ' if pieces else ''}{self._heat.legend}"))
        return pieces

    def row_count(self) -> int:
        return 0 if self._listing is None else len(self._listing)

    def line(self, row: int, width: int) -> Strip:
        assert self._listing is not None
        palette = self.palette
        listing_row = self._listing.row(row)
        is_next, at_cursor = row == self._current, row == self._row_of_cursor
        start = self._listing.start(row)
        has_moved = at_cursor and self._bytes_view.has_own_cursor
        pieces = [
            self._break_mark(row),
            self._step_mark(is_next, has_moved),
            StyledText(
                f"{start:>{self._address_width}}", palette.cursor if has_moved else palette.faint
            ),
            StyledText(" ", palette.base),
        ]
        if self._heat is not None:
            pieces += [*self._heat_digit(listing_row), StyledText(" ", palette.base)]
        code = self._code(listing_row, is_next)
        pieces += code
        gap = max(2, min(INSTRUCTION_COLUMNS, width // 2) - spans_width(code))
        room = width - spans_width(pieces) - gap
        remarks = self._remarks(listing_row) if room >= MIN_REMARK_COLUMNS else ""
        if remarks:
            pieces += [StyledText(" " * gap, palette.base), StyledText(remarks, palette.faint)]
        return make_strip(truncate_spans(pieces, width), width, palette.base)

    def _break_mark(self, row: int) -> StyledText:
        assert self._listing is not None
        start, end = self._listing.start(row), max(self._listing.start(row) + 1, 0)
        found = self._breakpoints.breakpoints_between(start, end)
        if found:
            return StyledText(ENABLED if any(found.values()) else DISABLED, self.palette.breakpoint)
        has_orphan = self._breakpoints.has_orphan(start, self._listing.end(row))
        return StyledText(ORPHAN if has_orphan else " ", self.palette.breakpoint)

    def _step_mark(self, is_next: bool, has_moved: bool) -> StyledText:
        palette = self.palette
        if is_next and self._error is not None:
            return StyledText(ERROR, palette.bad)
        if is_next:
            return StyledText(HERE, palette.pointer)
        return StyledText(CURSOR if has_moved else " ", palette.strong)

    def _heat_digit(self, row: ListingRow) -> list[StyledText]:
        if self._heat is None or self._program is None or row.error:
            return [StyledText(" ", self.palette.faint)]
        address = self._program.address_at(row.span[0])
        shade = self._heat.shade(address)
        style = self.palette.base + self.palette.heat[shade - 1] if shade else self.palette.faint
        return [StyledText(self._heat.digit(address), style)]

    def _code(self, row: ListingRow, is_next: bool) -> list[StyledText]:
        """Return the instruction with its jump target."""
        palette = self.palette
        if row.error:
            return [StyledText(row.error.translate(CONTROL_PICTURES), palette.wrong)]
        operand_style: Style = palette.next if is_next else palette.base
        mnemonic_style = (
            palette.next
            if is_next
            else palette.code.get(_KINDS.get(row.mnemonic, ""), palette.base)
        )
        raw = (
            StyledText(f"  ({row.raw})", palette.faint)
            if row.raw
            else StyledText("", palette.faint)
        )
        if row.marks_label:
            label_style = palette.next if is_next else palette.strong
            return [StyledText(f"{row.operand}:", label_style), raw]
        operand = " ".join(filter(None, (row.operand, row.character)))
        if not operand:
            return [StyledText(INDENT, palette.base), StyledText(row.mnemonic, mnemonic_style)]
        pieces = [
            StyledText(INDENT, palette.base),
            StyledText(f"{row.mnemonic:<{MNEMONIC_COLUMNS}} ", mnemonic_style),
            StyledText(operand.translate(CONTROL_PICTURES), operand_style),
        ]
        if row.target is not None:
            assert self._listing is not None
            pieces.append(StyledText(f" → {self._listing.start(row.target)}", palette.faint))
        elif row.raw:
            pieces.append(StyledText(" → nowhere", palette.warning))
        return [*pieces, raw] if row.raw else pieces

    def _remarks(self, row: ListingRow) -> str:
        """Return a row's remarks: a call that has not returned, the mapped line, a comment."""
        remarks: list[str] = []
        if row.span[0] in self._call_depths:
            remarks.append(f"call {self._call_depths[row.span[0]]} has not returned")
        if (
            self._source_map is not None
            and (span := self._source_map.span_at(row.span[0])) is not None
        ):
            remarks.append(f"line {span.line}: {span.label}" if span.label else f"line {span.line}")
        if row.comment:
            remarks.append(row.comment)
        return "  ".join(remarks).translate(CONTROL_PICTURES)

    # Mouse

    def handle_click(self, column: int, row: int) -> None:
        if self._listing is None or row >= self.row_count():
            return
        start = self._listing.start(row)
        if column < self._gutter_width:
            self.post_message(
                ProgramView.GutterClicked(start, max(start + 1, self._listing.end(row)))
            )
        else:
            self.set_row(row)

    def on_resize(self, event: events.Resize) -> None:
        self._bring_into_view(self._row_of_cursor)

    # Layout

    @property
    def _address_width(self) -> int:
        """Width of an address in columns."""
        return max(2, len(str(len(self._source))))

    @property
    def _gutter_width(self) -> int:
        """Columns of the gutter: marks, address, a space and, with heat, a digit and a space."""
        return 3 + self._address_width + (0 if self._heat is None else 2)

    def _bring_into_view(self, row: int) -> None:
        if self.size and self._listing is not None:
            self.scroll_into_view(row, center=True)
