"""Which cells have never been written, in what is known of a run; kept, so that it is cheap to ask.

Programs whose memory is a part of their text (Befunge-98) have something in every cell from the
beginning, and a state does not tell whether that has ever been given a value.
"""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from esolangs.stops import Address, StopSet
from esoplay.timeline.recording import Recording, first_change
from esoplay.timeline.scans import stopped_machines
from esoplay.timeline.timeline import Timeline

MOST_STEPS = 1_000_000
"""Steps that one question looks through; what may come behind them counts as written until then."""


class FirstPuts:
    """The steps that first wrote to cells of one timeline."""

    def __init__(self, timeline: Timeline) -> None:
        self._recording: Recording = timeline.recording
        self._first: dict[Address, int] = {}
        self._none_until: dict[Address, int] = {}
        """By cell a step up to which none wrote to it."""

    def never(self, timeline: Timeline, cells: Iterable[Address]) -> set[Address]:
        """Those that no step up to here has written to, nor anybody by hand."""
        self._forget_the_changed(timeline)
        step = timeline.step
        by_hand = {edit.address for edit in timeline.recording.edits if edit.step <= step}
        wanted = set(cells) - by_hand
        asked = {cell for cell in wanted if cell not in self._first}
        low = min((self._none_until.get(cell, 0) for cell in asked), default=step)
        if low < step:
            high = min(step, low + MOST_STEPS)
            self._look(timeline, asked, low, high)
            for cell in asked - self._first.keys():
                self._none_until[cell] = max(high, self._none_until.get(cell, 0))
        return {cell for cell in wanted if self._never(cell, step)}

    def _never(self, cell: Address, step: int) -> bool:
        first = self._first.get(cell)
        return self._none_until.get(cell, 0) >= step if first is None else first > step

    def _look(self, timeline: Timeline, cells: set[Address], low: int, high: int) -> None:
        left = set(cells)

        def stops() -> StopSet:
            return StopSet(writes=frozenset(left))

        for machine in stopped_machines(timeline, stops, low, high):
            last = machine.last_step
            assert last is not None, "a machine that a stop halted knows its last step"
            for write in last.writes:
                if write.address in left:
                    self._first[write.address] = last.number
                    left.discard(write.address)
            if not left:
                return

    def _forget_the_changed(self, timeline: Timeline) -> None:
        """Edits and input that were recorded since may have led elsewhere."""
        if timeline.recording is self._recording:
            return
        changed = first_change(self._recording, timeline.recording)
        self._recording = timeline.recording
        if changed is None:
            return
        self._first = {cell: step for cell, step in self._first.items() if step <= changed}
        self._none_until = {cell: min(at, changed) for cell, at in self._none_until.items()}


def never_put(timeline: Timeline, cells: Iterable[Address]) -> set[Address]:
    """The cells that no step up to here has written to, nor anybody by hand."""
    firsts = _FIRST_WRITES.get(timeline)
    if firsts is None:
        firsts = _FIRST_WRITES[timeline] = FirstPuts(timeline)
    return firsts.never(timeline, cells)


_FIRST_WRITES: WeakKeyDictionary[Timeline, FirstPuts] = WeakKeyDictionary()
