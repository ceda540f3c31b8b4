"""The snapshot that the views of the debugger show: one immutable value for each move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from esolangs.listing import Listing
from esolangs.machine import FINAL
from esolangs.stops import Address, Slot
from esolangs.view import Grid, Pointer, Stage, Table, Tape, View
from esoplay.debugging.debugger import Breakpoint, Bucket, CellWrite, Stop
from esoplay.debugging.provenance import TermOrigin, ValueWrite
from esoplay.debugging.watches import WatchedExpression
from esoplay.tui.debug.breakpoints import OrphanBreakpoint
from esoplay.tui.debug.divergence import Divergence
from esoplay.tui.debug.source_position import SourcePosition


class LastWrite(NamedTuple):
    """The last write to a cell. write: None if no step has written the cell."""

    cell: Address
    write: CellWrite | None


class LastValueWrite(NamedTuple):
    """The last write to a slot of a stack. write: None if no step has written the slot."""

    slot: Slot
    write: ValueWrite | None


class DebugSnapshot(NamedTuple):
    """The state after a move, with the history around it.

    view: the state. previous_view: the view shown before, to mark changes. known_steps: the last
    step executed so far. end: the last step of the run, or None if unknown. output: all bytes
    printed in known history. input: all input. is_input_closed: whether the input is complete.
    next_output_step, next_input_step: the steps that print and read the next byte, if known.
    breakpoints: all breakpoints. orphans: breakpoints whose text was deleted. breakpoint_steps:
    steps at which breakpoints stopped. marks: the user's marks. buckets, depths: output, and
    nesting of loops and calls, by column of the timeline. selected_cell: the cell that queries use;
    it follows the program unless is_user_selected. last_write: the last write to that cell, if it
    was looked up. selected_slot: the stack slot that queries use instead of a cell.
    last_value_write: the last write to that slot. selected_part: the part of the term that queries
    use. part_origin: the origin of that part. expected_output: the output that the test expects.
    divergence: the first difference of known output from ``expected_output``. wrong_step: the step
    that printed the first wrong byte or ended the run too early. stop: the stop of the last move;
    None before the first move. watches: the user's expressions with their values. source_position:
    the position in the source; None without a source map. listing: the instructions of a program
    with unreadable source; None for other programs.
    """

    view: View
    previous_view: View | None
    known_steps: int
    end: int | None
    output: bytes
    input: bytes
    is_input_closed: bool
    selected_cell: Address | None
    is_user_selected: bool = False
    next_output_step: int | None = None
    next_input_step: int | None = None
    breakpoints: tuple[Breakpoint, ...] = ()
    orphans: tuple[OrphanBreakpoint, ...] = ()
    breakpoint_steps: tuple[int, ...] = ()
    marks: Mapping[str, int] = {}
    buckets: tuple[Bucket, ...] = ()
    depths: tuple[int, ...] = ()
    last_write: LastWrite | None = None
    selected_slot: Slot | None = None
    selected_part: int | None = None
    part_origin: TermOrigin | None = None
    last_value_write: LastValueWrite | None = None
    expected_output: bytes | None = None
    divergence: Divergence | None = None
    wrong_step: int | None = None
    stop: Stop | None = None
    watches: tuple[WatchedExpression, ...] = ()
    source_position: SourcePosition | None = None
    listing: Listing | None = None

    @property
    def step(self) -> int:
        return self.view.step

    @property
    def has_ended(self) -> bool:
        """Whether the run has ended at this step."""
        return self.view.status in FINAL

    @property
    def is_output_complete(self) -> bool:
        """Whether known history includes the end of the run, so that all output is known."""
        return self.end is not None


def first_tape(view: View) -> Tape | None:
    """Return the first tape of a view, to which cell numbers refer, or None."""
    return next((panel for panel in view.panels if isinstance(panel, Tape)), None)


def first_grid(view: View) -> Grid | None:
    """Return the first plane of a view, or None; points in commands are on this plane."""
    return next((panel for panel in view.panels if isinstance(panel, Grid)), None)


def active_pointer(grid: Grid) -> Pointer | None:
    """Return the pointer that executes the next step, or None."""
    return next((each for each in grid.pointers if each.active), None)


def is_memory(table: Table) -> bool:
    """Return whether the rows of a table are cells, with addresses in the first column."""
    return table.columns[:1] == ("address",)


def first_memory(view: View) -> Table | None:
    """Return the first table of memory of a view, or None."""
    tables = (panel for panel in view.panels if isinstance(panel, Table))
    return next((table for table in tables if is_memory(table)), None)


def current_cell(view: View) -> Address | None:
    """Return the current cell: the cell at the pointer, or the current row of memory, or None."""
    for panel in view.panels:
        if isinstance(panel, Tape):
            return panel.pointer
        if isinstance(panel, Grid):
            return next((each.position for each in panel.pointers if each.active), None)
        if isinstance(panel, Table) and is_memory(panel) and panel.current is not None:
            address = panel.rows[panel.current][0]
            return address if isinstance(address, int) else None
    return None


def has_cells(view: View) -> bool:
    """Return whether the program has cells with addresses."""
    return any(
        isinstance(panel, Tape | Grid | Stage) or (isinstance(panel, Table) and is_memory(panel))
        for panel in view.panels
    )


def changed_cells(tape: Tape, before: View | None) -> frozenset[int]:
    """Return the visible cells of the tape whose value differs in the view ``before``."""
    if before is None:
        return frozenset()
    old = next(
        (panel for panel in before.panels if isinstance(panel, Tape) and panel.name == tape.name),
        None,
    )
    if old is None:
        return frozenset()
    first = max(tape.first, old.first)
    end = min(tape.first + len(tape.cells), old.first + len(old.cells))
    return frozenset(
        cell
        for cell in range(first, end)
        if tape.cells[cell - tape.first] != old.cells[cell - old.first]
    )
