"""Pages with the input and output of a program, before and after the current step."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip

from esolangs.wording import plural
from esoplay.debugging.output_chain import byte_text
from esoplay.tui.debug.byte_glyphs import BYTE_PICTURES, NEWLINE, format_int
from esoplay.tui.debug.canvas import MOVE_ACTIONS, PanelFrame, StyledText, make_strip
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.text_layout import Glyph, TextLayout
from esoplay.tui.keys import Action, bindings, key_names

if TYPE_CHECKING:
    from esoplay.tui.debug.terminal import Terminal


class BytesPage(PanelFrame):
    """Wrapped text with a cursor on a byte; Enter moves to the step of this byte.

    Until the user selects a byte by keys or a click, the cursor is on the byte that was printed or
    read last, and is visible only while the page has the focus.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "bytes",
        Action("bytes.left", "do('cursor-left')", "Previous character"),
        Action("bytes.right", "do('cursor-right')", "Next character"),
        Action("bytes.up", "do('cursor-up')", "Up"),
        Action("bytes.down", "do('cursor-down')", "Down"),
        Action("bytes.page-up", "do('page-up')", "Page up"),
        Action("bytes.page-down", "do('page-down')", "Page down"),
        Action("bytes.first", "do('first')", "First byte"),
        Action("bytes.last", "do('last')", "Last byte"),
    )
    PARTICIPLE: ClassVar[str] = ""
    """Past participle in sentences about a step and its byte: ``printed`` or ``read``."""

    run_pane_action: Callable[[str], None]
    """Function that runs an action of the pane, such as ``cursor-left``, with the typed count."""
    find_step: Callable[[int], int | None]
    """A function that returns the step that printed or read a byte, or None if unknown."""

    class ByteChosen(Message):
        """A request to move to the step of byte ``index`` of ``page``."""

        def __init__(self, page: BytesPage, index: int) -> None:
            super().__init__()
            self.page = page
            self.index = index

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._data = b""
        self._used_count = 0
        self._rows = TextLayout(b"", 80)
        self.selected: int | None = None
        self.run_pane_action = self._move_cursor
        self.find_step = _no_step

    def show_bytes(self, data: bytes, used_count: int) -> None:
        """Show ``data``, of which the first ``used_count`` bytes were already printed or read."""
        if data != self._data:
            self._data = data
            self._rows = TextLayout(data, self._rows.width)
            if self.selected is not None and self.selected >= len(data):
                self.selected = None
        self._used_count = used_count
        self.scroll_to_cursor()
        self.repaint()

    def scroll_to_cursor(self) -> None:
        """Scroll to the selected byte, or to the last byte printed or read."""
        if self._data and self.size:
            at = max(0, self._used_count - 1) if self.selected is None else self.selected
            self.scroll_into_view(self.find_row(at))

    def select(self, index: int | None) -> None:
        """Select a byte; None lets the cursor follow the current step."""
        last = len(self._data) - 1
        self.selected = None if index is None or last < 0 else max(0, min(index, last))
        self.scroll_to_cursor()
        self.repaint()

    @property
    def cursor(self) -> int | None:
        """The index of the byte under the cursor; None while the cursor is hidden."""
        return self.active_index if self.has_focus else self.selected

    @property
    def active_index(self) -> int | None:
        """The index of the byte that keys act on: the selected, else the last used, else the first.

        None without bytes.
        """
        if self.selected is not None:
            return self.selected
        return self._used_count - 1 if self._used_count else (0 if self._data else None)

    def available_actions(self, snapshot: DebugSnapshot) -> tuple[str, ...]:
        missing = () if self.active_index is not None else ("printed", "read", "choose")
        return tuple(each for each in self.ACTIONS if each not in missing)

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        at = self.active_index
        if at is None:
            return
        if rows:
            row, column = self.rows.row_and_column(at)
            new_row = max(0, min(row + rows, self.rows.row_count - 1))
            at = self.rows.offset_at(new_row, column)
        self.select(self._character_offset(at, columns))

    def move_by_pages(self, pages: int) -> None:
        """Move the cursor by pages of rows."""
        self.move(rows=pages * max(1, self.inner_height - 1))

    def move_to_end(self, *, last: bool) -> None:
        """Move the cursor to the last byte if ``last``, otherwise to the first."""
        self.select(len(self._data) - 1 if last else 0)

    def action_do(self, id: str) -> None:
        """Run an action of this page."""
        self.run_pane_action(id)

    def _move_cursor(self, id: str) -> None:
        rows = {"cursor-up": -1, "cursor-down": 1}.get(id, 0)
        columns = {"cursor-left": -1, "cursor-right": 1}.get(id, 0)
        self.move(rows=rows, columns=columns)

    def _character_offset(self, index: int, count: int) -> int:
        """Return the offset ``count`` characters after ``index``; a negative count goes back."""
        for _ in range(min(abs(count), len(self._data))):
            start, end = self._character_span(index)
            if (count < 0 and start == 0) or (count > 0 and end >= len(self._data)):
                return start
            index = end if count > 0 else self._character_span(start - 1)[0]
        return index

    def _character_span(self, index: int) -> tuple[int, int]:
        """Return the byte range of the character that contains ``index``."""
        row, column = self.rows.row_and_column(index)
        text_row = self.rows.row(row)
        start = self.rows.offset_at(row, column)
        if index >= text_row.end:  # The line break has its own column.
            return index, index + 1
        glyphs = self.rows.glyphs(text_row)
        after = next((glyph.offset for glyph in glyphs if glyph.offset > start), text_row.end)
        return start, max(after, start + 1)

    def choose(self) -> None:
        """Request a move to the step of the byte at the cursor; the cursor stays on the byte."""
        if self.active_index is not None:
            if self.has_focus:
                self.select(self.active_index)
            self.post_message(self.ByteChosen(self, self.active_index))

    def handle_click(self, column: int, row: int) -> None:
        """Move the cursor to the clicked byte; a second click requests a move to its step."""
        index = self.byte_index_at(row, column)
        if index is None:
            return
        was_selected = index == self.selected
        self.select(index)
        if was_selected:
            self.choose()

    # Drawing

    @abstractmethod
    def past_style(self) -> Style: ...

    @abstractmethod
    def future_style(self) -> Style: ...

    @abstractmethod
    def empty_text(self) -> str:
        """Return the text to show if the page is empty."""

    @property
    def rows(self) -> TextLayout:
        """The rows at the current width."""
        if self._rows.width != max(1, self.inner_width - 1):
            self._rows = TextLayout(self._data, self.inner_width - 1)
        return self._rows

    def footer(self) -> list[StyledText]:
        """Describe the byte at the cursor: its value, and the step that printed or read it."""
        at = self.cursor
        if at is None or at >= len(self._data):
            return []
        step = self.find_step(at)
        when = (
            f"not {self.PARTICIPLE} yet"
            if step is None
            else f"{self.PARTICIPLE} by step {format_int(step)}"
        )
        return [self.title_span(f"byte {format_int(at)}: {byte_text(self._data, at)}, {when}")]

    def row_count(self) -> int:
        return self.rows.row_count if self._data else 1

    def find_row(self, index: int) -> int:
        """Return the row that shows a byte."""
        return self.rows.row_and_column(index)[0]

    def byte_index_at(self, row: int, column: int) -> int | None:
        """Return the byte at a row and column, or None."""
        if row >= self.row_count() or not self._data:
            return None
        index = self.rows.offset_at(row, column - 1)
        return index if index < len(self._data) else None

    def line(self, row: int, width: int) -> Strip:
        if not self._data:
            message = StyledText(f" {self.empty_text()}", self.palette.faint)
            return make_strip([message], width, self.palette.base)
        return make_strip(
            [StyledText(" ", self.palette.base), *self._row(row)], width, self.palette.base
        )

    def byte_style(self, index: int) -> Style:
        """Return the style of a byte."""
        style = self.past_style() if index < self._used_count else self.future_style()
        return style + self.palette.cursor if index == self.cursor else style

    def _row(self, row: int) -> list[StyledText]:
        layout = self.rows
        text_row = layout.row(row)
        pieces: list[StyledText] = []
        past, future, cursor = self.past_style(), self.future_style(), self.palette.cursor
        at, glyphs = self.cursor, layout.glyphs(text_row)
        cursor_glyph = None if at is None else _find_glyph(glyphs, at, text_row.end)
        for glyph in glyphs:
            style = past if glyph.offset < self._used_count else future
            style = style + cursor if glyph.offset == cursor_glyph else style
            if pieces and pieces[-1].style is style:
                pieces[-1] = StyledText(pieces[-1].text + glyph.text, style)
            else:
                pieces.append(StyledText(glyph.text, style))
        if text_row.end < len(self._data) and text_row.end == layout.line_span(text_row.line)[1]:
            faint = self.palette.faint if text_row.end < self._used_count else future
            pieces.append(StyledText(NEWLINE, cursor if text_row.end == at else faint))
        return pieces


