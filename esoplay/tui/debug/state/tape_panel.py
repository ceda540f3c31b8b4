"""The tape: bands with a row of indices and a row of values, and the last write below."""

from __future__ import annotations

from typing import ClassVar

from textual.strip import Strip

from esolangs.view import Tape
from esoplay.tui.debug.byte_glyphs import format_int
from esoplay.tui.debug.canvas import StyledText, make_strip
from esoplay.tui.debug.debug_snapshot import DebugSnapshot, changed_cells
from esoplay.tui.debug.state.panel_box import PanelBox, PanelHeight
from esoplay.tui.debug.state.values import format_value
from esoplay.tui.debug.viewport import Bands, choose_bands


class TapePanel(PanelBox):
    """Shows a tape. A click or ``move`` selects a cell."""

    PANEL_TYPE = Tape
    HEIGHT: ClassVar[PanelHeight] = PanelHeight(minimum=5, weight=3, maximum=15)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._tape: Tape | None = None
        self._changed: frozenset[int] = frozenset()

    @property
    def bands(self) -> Bands:
        """The layout of the tape in bands (rows of cells), as many as fit into the panel.

        The description of the selected cell has a row of its own if there is space.
        """
        tape = self._tape
        highest = 0 if tape is None else max(abs(tape.first), tape.first + len(tape.cells) - 1)
        return choose_bands(
            self.inner_width,
            self.inner_height - self._description_rows,
            bits=8 if tape is None else tape.bits,
            base=self.base,
            highest=highest,
        )

    @property
    def _description_rows(self) -> int:
        return 1 if self.inner_height > 2 else 0

    def show(self, snapshot: DebugSnapshot, panel: Tape) -> None:
        """Show the tape in a snapshot."""
        self.snapshot = snapshot
        self._tape = panel
        self._changed = changed_cells(panel, snapshot.previous_view)
        self.repaint()

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        """Move the selection by rows of cells (``rows``) and by cells (``columns``)."""
        selected = None if self.snapshot is None else self.snapshot.selected_cell
        if isinstance(selected, int):
            cell = selected + columns + rows * self.bands.cells_per_band
            self.post_message(self.Selected(cell))

    # Drawing

    def heading(self) -> list[StyledText]:
        if self._tape is None:
            return [self.title_span("tape")]
        return [
            self.title_span(f"{self._tape.name}  "),
            StyledText(f"ptr {self._tape.pointer}", self.palette.pointer),
            self.title_span(f"  {self.base.value}"),
        ]

    def row_count(self) -> int:
        return self.inner_height

    def line(self, row: int, width: int) -> Strip:
        palette = self.palette
        if self._tape is None:
            return make_strip([], width, palette.base)
        if row == self.inner_height - 1 and self._description_rows:
            return make_strip(self._description(), width, palette.base)
        bands = self.bands
        band, part = divmod(row, 2)
        if band >= bands.band_count:
            return make_strip([], width, palette.base)
        first = self._tape.first + band * bands.cells_per_band
        cells = range(first, first + bands.cells_per_band)
        pieces = self._indices(cells, bands) if part == 0 else self._values(cells, bands)
        return make_strip(pieces, width, palette.base)

    def _indices(self, cells: range, bands: Bands) -> list[StyledText]:
        tape, palette = self._tape, self.palette
        assert tape is not None
        assert self.snapshot is not None
        pieces: list[StyledText] = []
        for cell in cells:
            exists = cell - tape.first < len(tape.cells)
            label = str(cell) if exists else ""
            visited = tape.low <= cell <= tape.high
            style = palette.base if visited else palette.faint
            left, right = " ", " "
            if cell == tape.pointer:
                left, right, style = "[", "]", palette.pointer
            if cell == self.snapshot.selected_cell and cell != tape.pointer:
                left, right, style = "‹", "›", palette.selected
            pieces.append(StyledText(f"{left}{label:>{bands.pitch - 2}}{right}", style))
        return pieces

    def _values(self, cells: range, bands: Bands) -> list[StyledText]:
        tape, palette = self._tape, self.palette
        assert tape is not None
        pieces: list[StyledText] = []
        for cell in cells:
            at = cell - tape.first
            value = tape.cells[at] if at < len(tape.cells) else None
            text = "" if value is None else format_value(value, self.base)
            number = f"{text:>{bands.pitch - 2}}"
            style = palette.base if value else palette.faint
            if cell in self._changed:
                style = palette.changed
            if cell == tape.pointer:
                body = style if cell in self._changed else palette.pointer
                pieces += [StyledText("[", palette.pointer), StyledText(number, body)]
                pieces.append(StyledText("]", palette.pointer))
            else:
                blank = " " * (len(number) - len(text) + 1)
                around = palette.faint  # the style of most cells, so that segments are joined
                pieces += [
                    StyledText(blank, around),
                    StyledText(text, style),
                    StyledText(" ", around),
                ]
        return pieces

    def _description(self) -> list[StyledText]:
        """Describe the last write to the selected cell."""
        assert self.snapshot is not None
        assert self._tape is not None
        cell, known = self.snapshot.selected_cell, self.snapshot.last_write
        faint = self.palette.faint
        if cell is None:
            return []
        name = StyledText(f" cell {cell}: ", faint)
        if known is None or known.cell != cell:
            return [name, StyledText("last write …", faint)]
        if known.write is None:
            return [name, StyledText("never written, initial 0", faint)]
        write = known.write
        change = f"{format_value(write.old, self.base)} → {format_value(write.new, self.base)}"
        return [
            name,
            StyledText("last write ", faint),
            StyledText(f"@{format_int(write.step)}", self.palette.base),
            StyledText(f"  {change}", faint),
        ]

    # Mouse and size

    def handle_click(self, column: int, row: int) -> None:
        if self._tape is None:
            return
        bands = self.bands
        band, index = row // 2, column // bands.pitch
        if band < bands.band_count and index < bands.cells_per_band and row < 2 * bands.band_count:
            self.post_message(self.Selected(self._tape.first + band * bands.cells_per_band + index))
