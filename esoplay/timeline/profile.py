"""Execution counts of every instruction up to a step.

Tallies are saved along the run, like snapshots. A query counts only from the nearest saved tally.
"""

from __future__ import annotations

import time
from weakref import WeakKeyDictionary

from esolangs.machine import Machine
from esolangs.tally import Tally
from esoplay.timeline.timeline import (
    MAX_SPACING_SECONDS,
    Checkpoints,
    MoveCancelled,
    Recording,
    StepPacer,
    Ticker,
    Timeline,
    first_changed_step,
)

MAX_TALLY_BYTES = 32 << 20
"""The maximum number of bytes of the tallies (execution counts) saved for one timeline."""

_FIRST_SLICE_STEPS = 1000  # steps of the first slice


class Profile:
    """Counts how often each instruction of one timeline was executed, and caches the tallies.

    A tally has the counts up to one step. Callers pass the timeline to each query.
    """

    def __init__(self, timeline: Timeline) -> None:
        self._recording: Recording = timeline.recording
        self._last: Tally = timeline.program.new_tally()
        self._machine: Machine | None = None  # at the end of the last tally
        self._since = 0.0  # seconds of counting since a tally was saved
        self._tallies: Checkpoints[Tally] = Checkpoints(self._last, MAX_TALLY_BYTES)

    def tally_at(self, timeline: Timeline, step: int, ticker: Ticker | None = None) -> Tally:
        """Return how often steps 1 to ``step`` executed each instruction.

        The caller must not change the tally. If ``step`` is past the end of known history, the
        tally counts all known steps. Raises MoveCancelled if ``ticker`` returns False; tallies
        saved by then remain valid.
        """
        self._discard_invalid(timeline)
        step = max(0, min(step, timeline.known_steps))
        if self._last.steps == step:
            return self._last
        nearest, machine = self._tallies.nearest_before(step), None
        if nearest.steps <= self._last.steps <= step:
            nearest, machine = self._last, self._machine
        else:
            self._since = 0.0
        tally = nearest.copy()
        self._machine = None  # unset while it is not at the end of the last tally
        machine = machine or timeline.machine_at(nearest.steps)
        self._count(timeline, machine, tally, step, ticker)
        self._machine, self._last = machine, tally
        return tally

    def _count(
        self, timeline: Timeline, machine: Machine, tally: Tally, step: int, ticker: Ticker | None
    ) -> None:
        pace = StepPacer(_FIRST_SLICE_STEPS, MAX_SPACING_SECONDS)
        start_step = tally.steps
        for segment_end in timeline.segment_ends(start_step, step):
            while machine.steps < segment_end:
                before, started = machine.steps, time.perf_counter()
                machine.tally(min(pace.slice, segment_end - before), tally)
                seconds = time.perf_counter() - started
                machine.take_printed()
                machine.take_reads()
                if machine.steps == before:
                    return
                pace.adapt(machine.steps - before, seconds)
                self._since += seconds
                if self._since >= MAX_SPACING_SECONDS:
                    self._tallies.add(tally.copy(), self._since)
                    self._since = 0.0
                if ticker is not None and not ticker(machine.steps - start_step, step - start_step):
                    raise MoveCancelled
            timeline.apply_edits(machine)

    def _discard_invalid(self, timeline: Timeline) -> None:
        """Discard tallies after the first edit that was added or removed since the last call.

        Any change of the recording also discards the machine.
        """
        recording = timeline.recording
        if recording is self._recording:
            return
        edited = first_changed_step(self._recording, recording)
        self._recording, self._machine = recording, None
        if edited is not None:
            self._tallies.drop_after(edited)
            if self._last.steps > edited:
                self._last = self._tallies.nearest_before(edited)


def cached_profile(timeline: Timeline) -> Profile:
    """Return the profile of a timeline, which is cached as long as the timeline exists."""
    profile = _PROFILES.get(timeline)
    if profile is None:
        profile = _PROFILES[timeline] = Profile(timeline)
    return profile


_PROFILES: WeakKeyDictionary[Timeline, Profile] = WeakKeyDictionary()
