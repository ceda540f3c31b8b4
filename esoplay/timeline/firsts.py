"""Where every instruction was about to be executed for the first time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from weakref import WeakKeyDictionary

from esolangs.machine import Machine
from esolangs.stops import Address, StopSet
from esoplay.timeline.pace import Pace
from esoplay.timeline.places import instructions_of
from esoplay.timeline.recording import Recording, first_change
from esoplay.timeline.timeline import Cancelled, Ticker, Timeline

_SLICE = 0.05  # seconds of running between two calls of a ticker
_FIRST = 1000  # steps of a first slice
_WASTED = 16  # stops at what is known already, after which it is not watched for any more


class Firsts:
    """First arrivals at the instructions of one timeline's source, found once and kept."""

    def __init__(self, timeline: Timeline) -> None:
        self._recording: Recording = timeline.recording
        self._all = instructions_of(timeline.program)
        self._found: dict[Address, int] = {}
        self._machine: Machine | None = None
        self._upto = -1

    def until(
        self, timeline: Timeline, step: int, ticker: Ticker | None = None
    ) -> Mapping[Address, int]:
        """By location the first of the states 0 to ``step`` in which it came next; more may be
        known already.  Raises Cancelled.
        """
        self._forget_the_changed(timeline)
        step = min(step, timeline.known)
        if self._upto < step:
            machine = self._machine or timeline.machine_at(max(0, self._upto))
            self._machine = None
            self._note(machine)
            self._search(timeline, machine, step, ticker)
            self._machine = machine
        return self._found

    def _search(
        self, timeline: Timeline, machine: Machine, step: int, ticker: Ticker | None
    ) -> None:
        began, wasted, pace = machine.steps, 0, Pace(_FIRST, _SLICE)
        unseen = StopSet(locations=self._all - self._found.keys())
        for leg in timeline.legs(began, step):
            while machine.steps < leg:
                before, started = machine.steps, time.perf_counter()
                status = machine.run(min(pace.slice, leg - before), unseen)
                machine.take_printed()
                machine.take_reads()
                if machine.steps == before:
                    return
                if status == "running":
                    pace.ran(machine.steps - before, time.perf_counter() - started)
                if machine.steps < leg:
                    wasted += not self._note(machine)
                if wasted > _WASTED + len(self._all) // 16:
                    unseen, wasted = StopSet(locations=self._all - self._found.keys()), 0
                if ticker is not None and not ticker(machine.steps - began, step - began):
                    raise Cancelled
            timeline.apply_edits(machine)
            self._note(machine)

    def _note(self, machine: Machine) -> bool:
        """Whether the machine is about to execute something for the first time."""
        self._upto = machine.steps
        at = machine.location
        return at in self._all and self._found.setdefault(at, machine.steps) == machine.steps

    def _forget_the_changed(self, timeline: Timeline) -> None:
        recording = timeline.recording
        if recording is self._recording:
            return
        edited = first_change(self._recording, recording)
        self._recording, self._machine = recording, None
        if edited is not None and edited <= self._upto:
            self._found = {at: step for at, step in self._found.items() if step < edited}
            self._upto = edited - 1


def firsts_of(timeline: Timeline) -> Firsts:
    """The first arrivals of a timeline, as long as that is kept."""
    firsts = _FIRSTS.get(timeline)
    if firsts is None:
        firsts = _FIRSTS[timeline] = Firsts(timeline)
    return firsts


_FIRSTS: WeakKeyDictionary[Timeline, Firsts] = WeakKeyDictionary()
