"""The first execution of each instruction and the first write to each cell."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from weakref import WeakKeyDictionary

from esolangs.machine import Machine
from esolangs.stops import Address, StopSet
from esoplay.timeline.places import instruction_addresses
from esoplay.timeline.stops import stopped_machines
from esoplay.timeline.timeline import (
    MoveCancelled,
    Recording,
    StepPacer,
    Ticker,
    Timeline,
    first_changed_step,
)

_SLICE_SECONDS = 0.05  # seconds of running between two calls of a ticker
_FIRST_SLICE_STEPS = 1000  # steps of the first slice
_MAX_WASTED = 16  # stops at known locations before the watched set is updated


class FirstArrivals:
    """The first arrival at each instruction of a timeline, cached between queries."""

    def __init__(self, timeline: Timeline) -> None:
        self._recording: Recording = timeline.recording
        self._instructions = instruction_addresses(timeline.program)
        self._found: dict[Address, int] = {}
        self._machine: Machine | None = None
        self._searched_to = -1

    def arrivals_until(
        self, timeline: Timeline, step: int, ticker: Ticker | None = None
    ) -> Mapping[Address, int]:
        """Map each instruction reached up to ``step`` to the first state in which it is next.

        The result can also contain instructions that are first reached after ``step``. Raises
        MoveCancelled if ``ticker`` returns False.
        """
        self._discard_invalid(timeline)
        step = min(step, timeline.known_steps)
        if self._searched_to < step:
            machine = self._machine or timeline.machine_at(max(0, self._searched_to))
            self._machine = None
            self._record(machine)
            self._search(timeline, machine, step, ticker)
            self._machine = machine
        return self._found

    def _search(
        self, timeline: Timeline, machine: Machine, step: int, ticker: Ticker | None
    ) -> None:
        start_step, wasted, pace = machine.steps, 0, StepPacer(_FIRST_SLICE_STEPS, _SLICE_SECONDS)
        unseen = StopSet(locations=self._instructions - self._found.keys())
        for segment_end in timeline.segment_ends(start_step, step):
            while machine.steps < segment_end:
                before, started = machine.steps, time.perf_counter()
                status = machine.run(min(pace.slice, segment_end - before), unseen)
                machine.take_printed()
                machine.take_reads()
                if machine.steps == before:
                    return
                if status == "running":
                    pace.adapt(machine.steps - before, time.perf_counter() - started)
                if machine.steps < segment_end:
                    wasted += not self._record(machine)
                if wasted > _MAX_WASTED + len(self._instructions) // 16:
                    unseen, wasted = StopSet(locations=self._instructions - self._found.keys()), 0
                if ticker is not None and not ticker(machine.steps - start_step, step - start_step):
                    raise MoveCancelled
            timeline.apply_edits(machine)
            self._record(machine)

    def _record(self, machine: Machine) -> bool:
        """Record the location; return whether it is reached for the first time."""
        self._searched_to = machine.steps
        at = machine.location
        return (
            at in self._instructions and self._found.setdefault(at, machine.steps) == machine.steps
        )

    def _discard_invalid(self, timeline: Timeline) -> None:
        recording = timeline.recording
        if recording is self._recording:
            return
        edited = first_changed_step(self._recording, recording)
        self._recording, self._machine = recording, None
        if edited is not None and edited <= self._searched_to:
            self._found = {at: step for at, step in self._found.items() if step < edited}
            self._searched_to = edited - 1


def cached_first_arrivals(timeline: Timeline) -> FirstArrivals:
    """Return the timeline's cache of the first arrival at each instruction."""
    first_arrivals = _FIRST_ARRIVALS.get(timeline)
    if first_arrivals is None:
        first_arrivals = _FIRST_ARRIVALS[timeline] = FirstArrivals(timeline)
    return first_arrivals


_FIRST_ARRIVALS: WeakKeyDictionary[Timeline, FirstArrivals] = WeakKeyDictionary()


# Cells that no step has written so far.  In a language whose memory contains the program's text
# (Befunge-98), a state does not show whether a cell was ever written.

MAX_STEPS = 1_000_000
"""The maximum number of steps that one query searches.

Beyond these steps, cells count as written until further queries have searched the rest.
"""


class FirstValueWrites:
    """The first write to each queried cell of a timeline, cached between queries."""

    def __init__(self, timeline: Timeline) -> None:
        self._recording: Recording = timeline.recording
        self._first: dict[Address, int] = {}
        self._unwritten_until: dict[Address, int] = {}
        """For each cell, the last step up to which the cell is known to be unwritten."""

    def find_unwritten(self, timeline: Timeline, cells: Iterable[Address]) -> set[Address]:
        """Return the ``cells`` that no step or edit has written up to the current step."""
        self._discard_invalid(timeline)
        step = timeline.step
        by_hand = {edit.address for edit in timeline.recording.edits if edit.step <= step}
        wanted = set(cells) - by_hand
        asked = {cell for cell in wanted if cell not in self._first}
        low = min((self._unwritten_until.get(cell, 0) for cell in asked), default=step)
        if low < step:
            high = min(step, low + MAX_STEPS)
            self._search(timeline, asked, low, high)
            for cell in asked - self._first.keys():
                self._unwritten_until[cell] = max(high, self._unwritten_until.get(cell, 0))
        return {cell for cell in wanted if self._is_unwritten(cell, step)}

    def _is_unwritten(self, cell: Address, step: int) -> bool:
        first = self._first.get(cell)
        return self._unwritten_until.get(cell, 0) >= step if first is None else first > step

    def _search(self, timeline: Timeline, cells: set[Address], low: int, high: int) -> None:
        left = set(cells)

        def stops() -> StopSet:
            return StopSet(writes=frozenset(left))

        for machine in stopped_machines(timeline, stops, low, high):
            last = machine.last_step
            assert last is not None, "a machine halted by a stop has a last step"
            for write in last.writes:
                if write.address in left:
                    self._first[write.address] = last.number
                    left.discard(write.address)
            if not left:
                return

    def _discard_invalid(self, timeline: Timeline) -> None:
        """Discard entries after the first edit that was added or removed since the last call."""
        if timeline.recording is self._recording:
            return
        changed = first_changed_step(self._recording, timeline.recording)
        self._recording = timeline.recording
        if changed is None:
            return
        self._first = {cell: step for cell, step in self._first.items() if step <= changed}
        self._unwritten_until = {
            cell: min(at, changed) for cell, at in self._unwritten_until.items()
        }


def unwritten_cells(timeline: Timeline, cells: Iterable[Address]) -> set[Address]:
    """Return the ``cells`` that no step or edit has written up to the current step."""
    first_writes = _FIRST_WRITES.get(timeline)
    if first_writes is None:
        first_writes = _FIRST_WRITES[timeline] = FirstValueWrites(timeline)
    return first_writes.find_unwritten(timeline, cells)


_FIRST_WRITES: WeakKeyDictionary[Timeline, FirstValueWrites] = WeakKeyDictionary()
