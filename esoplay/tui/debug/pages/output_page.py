"""The output: bytes printed up to now, and those that known history prints later."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from rich.style import Style
from textual.strip import Strip

from esoplay.tui.debug.box import MOVES
from esoplay.tui.debug.canvas import Piece, strip_of
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.pages.bytes_page import BytesPage
from esoplay.tui.debug.visible import PICTURED, grouped, plural

if TYPE_CHECKING:
    from esoplay.tui.debug.terminal import Terminal

TERMINAL_SIZE = (80, 24)
HEX_COLUMNS = (16, 8, 4)


class Mode(Enum):
    """How output is shown; the value is the word for it."""

    RAW = "raw"
    HEX = "hex"
    TERMINAL = "terminal"


class OutputPage(BytesPage):
    """Click a byte, or press ``o`` on it, to go to the step that printed it."""

    NAME = "out"
    WORDS = "the output"
    ACTIONS = (*MOVES, "printed", "choose", "output-mode", "page-next")

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.mode = Mode.RAW
        self.veiled = False
        """What is printed later is not shown, since somebody is to foretell it."""
        self._next_output: int | None = None
        self._complete = False
        self._known = 0
        self._terminal: Terminal | None = None

    def show(self, moment: Moment) -> None:
        """Show the output of this moment."""
        self.moment = moment
        self._next_output = moment.next_output
        self._complete = moment.output_complete
        self._known = moment.known
        now = moment.view.output_length
        self.show_bytes(moment.output[:now] if self.veiled else moment.output, now)

    def cycle_mode(self) -> None:
        """Raw, hexadecimal, terminal, and again."""
        modes = list(Mode)
        self.mode = modes[(modes.index(self.mode) + 1) % len(modes)]
        self.follow()
        self.repaint()

    def past_style(self) -> Style:
        return self.palette.base

    def coming_style(self) -> Style:
        return self.palette.future

    def nothing(self) -> str:
        if self.veiled:
            return "nothing printed yet"
        if self._complete:
            return "the program prints nothing"
        if not self._known:
            return "nothing printed yet"
        return f"nothing printed yet, nor in the {plural(self._known, 'step')} known so far"

    def caption(self) -> list[Piece]:
        pieces = super().caption()
        if not pieces and self._data and not self._now and self._next_output is not None:
            step = grouped(self._next_output)
            pieces = [self.title_piece(f"nothing printed yet, first byte @{step}")]
        mode = self.title_piece(f"  {self.mode.value}" if pieces else self.mode.value)
        return [*pieces, mode] if self._data else []

    # Rows by mode

    @property
    def _hex_columns(self) -> int:
        return next((n for n in HEX_COLUMNS if 10 + 4 * n <= self.inner_width), HEX_COLUMNS[-1])

    def row_count(self) -> int:
        if not self._data or self.mode is Mode.RAW:
            return super().row_count()
        if self.mode is Mode.HEX:
            return -(-len(self._data) // self._hex_columns)
        return TERMINAL_SIZE[1]

    def row_of(self, index: int) -> int:
        if self.mode is Mode.HEX:
            return index // self._hex_columns
        return 0 if self.mode is Mode.TERMINAL else super().row_of(index)

    def byte_at(self, row: int, column: int) -> int | None:
        if self.mode is Mode.RAW:
            return super().byte_at(row, column)
        if self.mode is Mode.TERMINAL:
            return None
        across = self._hex_columns
        at = column - 9 - 3 * across - 1 if column >= 9 + 3 * across else (column - 9) // 3
        index = row * across + at
        return index if 0 <= at < across and index < len(self._data) else None

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        if self.mode is Mode.HEX and self.subject is not None:
            self.select(self.subject + rows * self._hex_columns + columns)
        elif self.mode is Mode.TERMINAL:
            self.top += rows
            self.repaint()
        else:
            super().move(rows=rows, columns=columns)

    def line(self, row: int, width: int) -> Strip:
        if not self._data or self.mode is Mode.RAW:
            return super().line(row, width)
        pieces = self._hex(row) if self.mode is Mode.HEX else self._screen_row(row)
        return strip_of(pieces, width, self.palette.base)

    def _hex(self, row: int) -> list[Piece]:
        across = self._hex_columns
        start = row * across
        indices = range(start, min(start + across, len(self._data)))
        pieces = [Piece(f" {start:06x}  ", self.palette.faint)]
        for index in indices:
            pieces.append(Piece(f"{self._data[index]:02x}", self.style_of(index)))
            pieces.append(Piece(" ", self.palette.base))
        pieces.append(Piece("   " * (across - len(indices)) + " ", self.palette.base))
        for index in indices:
            glyph = chr(self._data[index]).translate(PICTURED)
            pieces.append(Piece(glyph, self.style_of(index)))
        return pieces

    def _screen_row(self, row: int) -> list[Piece]:
        if self._terminal is None:
            from esoplay.tui.debug.terminal import Terminal  # pyte is slow to import

            self._terminal = Terminal(*TERMINAL_SIZE)
        self._terminal.show(self._data[: self._now])
        base = self.palette.base
        runs = self._terminal.line(row)
        return [
            Piece(" ", base),
            *(Piece(run.text, base if run.style is None else base + run.style) for run in runs),
        ]
