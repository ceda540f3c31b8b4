"""Synchronization of editor and debugger on a plane: current cell, scroll position, values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from esolangs.wording import format_count
from esoplay.errors import UsageError
from esoplay.tui.editor.editor import MAX_EDITABLE_BYTES
from esoplay.tui.editor.modes import GridMode

if TYPE_CHECKING:
    from textual.document._document import Location

    from esolangs.language import Program
    from esolangs.view import Point
    from esoplay.tui.debug.deferred_pane import DeferredDebugPane
    from esoplay.tui.debug.target import DebugTarget
    from esoplay.tui.editor.pane import EditorPane

MAX_REASONS = 2
"""Maximum number of reasons that the status gives for cells that were not written."""
LINE_ENDS = b"\n\r\f"
"""Bytes that cannot be in a cell, because they are line breaks."""


def source_with_cells(program: Program, cells: Mapping[Point, int]) -> bytes:
    """Return the program's text with the values of ``cells``; extend rows if necessary.

    Raises UsageError for a cell or a value that the text cannot contain.
    """
    source = bytearray(program.source)
    beyond: dict[int, list[Point]] = {}
    for point, value in cells.items():
        name = f"cell {point[0]},{point[1]}"
        if not 0 <= value < 256 or value in LINE_ENDS:
            raise UsageError(f"{name} holds {value}, which cannot be written as text")
        if min(point) < 0:
            raise UsageError(f"{name} is outside of the text, which starts at 0,0")
        offset = program.offset_at(point)
        if offset is None:
            beyond.setdefault(point[1], []).append(point)
        else:
            source[offset] = value
    if not beyond:
        return bytes(source)
    ends = (max(x for x, _ in points) + 1 for points in beyond.values())
    if len(source) + max(beyond) + sum(ends) > MAX_EDITABLE_BYTES:
        x, y = max(map(max, beyond.values()))
        limit = f"{MAX_EDITABLE_BYTES:,} bytes"
        raise UsageError(f"cell {x},{y} is too far away: the text would exceed {limit}")
    rows = bytes(source).split(b"\n")
    if b"\f" in source or any(b"\r" in row.removesuffix(b"\r") for row in rows):
        raise UsageError(
            "rows cannot be extended: the text has a form feed or lone CR; edit it by hand"
        )
    rows += [b""] * (max(beyond) + 1 - len(rows))
    for y, points in beyond.items():
        end = b"\r" if rows[y].endswith(b"\r") else b""
        row = bytearray(rows[y].removesuffix(b"\r"))
        for point in sorted(points):
            row += b" " * (point[0] + 1 - len(row))
            row[point[0]] = cells[point]
        rows[y] = bytes(row) + end
    return b"\n".join(rows)


def with_writable_cells(
    program: Program, cells: Mapping[Point, int]
) -> tuple[bytes, list[Point], list[str]]:
    """Write as many of the cells into the program's text as possible.

    Returns the new text, the points of the written cells, and an error for each other cell.
    """
    written: dict[Point, int] = {}
    refused: list[str] = []
    source = program.source
    for point, value in cells.items():
        try:
            source = source_with_cells(program, {**written, point: value})
            written[point] = value
        except UsageError as error:
            refused.append(str(error))
    return source, list(written), refused


class PlaneSync:
    """Shows the same cell in the debugger and in the editor."""

    def __init__(
        self,
        editor_pane: EditorPane,
        deferred_debugger: DeferredDebugPane,
        on_edited: Callable[[], None],
    ) -> None:
        """Create the object; when the user switches panes, it shows the same cell in the new one.

        on_edited: called after cells were written into the text.
        """
        self._editor_pane = editor_pane
        self._deferred_debugger = deferred_debugger
        self._on_edited = on_edited
        self._last_view = ""
        self._came_from_debugger = False
        """Whether the editor was opened from the debugger."""

    @property
    def _target(self) -> DebugTarget | None:
        """The debugger's state, if it shows the editor's text on a plane."""
        pane = self._deferred_debugger.created_pane
        target = None if pane is None else pane.time.target
        if pane is None or target is None or not pane.widgets.is_on_plane:
            return None
        return target if target.debugger.program.source == self._editor_pane.source else None

    def follow_view(self, view: str) -> None:
        """Show the same cell after a switch between editor and debugger."""
        before, self._last_view = (
            self._last_view,
            view if view in ("edit", "debug") else self._last_view,
        )
        if (before, view) == ("debug", "edit"):
            self._show_in_editor()
        elif (before, view) == ("edit", "debug"):
            self._show_in_debugger()

    def _show_in_editor(self) -> None:
        """Move the editor's cursor to the debugger's cell when the editor is shown."""
        from esoplay.tui.debug.debug_snapshot import first_grid  # late: it imports the debugger

        target, editor = self._target, self._editor_pane.editor
        grid = None if target is None else first_grid(target.snapshot.view)
        cell = None if target is None else target.cell
        if target is None or grid is None or not isinstance(cell, tuple):
            return
        self._came_from_debugger = True
        offset = target.debugger.program.offset_at(cell)
        at = max(0, cell[1]), max(0, cell[0])
        location = at if offset is None else editor.document.to_location(offset)
        corner = max(0, grid.left), max(0, grid.top)
        editor.call_after_refresh(self._show, location, corner)

    def _show(self, location: Location, corner: Point) -> None:
        editor = self._editor_pane.editor
        if isinstance(editor.mode, GridMode):
            editor.mode.go_to(location)
        else:
            editor.move_cursor(editor.clamp_visitable(location))
        editor.scroll_to(*corner, animate=False, force=True, immediate=True)
        editor.show_cell(location)

    def _show_in_debugger(self) -> None:
        """Show the editor's part of the plane in the debugger, and select the cell at the cursor.

        Neither the next instruction nor a cell outside the used part of the plane is selected.
        """
        target, editor = self._target, self._editor_pane.editor
        came_back, self._came_from_debugger = self._came_from_debugger, False
        if target is None:
            return
        row, column = editor.drawn_cursor
        line = editor.document.get_line(row) if row < editor.document.line_count else ""
        program, cell = target.debugger.program, (column, row)
        if column < len(line):
            address = program.address_at(editor.document.to_offset((row, column)))
            cell = (address[0], address[1]) if isinstance(address, tuple) else cell
        from esoplay.tui.debug.debug_snapshot import first_grid

        x, y = editor.scroll_offset
        target.viewport.start_at((x, y))
        grid = first_grid(target.snapshot.view)
        inside = grid is not None and all(
            low <= at <= high for low, at, high in zip(grid.low, cell, grid.high, strict=True)
        )
        if came_back and inside and cell != target.snapshot.view.location.address:
            target.select(cell)
        self._deferred_debugger.pane.time.refresh()

    def apply(self, cells: Mapping[Point, int]) -> None:
        """Write values into the text as one edit, and open the new text in the debugger."""
        words = self._write(cells)
        self._on_edited()
        self._deferred_debugger.pane.show_notice(words)

    def _write(self, cells: Mapping[Point, int]) -> str:
        """Write values into the text; return a message about what was written."""
        target, editor = self._target, self._editor_pane.editor
        if target is None or editor.read_only:
            return "the debugger shows a different program than the editor; nothing was written"
        source, written, refused = with_writable_cells(target.debugger.program, cells)
        reasons = "; ".join(refused[:MAX_REASONS])
        if len(refused) > MAX_REASONS:
            reasons += f"; {format_count(len(refused) - MAX_REASONS, 'other cell')}"
        if not written:
            return reasons
        editor.replace_source(source)
        words = f"{format_count(len(written), 'cell')} written into the program"
        undo = "Ctrl+Z in the editor undoes the change"
        return f"{words}; not written: {reasons}" if refused else f"{words}; {undo}"