def _no_step(_index: int) -> None:
    """Return None; used while no program is open."""


def _find_glyph(glyphs: Sequence[Glyph], position: int, end: int) -> int | None:
    """Return the start of the glyph that shows the byte at ``position``, or None."""
    if not glyphs or not glyphs[0].offset <= position < end:
        return None
    return glyphs[bisect_right(glyphs, position, key=lambda glyph: glyph.offset) - 1].offset


# The input: bytes that were read are struck through, and the next byte is highlighted.


class InputPage(BytesPage):
    """The program's input; ``i`` or Enter moves to the step that read the selected byte."""

    NAME = "in"
    LABEL = "the input"
    PARTICIPLE = "read"
    ACTIONS = (*MOVE_ACTIONS, "read", "choose", "page-next")
    is_supplied = False
    """Whether the user has set the input."""
    _is_closed = True
    _is_waiting = False

    def show(self, snapshot: DebugSnapshot) -> None:
        """Show the input of a snapshot."""
        self._is_closed = snapshot.is_input_closed
        self._is_waiting = snapshot.view.status == "needs_input"
        self.show_bytes(snapshot.input, snapshot.view.input_position)

    def footer(self) -> list[StyledText]:
        pieces = super().footer()
        if self.is_supplied and not pieces:
            pieces = [self.title_span("set by :input; :drop-input removes it")]
        return pieces

    def past_style(self) -> Style:
        return self.palette.consumed

    def future_style(self) -> Style:
        return self.palette.base

    def empty_text(self) -> str:
        if self._is_waiting:
            return "the program waits for input: press Enter and type a line"
        if self._is_closed:
            return "no input: the first read returns end of input"
        return "no input yet: you can type some when the program asks for it"


