"""Whether a run comes to a state that it was in before, which proves that it never ends.

A machine is deterministic, so from the second time on everything repeats itself, as long as
nothing is read in between; the position in the input is therefore compared with the state.

The search goes as Brent's for the cycle of a function does: a state is remembered, the run goes
on, and the first step at which the state is there again gives the period; after a power of two
of steps a later state is remembered.  Only states at the location of the remembered one can be
equal to it, so the engine runs at speed from one such to the next, and whole states are compared
when a cheap part of them agrees.  Where the repetition begins is found by bisection over
checkpoints: a state that comes again is followed only by such.

A limit on steps does not count: what is looked at is the program, not its budget.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace

from esolangs.diagnosis import Diagnostics
from esolangs.limits import Limits
from esolangs.machine import FINAL, Machine, Status
from esolangs.stops import Address, StopSet
from esoplay.timeline.pace import Pace
from esoplay.timeline.timeline import Ticker, Timeline, tick

_FIRST = 64  # steps to the first state that is remembered
_NEAR = 256  # steps among which one at a seldom visited location is chosen
_SLICE = 0.02  # seconds between two calls of a ticker


@dataclass(frozen=True, slots=True)
class Recurrence:
    """The state after ``first`` steps is there again after ``again``; no earlier one comes twice.

    The position in the input is the same both times.
    """

    first: int
    again: int

    @property
    def period(self) -> int:
        """Steps from one time to the next."""
        return self.again - self.first


@dataclass(frozen=True, slots=True)
class Outlook:
    """What looking ahead came to.

    recurrence: the first state that comes again, where one was found; that none was found says
    nothing about whether the run ends.  steps: how far was looked.  status: the machine's there.
    """

    recurrence: Recurrence | None
    steps: int
    status: Status


def look_ahead(timeline: Timeline, bound: int, ticker: Ticker | None = None) -> Outlook:
    """Look for the first state that comes again within ``bound`` steps from the last change.

    Where more is known than that, a period of up to ``bound`` steps is found by the end of it,
    too.  The timeline keeps its position; what the user changed by hand happens as recorded.
    Raises Cancelled.
    """
    diagnostics = timeline.program.language.diagnostics()
    if diagnostics is None:
        return Outlook(None, timeline.known, "running")
    search = _Search(timeline, diagnostics, bound, ticker)
    found = search.find()
    return Outlook(found, search.run.known, search.run.status)


class _Search:
    def __init__(
        self, timeline: Timeline, diagnostics: Diagnostics, bound: int, ticker: Ticker | None
    ):
        self._diagnostics = diagnostics
        self._ticker = ticker
        recording = timeline.recording
        limits = Limits(output=4 * recording.limits.output, memory=recording.limits.memory)
        self.run = Timeline(timeline.program, replace(recording, limits=limits))
        self._floor = max((edit.step for edit in recording.edits), default=0)
        self._bound = self._floor + bound
        self._known = max(self._bound, timeline.known)

    def find(self) -> Recurrence | None:
        at = min(self._floor + _FIRST, self._bound)
        while True:
            last = at >= self._bound
            at = self._known if last else at
            if not self._go_to(at) or not self._go_to_seldom():
                return None
            begun = self.run.step
            limit = begun + self._bound if last else max(2 * at, begun + _NEAR)
            period = self._period(begun, limit)
            if period or last:
                return self._beginning(begun, period) if period else None
            at = min(2 * at, self._bound)

    def _go_to(self, step: int) -> bool:
        """Whether the run gets to ``step`` and beyond."""
        self.run.seek(step, self._look_up)
        return self.run.step == step and self._goes_on(self.run.machine)

    def _go_to_seldom(self) -> bool:
        """Go a little further, to a location that is visited less often than others here."""
        run = self.run
        visits: list[Address] = []
        began = run.step
        for step in range(began, began + _NEAR):
            if run.seek(step) < step or not self._goes_on(run.machine):
                return False
            visits.append(run.machine.location)
        count = Counter(visits)
        best = min(range(_NEAR), key=lambda at: (count[visits[at]], at))
        return self._go_to(began + best)

    def _period(self, begun: int, limit: int) -> int:
        """Steps until the state of step ``begun`` is there again; 0 if not before ``limit``."""
        machine = self.run.machine_at(begun)
        diagnostics, position = self._diagnostics, machine.input_position
        brief, key = diagnostics.brief(machine), diagnostics.key(machine)
        here = StopSet(locations=frozenset({machine.location}))
        pace, ticked = Pace(1000, _SLICE), time.monotonic()
        while machine.steps < limit and machine.input_position == position:
            before, now = machine.steps, time.monotonic()
            status = machine.run(min(pace.slice, limit - before), here)
            pace.ran(machine.steps - before, time.monotonic() - now)
            if status == "stopped":
                if diagnostics.brief(machine) == brief and diagnostics.key(machine) == key:
                    if machine.input_position == position:
                        return machine.steps - begun
            elif status != "running":
                return 0
            if now - ticked > _SLICE:
                ticked = now
                machine.take_printed()
                self._look_up(machine.steps, limit)
        return 0

    def _beginning(self, begun: int, period: int) -> Recurrence | None:
        """The first of the states that come again; ``begun`` is the step of one of them."""
        low, high = self._floor, begun
        while low < high:
            middle = (low + high) // 2
            if self._state(middle) == self._state(middle + period):
                high = middle
            else:
                low = middle + 1
        most = max(self._bound, self._known + period if self._known > self._bound else 0)
        return Recurrence(low, low + period) if low + period <= most else None

    def _state(self, step: int) -> object:
        self.run.seek(step, self._look_up)
        machine = self.run.machine_at(step)
        return machine.input_position, self._diagnostics.key(machine)

    def _look_up(self, done: int, total: int) -> bool:
        tick(self._ticker, min(done, total), total)
        return True

    @staticmethod
    def _goes_on(machine: Machine) -> bool:
        return machine.status not in FINAL and machine.status != "needs_input"
