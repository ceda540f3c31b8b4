"""One open program: its debugger, the selection and the current snapshot.

This module does not contain widgets or moves; moves are in :mod:`esoplay.tui.debug.time_travel`.
"""

from __future__ import annotations

import time
from collections import deque
from typing import NamedTuple

from esolangs.stops import Address, Slot
from esolangs.view import Term, View, Window
from esoplay.debugging.debugger import (
    Debugger,
    MoveCancelled,
    Stop,
    address_text,
    is_on_plane,
)
from esoplay.debugging.heat import nesting_depths
from esoplay.debugging.provenance import TermOrigin, origin_of_part, value_writes
from esoplay.debugging.session import DebugSession
from esoplay.debugging.watches import shared_watches
from esoplay.errors import UsageError
from esoplay.tui.debug.breakpoints import BreakpointRegistry, OrphanBreakpoint
from esoplay.tui.debug.debug_snapshot import (
    DebugSnapshot,
    LastValueWrite,
    LastWrite,
    current_cell,
    has_cells,
)
from esoplay.tui.debug.divergence import Divergence, DivergenceKind, first_divergence
from esoplay.tui.debug.source_position import SourceTracker
from esoplay.tui.debug.viewport import Viewport

# Look up the last write to the selected place without a noticeable delay.

EAGER_SECONDS, IDLE_SECONDS = 0.008, 0.03
"""Maximum seconds to look up the last write: at each step, and when the user pauses.

The limits are CPU time of the thread, so that a busy computer does not change the display.
"""


class DeferredLookup:
    """Looks up the last write to the selected place; if that is slow, when the user pauses.

    The last complete lookup decides whether it is slow. A cancelled one does not count, because the
    next lookup continues it.
    """

    def __init__(self, debugger: Debugger) -> None:
        self._debugger = debugger
        self._lookup_seconds = 0.0  # seconds of the last completed lookup

    def find_quickly(self, snapshot: DebugSnapshot) -> DebugSnapshot:
        """Return the snapshot, with the last write to the selected place if this is found quickly.

        Does not look it up if the previous lookup took too long.
        """
        return (
            self._with_last_write(snapshot, EAGER_SECONDS)
            if self._lookup_seconds <= EAGER_SECONDS
            else snapshot
        )

    def find_when_idle(self, snapshot: DebugSnapshot) -> DebugSnapshot:
        """Return the snapshot, with the last write to the selected place if found in time.

        The time limit, ``IDLE_SECONDS``, is longer than the limit of :meth:`find_quickly`.
        """
        return self._with_last_write(snapshot, IDLE_SECONDS)

    def _with_last_write(self, snapshot: DebugSnapshot, seconds: float) -> DebugSnapshot:
        slot, cell, start_time = snapshot.selected_slot, snapshot.selected_cell, time.thread_time()

        def ticker(_done: int, _total: int) -> bool:
            return time.thread_time() < start_time + seconds

        try:
            if slot is not None:
                pushes = value_writes(self._debugger, slot, ticker=ticker) if snapshot.step else []
                snapshot = snapshot._replace(
                    last_value_write=LastValueWrite(slot, next(iter(pushes), None))
                )
            elif cell is not None:
                writes = self._debugger.writes(cell, ticker=ticker) if snapshot.step else []
                snapshot = snapshot._replace(last_write=LastWrite(cell, next(iter(writes), None)))
        except MoveCancelled:
            return snapshot
        self._lookup_seconds = time.thread_time() - start_time
        return snapshot


# The selected part of a term

EAGER_TRACED_STEPS = {"compiled": 2_000_000, "plain": 20_000}
"""The last step at which the origin of the selected part is shown automatically, by engine.

The origin of a part is the applications that made it; finding them needs a replay.
"""