# The output: bytes printed so far, and later bytes of the known history.

TERMINAL_SIZE = (80, 24)
HEX_COLUMNS = (16, 8, 4)


class OutputMode(Enum):
    """A display mode of the output. The value is its label."""

    RAW = "raw"
    HEX = "hex"
    TERMINAL = "terminal"


class OutputPage(BytesPage):
    """The program's output; ``o`` or Enter moves to the step that printed the selected byte."""

    NAME = "out"
    LABEL = "the output"
    PARTICIPLE = "printed"
    ACTIONS = (*MOVE_ACTIONS, "printed", "choose", "origin", "output-mode", "page-next")

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.mode = OutputMode.RAW
        self.is_future_hidden = False
        """Whether output after the current step is hidden, because the user has to predict it."""
        self._next_output_step: int | None = None
        self._is_complete = False
        self._known_steps = 0
        self._terminal: Terminal | None = None

    def show(self, snapshot: DebugSnapshot) -> None:
        """Show the output of a snapshot."""
        self._next_output_step = snapshot.next_output_step
        self._is_complete = snapshot.is_output_complete
        self._known_steps = snapshot.known_steps
        printed_count = snapshot.view.output_length
        self.show_bytes(
            snapshot.output[:printed_count] if self.is_future_hidden else snapshot.output,
            printed_count,
        )

    def cycle_mode(self) -> None:
        """Switch to the next mode: raw, hexadecimal or terminal."""
        modes = list(OutputMode)
        self.mode = modes[(modes.index(self.mode) + 1) % len(modes)]
        self.scroll_to_cursor()
        self.repaint()

    def past_style(self) -> Style:
        return self.palette.base

    def future_style(self) -> Style:
        return self.palette.future

    def empty_text(self) -> str:
        if self.is_future_hidden:
            return "nothing printed yet"
        if self._is_complete:
            return "the program prints nothing"
        if not self._known_steps:
            return "nothing printed yet"
        return f"nothing printed yet in the {plural(self._known_steps, 'step')} known so far"

    def caption(self) -> list[StyledText]:
        pieces: list[StyledText] = []
        if (
            self.selected is None
            and self._data
            and not self._used_count
            and self._next_output_step is not None
        ):
            step = format_int(self._next_output_step)
            pieces = [self.title_span(f"nothing printed yet, first byte @{step}")]
        mode = self.title_span(f"  {self.mode.value}" if pieces else self.mode.value)
        return [*pieces, mode] if self._data else []

    # Rows by mode

    @property
    def _hex_bytes_per_row(self) -> int:
        return next((n for n in HEX_COLUMNS if 10 + 4 * n <= self.inner_width), HEX_COLUMNS[-1])

    def row_count(self) -> int:
        if not self._data or self.mode is OutputMode.RAW:
            return super().row_count()
        if self.mode is OutputMode.HEX:
            return -(-len(self._data) // self._hex_bytes_per_row)
        return TERMINAL_SIZE[1]

    def find_row(self, index: int) -> int:
        if self.mode is OutputMode.HEX:
            return index // self._hex_bytes_per_row
        return 0 if self.mode is OutputMode.TERMINAL else super().find_row(index)

    def byte_index_at(self, row: int, column: int) -> int | None:
        if self.mode is OutputMode.RAW:
            return super().byte_index_at(row, column)
        if self.mode is OutputMode.TERMINAL:
            return None
        bytes_per_row = self._hex_bytes_per_row
        at = (
            column - 9 - 3 * bytes_per_row - 1
            if column >= 9 + 3 * bytes_per_row
            else (column - 9) // 3
        )
        index = row * bytes_per_row + at
        return index if 0 <= at < bytes_per_row and index < len(self._data) else None

    def footer(self) -> list[StyledText]:
        if self.mode is OutputMode.TERMINAL:
            mode = key_names("debug", "debug.output-mode")
            return [self.title_span(f"no cursor in this mode; {mode} shows the bytes")]
        return super().footer()

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        if self.mode is OutputMode.HEX and self.active_index is not None:
            new_index = self.active_index + rows * self._hex_bytes_per_row
            inside = 0 <= new_index < len(self._data)
            self.select((new_index if inside else self.active_index) + columns)
        elif self.mode is OutputMode.TERMINAL:
            self.first_row += rows
            self.repaint()
        else:
            super().move(rows=rows, columns=columns)

    def line(self, row: int, width: int) -> Strip:
        if not self._data or self.mode is OutputMode.RAW:
            return super().line(row, width)
        pieces = self._hex_row(row) if self.mode is OutputMode.HEX else self._screen_row(row)
        return make_strip(pieces, width, self.palette.base)

    def _hex_row(self, row: int) -> list[StyledText]:
        bytes_per_row = self._hex_bytes_per_row
        start = row * bytes_per_row
        indices = range(start, min(start + bytes_per_row, len(self._data)))
        pieces = [StyledText(f" {start:06x}  ", self.palette.faint)]
        for index in indices:
            pieces.append(StyledText(f"{self._data[index]:02x}", self.byte_style(index)))
            pieces.append(StyledText(" ", self.palette.base))
        pieces.append(StyledText("   " * (bytes_per_row - len(indices)) + " ", self.palette.base))
        for index in indices:
            glyph = chr(self._data[index]).translate(BYTE_PICTURES)
            pieces.append(StyledText(glyph, self.byte_style(index)))
        return pieces

    def _screen_row(self, row: int) -> list[StyledText]:
        if self._terminal is None:
            from esoplay.tui.debug.terminal import Terminal  # pyte is slow to import

            self._terminal = Terminal(*TERMINAL_SIZE)
        self._terminal.show(self._data[: self._used_count])
        base = self.palette.base
        runs = self._terminal.line(row)
        return [
            StyledText(" ", base),
            *(
                StyledText(run.text, base if run.style is None else base + run.style)
                for run in runs
            ),
        ]
