"""A table: rows below named columns, with the current row marked and visible."""

from __future__ import annotations

from typing import ClassVar

from textual.strip import Strip

from esolangs.stops import Address
from esolangs.view import Number, Table
from esoplay.debugging.debugger import address_text
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES, format_int
from esoplay.tui.debug.canvas import StyledText, make_strip, spans_width
from esoplay.tui.debug.debug_snapshot import DebugSnapshot, is_memory
from esoplay.tui.debug.state.panel_box import PanelBox, PanelHeight, previous_panel
from esoplay.tui.debug.state.values import NumberBase, format_number

HERE, SELECTED = "▸", "›"
HEADER_ROWS = 1
"""Number of rows for the column names."""
MAX_COLUMN_WIDTH = 40
"""Maximum width of a column of the table, except the last one; longer values are cut off."""


class TablePanel(PanelBox):
    """Shows a table. In a table of memory, a click selects a cell."""

    PANEL_TYPE = Table
    HEIGHT: ClassVar[PanelHeight] = PanelHeight(minimum=4, weight=2)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._table: Table | None = None
        self._texts: list[tuple[str, ...]] = []
        self._widths: tuple[int, ...] = ()
        self._changed: frozenset[tuple[int, int]] = frozenset()
        self._selected_address: Address | None = None

    def show(self, snapshot: DebugSnapshot, panel: Table) -> None:
        previous, self._table, self.snapshot = self._table, panel, snapshot
        self._changed = _changed_cells(panel, previous_panel(snapshot, panel))
        self._measure()
        if panel.current is not None and (previous is None or previous.current != panel.current):
            self.scroll_into_view(panel.current + HEADER_ROWS)
        address = snapshot.selected_cell if snapshot.is_user_selected else None
        row = self._selected_row
        if address is not None and row is not None and address != self._selected_address:
            self.scroll_into_view(row + HEADER_ROWS)
        self._selected_address = address
        self.repaint()

    @property
    def wanted_height(self) -> PanelHeight:
        """The preferred height; its ``maximum`` fits all rows, unless they are memory cells."""
        if self._table is None or is_memory(self._table):
            return self.HEIGHT
        return self.HEIGHT._replace(
            maximum=max(self.HEIGHT.minimum, HEADER_ROWS + self._table.size + 2)
        )

    @property
    def max_entries(self) -> int:
        return max(1, self.inner_height - HEADER_ROWS)

    def cycle_base(self) -> None:
        super().cycle_base()
        self._measure()
        self.repaint()

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        """Move the selection if the rows are memory cells; otherwise scroll."""
        table, row = self._table, self._selected_row
        if table is None or not is_memory(table) or not table.rows:
            super().move(rows=rows, columns=columns)
            return
        start = row if row is not None else table.current
        wanted = 0 if start is None else start + (rows or columns)
        last = len(table.rows) - 1
        if 0 <= wanted <= last or table.size == len(table.rows):
            wanted = max(0, min(wanted, last))
            self.scroll_into_view(wanted + HEADER_ROWS)
            self._select(wanted)
        else:  # There are more cells than rows.
            self._select(0 if wanted < 0 else last, offset=wanted if wanted < 0 else wanted - last)

    # Drawing

    def heading(self) -> list[StyledText]:
        name = "table" if self._table is None else self._table.name
        return [self.title_span(f"{name}  {self.base.value}")]

    def caption(self) -> list[StyledText]:
        table, snapshot = self._table, self.snapshot
        if table is None or snapshot is None:
            return []
        known = snapshot.last_write
        if not is_memory(table) or known is None or known.cell != snapshot.selected_cell:
            return [self.title_span(format_int(table.size))]
        cell = f"cell {address_text(known.cell)}"
        if known.write is None:
            return [self.title_span(f"{cell}: never written")]
        return [self.title_span(f"{cell}: last write @{format_int(known.write.step)}")]

    def row_count(self) -> int:
        if self._table is None or not self._table.rows:
            return 1
        more = self._table.size > len(self._table.rows)
        return HEADER_ROWS + len(self._table.rows) + more

    def line(self, row: int, width: int) -> Strip:
        palette, table = self.palette, self._table
        if table is None or not table.rows:
            words = " every cell is 0" if table is not None and is_memory(table) else " empty"
            return make_strip([StyledText(words, palette.faint)], width, palette.base)
        at = row - HEADER_ROWS
        if at < 0:
            return make_strip(self._cells(table.columns, None), width, palette.base)
        if at == len(table.rows):
            more = f" … {format_int(table.size - at)} more"
            return make_strip([StyledText(more, palette.faint)], width, palette.base)
        return make_strip(self._cells(self._texts[at], at), width, palette.base)

    def _cells(self, texts: tuple[str, ...], row: int | None) -> list[StyledText]:
        assert self._table is not None
        palette = self.palette
        is_current = row is not None and row == self._table.current
        is_selected = row is not None and row == self._selected_row
        mark = HERE if is_current else SELECTED if is_selected else " "
        style = palette.base
        if row is None:
            style = palette.faint
        elif is_current:
            style = palette.pointer
        elif is_selected:
            style = palette.selected
        pieces = [StyledText(mark, style)]
        for column, (text, width) in enumerate(zip(texts, self._widths, strict=False)):
            is_last = column == len(self._widths) - 1
            if is_last:  # The right edge of the last column must be visible.
                width = max(1, min(width, self.inner_width - spans_width(pieces)))
            shown = text if len(text) <= width else text[: width - 1] + "…"
            value_style = palette.changed if (row, column) in self._changed else style
            is_right_aligned = (
                row is not None and column > 0 and isinstance(self._value(row, column), int)
            )
            blank = "" if is_last and not is_right_aligned else " " * (width - len(shown))
            inner = [StyledText(blank, style), StyledText(shown, value_style)]
            pieces += inner if is_right_aligned else inner[::-1]
            pieces.append(StyledText("  ", style))
        return pieces

    def _value(self, row: int, column: int) -> Number:
        assert self._table is not None
        return self._table.rows[row][column]

    def _measure(self) -> None:
        """Format all values and measure the columns."""
        table = self._table
        if table is None:
            return
        self._texts = [
            tuple(
                format_number(value, NumberBase.DECIMAL if column == 0 else self.base).translate(
                    CONTROL_PICTURES
                )
                for column, value in enumerate(row)
            )
            for row in table.rows
        ]
        columns = range(len(table.columns))
        widths = [
            max([len(table.columns[at]), *(len(row[at]) for row in self._texts if at < len(row))])
            for at in columns
        ]
        self._widths = tuple(min(width, MAX_COLUMN_WIDTH) for width in widths[:-1]) + tuple(
            widths[-1:]
        )

    # Selecting

    @property
    def _selected_row(self) -> int | None:
        table, snapshot = self._table, self.snapshot
        if table is None or snapshot is None or not is_memory(table):
            return None
        return next(
            (at for at, row in enumerate(table.rows) if row[0] == snapshot.selected_cell), None
        )

    def _select(self, row: int, offset: int = 0) -> None:
        address = self._value(row, 0)
        if isinstance(address, int):
            self.post_message(self.Selected(address + offset))

    def handle_click(self, column: int, row: int) -> None:
        table = self._table
        if table is not None and is_memory(table) and 0 <= row - HEADER_ROWS < len(table.rows):
            self._select(row - HEADER_ROWS)


def _changed_cells(table: Table, before: Table | None) -> frozenset[tuple[int, int]]:
    """Return the row and column of each value of memory that differs from ``before``.

    Rows are compared by address, not by their place in the table.  The result is empty for a table
    that is not memory.
    """
    if before is None or not is_memory(table):
        return frozenset()  # Rows of other tables have no addresses to compare.
    old = {row[0]: row for row in before.rows if row}
    # If rows were outside the window, a new row may only have scrolled into the window.
    complete = before.size == len(before.rows)
    return frozenset(
        (at, column)
        for at, row in enumerate(table.rows)
        for column, value in enumerate(row)
        if column and (old[row[0]][column : column + 1] != (value,) if row[0] in old else complete)
    )