class PartSelection:
    """The selected part of a term; a change of the term ends the selection."""

    def __init__(self, debugger: Debugger) -> None:
        self._debugger = debugger
        self._part: int | None = None
        self._selected_at: tuple[int, Window] = 0, Window()
        self._origin: TermOrigin | None = None

    def select(self, part: int | None, window: Window) -> None:
        """Select a part of the view in ``window``; None clears the selection."""
        self._part, self._selected_at, self._origin = part, (self._debugger.step, window), None

    def store_origin(self, origin: TermOrigin) -> None:
        """Store the origin of the selected part: the applications that made it."""
        self._origin = origin

    def part(self, window: Window) -> int | None:
        """Return the number of the selected part; None if the step or the term has changed since.

        window: the limits of the current view; when they change, another term can be in view.
        """
        step, selected_window = self._selected_at
        if step != self._debugger.step:
            self._part = None
        elif (
            self._part is not None and selected_window != window
        ):  # The panel has changed its size.
            if self._terms(selected_window) != self._terms(window):
                self._part = None
            self._selected_at = step, window
        return self._part

    def _terms(self, window: Window) -> list[Term]:
        view = self._debugger.view(window)
        return [panel for panel in view.panels if isinstance(panel, Term)]

    def origin(self, window: Window) -> TermOrigin | None:
        """Return the origin of the selected part; None if no part is selected or none is known.

        An origin that was not stored is searched for only if the search is fast.
        window: as in :meth:`part`.
        """
        part = self.part(window)
        if part is None:
            return None
        debugger = self._debugger
        if self._origin is None and debugger.step <= EAGER_TRACED_STEPS.get(
            debugger.program.engine, 0
        ):
            try:
                self._origin = origin_of_part(debugger, part, window, max_length=1)
            except (MoveCancelled, UsageError):
                return None
        return self._origin


MAX_LOG_LINES = 500
MAX_BREAKPOINT_STEPS = 200
EAGER_STEPS = {"compiled": 20_000_000, "plain": 20_000}
"""Maximum steps of a history in which the last write is looked up at each step, by engine."""
IDLE_STEPS = {"compiled": 500_000_000, "plain": 500_000}
"""Maximum steps of a history in which the last write is looked up after a pause, by engine."""


class LogEntry(NamedTuple):
    """A line of the log, about ``step``. shows_step: whether ``step`` is shown before the text."""

    step: int
    text: str
    shows_step: bool = True


