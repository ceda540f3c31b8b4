"""The state shown by the debug views: one frozen value for each move."""

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
from esoplay.tui.debug.breakpoints import Orphan
from esoplay.tui.debug.divergence import Divergence
from esoplay.tui.debug.source_position import SourcePosition


class LastWrite(NamedTuple):
    """The last write to a cell; ``write`` is None if there was none."""

    cell: Address
    write: CellWrite | None


class LastValueWrite(NamedTuple):
    """The last write to a stack slot; ``write`` is None if there was none."""

    slot: Slot
    write: ValueWrite | None


class DebugSnapshot(NamedTuple):
    """The state after a move, with the history around it.

    view: the state.  previous_view: the view shown before it, to mark changes.
    known_steps: the furthest step executed.  end: the last step of the run, or None if unknown.
    output: all bytes printed in known history.  input: all input; input_closed: it is complete.
    next_output, next_input: the steps that print and read the next byte, if known.
    depths: nesting of loops and calls, by bucket.
    orphans: breakpoints whose text was deleted.
    breakpoint_steps: steps at which breakpoints stopped.  marks: the user's marks.
    selected: the cell that questions refer to; it follows the program unless is_user_selected.
    last_write: the last write to the cell, once looked up.
    slot: the stack slot that questions refer to instead of a cell; last_put: its last write.
    part: the part of the term that questions refer to; part_origin: what made the part.
    expected: the expected output; divergence: how the known output differs from it;
    wrong_step: the step that printed the first wrong byte, or that ended the run too early.
    stop: why the last move stopped; None before the first move.
    watches: the user's expressions, with their values.
    source_position: the position in the source by the source map; None without a map.
    listing: the instructions of a program with unreadable source; None for other programs.
    """

    view: View
    previous_view: View | None
    known_steps: int
    end: int | None
    output: bytes
    input: bytes
    input_closed: bool
    selected: Address | None
    is_user_selected: bool = False
    next_output: int | None = None
    next_input: int | None = None
    breakpoints: tuple[Breakpoint, ...] = ()
    orphans: tuple[Orphan, ...] = ()
    breakpoint_steps: tuple[int, ...] = ()
    marks: Mapping[str, int] = {}
    buckets: tuple[Bucket, ...] = ()
    depths: tuple[int, ...] = ()
    last_write: LastWrite | None = None
    slot: Slot | None = None
    part: int | None = None
    part_origin: TermOrigin | None = None
    last_put: LastValueWrite | None = None
    expected: bytes | None = None
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
    def ended(self) -> bool:
        """Whether no further step is possible from here."""
        return self.view.status in FINAL

    @property
    def output_complete(self) -> bool:
        """Whether known history reaches the end, so that all output is known."""
        return self.end is not None


def tape_of(view: View) -> Tape | None:
    """Return the first tape of a view, which cell numbers refer to."""
    return next((panel for panel in view.panels if isinstance(panel, Tape)), None)


def grid_of(view: View) -> Grid | None:
    """Return the first plane of a view, which points refer to."""
    return next((panel for panel in view.panels if isinstance(panel, Grid)), None)


def active_pointer(grid: Grid) -> Pointer | None:
    """Return the pointer that executes the next step."""
    return next((each for each in grid.pointers if each.active), None)


def is_memory(table: Table) -> bool:
    """Whether the rows of a table are cells, with their addresses in the first column."""
    return table.columns[:1] == ("address",)


def memory_of(view: View) -> Table | None:
    """Return the first table of memory of a view."""
    tables = (panel for panel in view.panels if isinstance(panel, Table))
    return next((table for table in tables if is_memory(table)), None)


def current_cell(view: View) -> Address | None:
    """Return the program's current cell: under the pointer, or the current row of its memory."""
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
    """Whether the program has cells with addresses."""
    return any(
        isinstance(panel, Tape | Grid | Stage) or (isinstance(panel, Table) and is_memory(panel))
        for panel in view.panels
    )


def changed_cells(tape: Tape, before: View | None) -> frozenset[int]:
    """Return the cells of the tape whose value differs in the view ``before``."""
    if before is None:
        return frozenset()
    old = next(
        (panel for panel in before.panels if isinstance(panel, Tape) and panel.name == tape.name),
        None,
    )
    if old is None:
        return frozenset()
    first = max(tape.first, old.first)
    last = min(tape.first + len(tape.cells), old.first + len(old.cells))
    return frozenset(
        cell
        for cell in range(first, last)
        if tape.cells[cell - tape.first] != old.cells[cell - old.first]
    )