class DebugTarget:
    """One open program: its debugger, last snapshot, marks, log and selection."""

    def __init__(
        self, debugger: Debugger, expected: bytes | None, session: DebugSession | None = None
    ) -> None:
        """Create a target for the program that is open in ``debugger``.

        expected: the expected output, or None. session: an existing session for commands, or None.
        """
        self.debugger = debugger
        self.session = session or DebugSession(debugger)
        self.expected = expected
        self.timeline_columns = 60
        self.viewport = Viewport()
        self.is_on_plane = is_on_plane(debugger.program)
        self.listing = debugger.program.listing()
        self.selected: Address | None = None
        self.slot: Slot | None = None
        self.part_selection = PartSelection(debugger)
        self.marks: dict[str, int] = {}
        self.log: deque[LogEntry] = deque(maxlen=MAX_LOG_LINES)
        self.orphans: list[OrphanBreakpoint] = []
        self._breakpoint_steps: deque[int] = deque(maxlen=MAX_BREAKPOINT_STEPS)
        self._stop: Stop | None = None
        self._previous_view: View | None = None
        self._previous_watch_values: dict[str, int | None] = {}
        self._deferred_lookup = DeferredLookup(debugger)
        self.source = SourceTracker(debugger)
        self.breakpoints = BreakpointRegistry(debugger)
        self.is_blank = not debugger.program.spans()
        self._compared_output: tuple[bytes, bool, Divergence] | None = None
        self._snapshot = self._take_snapshot()

    # Snapshots

    @property
    def snapshot(self) -> DebugSnapshot:
        """The snapshot made by the last :meth:`show_stop` or :meth:`refresh`."""
        return self._snapshot

    def show_stop(self, stop: Stop) -> DebugSnapshot:
        """Store the stop that ended a move, log its reasons, and return a new snapshot."""
        if stop.step != self._snapshot.step:
            self._previous_view = self._snapshot.view
            self._previous_watch_values = {each.text: each.value for each in self._snapshot.watches}
            self.source.store_values(self._snapshot.source_position)
            self.viewport.follow()
        self._stop = stop
        self.session.delete_temporary_breakpoints(stop)
        for line in stop.logs:
            self.log_line(line)
        if any(reason.kind == "breakpoint" for reason in stop.reasons):
            self._breakpoint_steps.append(stop.step)
        for reason in stop.reasons:
            if reason.kind not in ("step", "budget", "cancelled"):
                self.log_line(reason.text)
        return self.refresh()

    def refresh(self) -> DebugSnapshot:
        """Replace the snapshot after a change of window, breakpoints or marks, and return it."""
        self._snapshot = self._take_snapshot()
        return self._snapshot

    def log_line(self, text: str, step: int | None = None, *, show_step: bool = True) -> None:
        """Add a line to the log, about ``step`` or else the current step."""
        about = self.debugger.step if step is None else step
        self.log.append(LogEntry(about, text, show_step))

    # Cells

    @property
    def cell(self) -> Address | None:
        """The selected cell, or else the program's current cell; None if neither exists."""
        return current_cell(self._snapshot.view) if self.selected is None else self.selected

    @property
    def has_selection(self) -> bool:
        """Whether a cell, slot or part of a term is selected, or the plane was scrolled."""
        chosen = (self.selected, self.slot, self._snapshot.selected_part)
        return self.viewport.is_scrolled or any(each is not None for each in chosen)

    def select(self, cell: Address | None) -> None:
        """Select a cell; None selects the program's current cell.

        Raises UsageError if ``cell`` is not an address in this language.
        """
        if cell is not None:
            if not has_cells(self._snapshot.view):
                raise UsageError("programs in this language have no cells")
            if isinstance(cell, tuple) != self.is_on_plane:
                wanted = "a point such as 3,-4" if self.is_on_plane else "a number"
                raise UsageError(f"the address of a cell is {wanted}, not {address_text(cell)}")
        self.selected, self.slot = cell, None
        self._deferred_lookup = DeferredLookup(self.debugger)
        self.part_selection.select(None, self.viewport.window)
        self.viewport.reveal(cell)
        self.viewport.reveal_slot(None)

    def select_slot(self, slot: Slot) -> None:
        """Select a stack slot, until a cell is selected."""
        self.select(None)
        self.slot = slot
        self.viewport.reveal_slot(slot)

    @property
    def is_history_short(self) -> bool:
        """Whether the history is short enough to look up the last write at each step."""
        return self.debugger.known_steps <= EAGER_STEPS.get(self.debugger.program.engine, 0)

    @property
    def is_history_long(self) -> bool:
        """Whether the history is so long that the last write is looked up only on request."""
        return self.debugger.known_steps > IDLE_STEPS.get(self.debugger.program.engine, 0)

    def look_up_last_write(self) -> DebugSnapshot:
        """Look up the last write to the selected place; return the snapshot with it."""
        self._snapshot = self._deferred_lookup.find_when_idle(self._snapshot)
        return self._snapshot

    # Views

    def _take_snapshot(self) -> DebugSnapshot:
        debugger = self.debugger
        view = self._view()
        cell = current_cell(view) if self.selected is None else self.selected
        output = debugger.output
        divergence = self._compare(output, complete=debugger.end is not None)
        buckets = tuple(debugger.overview(self.timeline_columns)) if debugger.known_steps else ()
        snapshot = DebugSnapshot(
            view=view,
            previous_view=self._previous_view,
            known_steps=debugger.known_steps,
            end=debugger.end,
            output=output,
            input=debugger.input,
            is_input_closed=debugger.is_input_closed,
            selected_cell=cell,
            is_user_selected=self.selected is not None,
            selected_slot=self.slot,
            selected_part=self.part_selection.part(self.viewport.window),
            part_origin=self.part_selection.origin(self.viewport.window),
            next_output_step=debugger.find_print_step(view.output_length),
            next_input_step=debugger.find_read_step(view.input_position),
            breakpoints=debugger.breakpoints,
            orphans=tuple(self.orphans),
            breakpoint_steps=tuple(self._breakpoint_steps),
            marks=dict(self.marks),
            buckets=buckets,
            depths=nesting_depths(debugger, buckets),
            expected_output=self.expected,
            divergence=divergence,
            wrong_step=self._wrong_step(divergence),
            stop=self._stop,
            watches=shared_watches(debugger).values(debugger, self._previous_watch_values),
            source_position=self.source.current(),
            listing=self.listing,
        )
        return self._deferred_lookup.find_quickly(snapshot) if self.is_history_short else snapshot

    def _compare(self, output: bytes, *, complete: bool) -> Divergence | None:
        if self.expected is None:
            return None
        if self._compared_output is None or self._compared_output[:2] != (output, complete):
            divergence = first_divergence(self.expected, output, complete=complete)
            self._compared_output = output, complete, divergence
        return self._compared_output[2]

    def _wrong_step(self, divergence: Divergence | None) -> int | None:
        if divergence is None or divergence.offset is None:
            return None
        if divergence.kind in (DivergenceKind.SHORT, DivergenceKind.NEWLINE_MISSING):
            return self.debugger.end
        return self.debugger.find_print_step(divergence.offset)

    def _view(self) -> View:
        """Return a view of the selected cell and its surroundings, or of the program's position.

        A plane that the user has scrolled stays where it is.
        """
        view = self.debugger.view(self.viewport.window)
        if self.viewport.adjust(view):
            view = self.debugger.view(self.viewport.window)
        return view
