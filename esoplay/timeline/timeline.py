"""A recorded run with a position, and the checkpoints that make moves fast.

Known history consists of steps 0 to ``known_steps``; running further extends it. Every move uses
:meth:`Timeline.advance`, which saves history, so that a state does not depend on how it was
reached.
"""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from heapq import nsmallest
from itertools import takewhile
from math import inf
from typing import Generic, Protocol, TypeVar

from esolangs.language import OptionValue, Program
from esolangs.limits import MEBIBYTE, UNLIMITED, Limits, World
from esolangs.machine import FINAL, Machine, Part, Status
from esolangs.stops import Address, ReachedGroups, StopSet
from esoplay.timeline.event_steps import EventSteps

# Recordings: the inputs that replay needs

DEBUG_LIMITS = Limits(steps=UNLIMITED, output=2 * MEBIBYTE, memory=256 * MEBIBYTE)
"""The limits in a debugger: the steps are unlimited, but the recorded data is bounded."""


@dataclass(frozen=True, slots=True)
class CellEdit:
    """A change of a cell by the user, after ``step`` steps; replay repeats the change."""

    step: int
    address: Address
    value: int


@dataclass(frozen=True, slots=True)
class Recording:
    """The complete inputs of one run.

    ``stdin`` is all input so far, and ``closed`` says whether the input ends there. ``edits`` are
    sorted by step. ``started`` is the start of the run, in seconds since 1970, for programs that
    read the time.
    """

    language: str
    dialect: str
    options: Mapping[str, OptionValue]
    source: bytes
    stdin: bytes = b""
    closed: bool = True
    seed: int = 0
    limits: Limits = DEBUG_LIMITS
    edits: tuple[CellEdit, ...] = field(default=())
    started: int = 0

    @property
    def world(self) -> World:
        """The program's environment: a constant time, and no files."""
        return World(self.started)


def first_changed_step(old: Recording, new: Recording) -> int | None:
    """Return the step of the first different edit in two versions of a recording, or None."""
    pairs = zip(old.edits, new.edits, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return min((edit.step for edit in (*old.edits[same:], *new.edits[same:])), default=None)


# Pace: the number of steps between two checks of the clock, the ticker and history

_MIN_SLICE = 10  # steps


class StepPacer:
    """Adapts ``slice``, a number of steps, so that running a slice takes about ``seconds``."""

    def __init__(self, first_steps: int, seconds: float, *, fixed: bool = False):
        """Start with a slice of ``first_steps`` steps.

        seconds: how long a slice should take.  fixed: whether the length of slices never changes.
        """
        self._first_steps = first_steps
        self.seconds = seconds
        self._fixed = fixed
        self.slice = first_steps

    def reset(self) -> None:
        """Discard the measured speed, because the next steps may have a different one."""
        self.slice = self._first_steps

    def adapt(self, steps: int, seconds: float) -> None:
        """Adapt the length of a slice to the measured speed: ``steps`` steps took ``seconds``.

        A run that stopped before the end of the slice does not lengthen the slice.
        """
        if self._fixed:
            return
        if seconds > 2 * self.seconds:
            self.slice = max(_MIN_SLICE, int(steps * self.seconds / seconds))
        elif seconds < self.seconds / 2 and steps >= self.slice:
            factor = 8 if seconds < self.seconds / 16 else 2
            self.slice = min(factor * self.slice, UNLIMITED // 2)


# Checkpoints: snapshots along a run that make seeking fast; results never depend on them.
#
# A checkpoint is saved after every few milliseconds of running, more often if saving is cheap; this
# limits the replay to any step. When checkpoints exceed their limits, the checkpoints whose gaps
# are cheapest to replay are dropped first.


class SizedSnapshot(Protocol):
    """A saved state that reports its step and its size in bytes.

    A snapshot may have ``parts`` that it shares with other snapshots (see
    ``esolangs.machine.Part``).
    """

    @property
    def steps(self) -> int: ...
    @property
    def size(self) -> int: ...


SnapshotT = TypeVar("SnapshotT", bound=SizedSnapshot)

MAX_SPACING_SECONDS = 0.010
"""The maximum target spacing of checkpoints, in seconds of replay, if saving one is fast."""

MIN_SPACING_SECONDS = 0.002
"""The minimum target spacing of checkpoints, in seconds of replay."""

# The share of the run time that saving checkpoints takes: 2 % if MAX_SPACING_SECONDS allows.  If a
# save is slow, checkpoints are further apart, so that it is at most 20 %.
_SAVING_SHARE = 0.02
_MAX_SAVING_SHARE = 0.2
_SMOOTHING = 0.25  # weight of the last measured saving time

MAX_CHECKPOINT_BYTES = 48 << 20
"""The maximum number of bytes that all checkpoints of one timeline may occupy."""

MAX_CHECKPOINTS = 10_000
_DROPPED_SHARE = 64  # drop 1 in 64 at a time: finding the cheapest is slow


class Checkpoints(Generic[SnapshotT]):
    """Snapshots in order of their steps; the first one is never dropped."""

    def __init__(self, first: SnapshotT, max_bytes: int = MAX_CHECKPOINT_BYTES):
        self._snapshots = [first]
        self._steps = [first.steps]
        self._seconds = [0.0]  # run time since the previous snapshot
        self._reached: list[ReachedGroups | None] = [None]  # after the previous snapshot
        self._max_bytes = max_bytes
        self._size = 0
        self._uses: dict[Part, int] = {}  # snapshots and parts that directly refer to each part
        self._add_size(first)

    def __len__(self) -> int:
        return len(self._snapshots)

    @property
    def size(self) -> int:
        """The approximate number of bytes that the snapshots occupy."""
        return self._size

    def add(
        self, snapshot: SnapshotT, seconds: float, reached: ReachedGroups | None = None
    ) -> None:
        """Save ``snapshot``, which took ``seconds`` to reach from the previous snapshot.

        reached: the locations reached after the previous snapshot, None if unknown.
        """
        at = bisect_left(self._steps, snapshot.steps)
        if at < len(self._steps):
            if self._steps[at] == snapshot.steps:
                self._add_size(snapshot)
                self._subtract_size(self._snapshots[at])
                self._snapshots[at] = snapshot
                self._set_reached(at, None)
                return
            reached = self._reached[at]  # for both parts of the divided gap
        self._snapshots.insert(at, snapshot)
        self._steps.insert(at, snapshot.steps)
        self._seconds.insert(at, seconds)
        self._reached.insert(at, None)
        self._add_size(snapshot)
        self._set_reached(at, reached)
        while self._is_full and len(self._snapshots) > 2:
            self._drop_cheapest()

    def nearest_before(self, step: int) -> SnapshotT:
        """Return the nearest snapshot at or before ``step``."""
        return self._snapshots[bisect_right(self._steps, step) - 1]

    def steps_between(self, low: int, high: int) -> list[int]:
        """Return the steps of the checkpoints in ``low`` ≤ step < ``high``, ascending."""
        return self._steps[bisect_left(self._steps, low) : bisect_left(self._steps, high)]

    def reached_between(self, low: int, high: int) -> list[ReachedGroups] | None:
        """Return the locations reached in ``low`` < step ≤ ``high``; None if any are unknown."""
        first, last = bisect_right(self._steps, low), bisect_left(self._steps, high)
        found = [each for each in self._reached[first : last + 1] if each is not None]
        return found if len(found) == last + 1 - first else None

    def drop_after(self, step: int) -> None:
        """Drop all snapshots after ``step``."""
        keep = max(1, bisect_right(self._steps, step))
        for at in range(keep, len(self._snapshots)):
            self._subtract_size(self._snapshots[at])
            self._set_reached(at, None)
        del self._snapshots[keep:], self._steps[keep:], self._seconds[keep:], self._reached[keep:]

    def _set_reached(self, index: int, reached: ReachedGroups | None) -> None:
        before = self._reached[index]
        self._size += (reached.size if reached else 0) - (before.size if before else 0)
        self._reached[index] = reached

    def _add_size(self, snapshot: SnapshotT) -> None:
        self._size += snapshot.size
        parts = list(_parts_of(snapshot))
        while parts:
            part = parts.pop()
            uses = self._uses.get(part, 0)
            self._uses[part] = uses + 1
            if not uses:
                self._size += part.size
                parts += part.parts

    def _subtract_size(self, snapshot: SnapshotT) -> None:
        self._size -= snapshot.size
        parts = list(_parts_of(snapshot))
        while parts:
            part = parts.pop()
            uses = self._uses.pop(part)
            if uses > 1:
                self._uses[part] = uses - 1
            else:
                self._size -= part.size
                parts += part.parts

    @property
    def _is_full(self) -> bool:
        return self._size > self._max_bytes or len(self._snapshots) > MAX_CHECKPOINTS

    def _drop_cheapest(self) -> None:
        """Drop the snapshots that are cheapest to compute again.

        The first and last snapshots remain, and no two adjacent ones are dropped.
        """
        seconds = self._seconds
        count = 1 + len(seconds) // _DROPPED_SHARE
        cheapest = nsmallest(
            count, range(1, len(seconds) - 1), key=lambda i: seconds[i] + seconds[i + 1]
        )
        dropped: set[int] = set()
        for at in cheapest:
            if not {at - 1, at + 1} & dropped:
                dropped.add(at)
        for at in sorted(dropped, reverse=True):
            seconds[at + 1] += seconds[at]
            self._subtract_size(self._snapshots[at])
            self._set_reached(at + 1, _union(self._reached[at], self._reached[at + 1]))
            self._set_reached(at, None)
            del self._snapshots[at], self._steps[at], seconds[at], self._reached[at]


def _union(first: ReachedGroups | None, second: ReachedGroups | None) -> ReachedGroups | None:
    """Return the locations in either set; None if a set is unknown or their layouts differ."""
    if first is None or second is None or first.layout != second.layout:
        return None
    return first if first == second else ReachedGroups(first.layout, first.groups | second.groups)


def _parts_of(snapshot: SizedSnapshot) -> tuple[Part, ...]:
    return getattr(snapshot, "parts", ())


_FIRST_SLICE = 100
"""The number of steps in the first slice of a run: few, because every step may be slow."""

FAR = 1 << 62
"""A step number beyond the end of any run."""

Ticker = Callable[[int, int], bool]
"""A function called during a move with the steps done and in total; False cancels the move."""


class MoveCancelled(Exception):
    """The ticker cancelled the move."""


class TimeLimitReached(Exception):
    """A move reached its time limit; the timeline stays at the step reached."""


class TimeBudget:
    """A ticker that raises TimeLimitReached after ``seconds``."""

    def __init__(self, seconds: float, ticker: Ticker | None):
        self.ticker = ticker
        self._deadline = time.monotonic() + seconds

    def __call__(self, done: int, total: int) -> bool:
        if self.ticker is not None and not self.ticker(done, total):
            return False
        if time.monotonic() > self._deadline:
            raise TimeLimitReached
        return True


def with_time_limit(seconds: float, ticker: Ticker | None) -> Ticker | None:
    """Return a ticker that raises TimeLimitReached after ``seconds``, which may be infinite."""
    return ticker if seconds == inf else TimeBudget(seconds, ticker)


def remove_time_limit(ticker: Ticker | None) -> Ticker | None:
    """Return the ticker without its time limit, for work that a timeout must not interrupt."""
    return ticker.ticker if isinstance(ticker, TimeBudget) else ticker


def tick(ticker: Ticker | None, done: int, total: int) -> None:
    """Call ``ticker``; raise MoveCancelled if it returns False."""
    if ticker is not None and not ticker(done, total):
        raise MoveCancelled


class Timeline:
    """A recording with a position that can move in both directions.

    ``known_steps`` is the last step executed so far, ``end`` the last step of the run, or None if
    unknown. ``output`` contains all bytes printed in known history.
    """

    def __init__(self, program: Program, recording: Recording, spacing: int | None = None):
        """Start a run with ``spacing`` steps between checkpoints; None adapts them to the speed."""
        self.program = program
        self.recording = recording
        self._spacing = spacing
        first = spacing or _FIRST_SLICE
        self._pace = StepPacer(first, MIN_SPACING_SECONDS, fixed=spacing is not None)
        # Watching for stops slows down a run by an amount that depends on the stops.
        self._watching_pace = StepPacer(first, MIN_SPACING_SECONDS, fixed=spacing is not None)
        self._saving_seconds = 0.0
        self._watched: StopSet | None = None
        self.machine: Machine = program.start(
            recording.stdin,
            closed=recording.closed,
            seed=recording.seed,
            limits=recording.limits,
            world=recording.world,
        )
        self.machine.patience = MAX_SPACING_SECONDS
        self.machine.record_reached()
        self.apply_edits(self.machine)
        self.checkpoints = Checkpoints(self.machine.snapshot())
        self.known_steps = 0
        self.end: int | None = 0 if self.machine.status in FINAL else None
        self.output = bytearray()
        self.output_steps = EventSteps()
        self.read_steps = EventSteps()
        self._since_checkpoint = 0.0
        self.traced: tuple[Recording, Machine] | None = None
        """The recording and machine of the last trace; see :mod:`esoplay.timeline.provenance`."""

    @property
    def step(self) -> int:
        """The current position: the number of executed steps."""
        return self.machine.steps

    @property
    def status(self) -> Status:
        """The machine's status; a machine that a stop interrupted counts as ``running``."""
        status = self.machine.status
        return "running" if status == "stopped" else status

    def seek(self, step: int, ticker: Ticker | None = None) -> int:
        """Move to ``step``, or to the end if the run is shorter; return the position.

        Raises MoveCancelled, after restoring the position, if ``ticker`` returns False, and
        TimeLimitReached, at the step reached, when its time limit expires.
        """
        step = max(0, step if self.end is None else min(step, self.end))
        before = self.step
        try:
            if not self._can_run_on(step):
                self._replace_machine(step)
            self._run_to(step, ticker)
        except MoveCancelled:
            self._replace_machine(before)
            self._run_to(before, None)
            raise
        return self.step

    def advance(self, target: int, stops: StopSet | None = None) -> Status:
        """Run the current machine for one slice towards ``target``, at most to the first stop.

        Saves the history of these steps. Callers repeat the call, and handle cancellation and
        stops.
        """
        machine = self.machine
        target = min(target, self._next_edit_step(machine.steps))
        if stops is not None and stops is not self._watched:
            self._watched = stops
            self._watching_pace.reset()
        pace = self._pace if stops is None else self._watching_pace
        before, start_time = machine.steps, time.perf_counter()
        status = machine.run(min(pace.slice, target - before), stops)
        seconds = time.perf_counter() - start_time
        if machine.steps == target and status not in FINAL:
            self.apply_edits(machine)  # before a checkpoint of this step is saved
        self._save_history(seconds)
        pace.adapt(machine.steps - before, seconds)
        return status

    def resume(self, step: int, replaced_machine: Machine | None = None) -> Machine:
        """Create a machine in the state of the nearest checkpoint at or before ``step``.

        replaced_machine: a machine of this timeline that the caller no longer uses; the new machine
        may reuse its memory.
        """
        machine = self.program.resume(
            self.checkpoints.nearest_before(step),
            self.recording.stdin,
            closed=self.recording.closed,
            limits=self.recording.limits,
            world=self.recording.world,
            instead_of=replaced_machine,
        )
        machine.patience = MAX_SPACING_SECONDS
        return machine

    def machine_at(self, step: int) -> Machine:
        """Return a separate machine at ``step`` of known history; the timeline does not move."""
        machine = self.resume(step)
        self.replay(machine, step)
        return machine

    def replay(self, machine: Machine, target: int) -> None:
        """Run a machine again up to step ``target``, which the timeline has reached before.

        The machine comes from ``resume``. Recorded edits are applied at their steps.
        """
        while machine.steps < target:
            segment_end = min(target, self._next_edit_step(machine.steps))
            machine.run(segment_end - machine.steps)
            if machine.steps == segment_end:
                self.apply_edits(machine)
            if machine.status in FINAL or machine.status == "needs_input":
                break

    def segment_ends(self, low: int, high: int) -> list[int]:
        """Return the steps between ``low`` and ``high`` with edits by the user, then ``high``.

        They are in ascending order. A replay stops at each of these steps to repeat the edits.
        """
        edits = {edit.step for edit in self.recording.edits if low < edit.step < high}
        return [*sorted(edits), high]

    # Changes of the recording

    def feed(self, data: bytes) -> None:
        """Append typed input to the recording; raise ValueError if the input is closed."""
        if self.recording.closed:
            raise ValueError("the input of this recording is closed")
        self.recording = replace(self.recording, stdin=self.recording.stdin + data)
        self.machine.feed(data)

    def close_input(self) -> None:
        """Mark the end of the input."""
        self.recording = replace(self.recording, closed=True)
        self.machine.close_input()

    def edit(self, address: Address, value: int) -> None:
        """Change a cell at the current step; later history is discarded.

        Raises ValueError if the cell cannot hold the value.
        """
        self.machine.poke(address, value)
        here = self.step
        edits = tuple(edit for edit in self.recording.edits if edit.step <= here)
        self.recording = replace(self.recording, edits=(*edits, CellEdit(here, address, value)))
        self.checkpoints.drop_after(here)
        self.checkpoints.add(
            self.machine.snapshot(), self._since_checkpoint, self.machine.take_reached()
        )
        self.known_steps, self.end = here, None
        length = self.machine.output_length
        del self.output[length:]
        self.output_steps.truncate(length)
        self.read_steps.truncate(self.machine.input_position)

    def with_input(self, stdin: bytes, closed: bool, ticker: Ticker | None = None) -> Timeline:
        """Return a timeline with other input, at the same step if possible.

        Raises MoveCancelled if ``ticker`` returns False.
        """
        return self._copy(replace(self.recording, stdin=stdin, closed=closed), ticker)

    def without_last_edits(self, count: int = 1, ticker: Ticker | None = None) -> Timeline:
        """Return a timeline without the last ``count`` edits, at the same step if possible.

        Raises ValueError if no cell was set by hand, and MoveCancelled if ``ticker`` returns False.
        """
        if not self.recording.edits:
            raise ValueError("no cell was set by hand")
        return self._copy(replace(self.recording, edits=self.recording.edits[:-count]), ticker)

    def fork(self, ticker: Ticker | None = None) -> Timeline:
        """Return a timeline with the same recording and position.

        Raises MoveCancelled if ``ticker`` returns False.
        """
        return self._copy(self.recording, ticker)

    def copy_at_start(self) -> Timeline:
        """Return a timeline with the same recording, at step 0."""
        return Timeline(self.program, self.recording, self._spacing)

    def _copy(self, recording: Recording, ticker: Ticker | None) -> Timeline:
        twin = Timeline(self.program, recording, self._spacing)
        twin.seek(self.step, ticker)
        return twin

    # Queries

    def step_that_printed(self, index: int) -> int | None:
        """Return the step that printed output byte ``index``, or None if unknown."""
        return _step_at(self.output_steps, index)

    def step_that_read(self, index: int) -> int | None:
        """Return the step that read input byte ``index``, or None if unknown."""
        return _step_at(self.read_steps, index)

    def _can_run_on(self, step: int) -> bool:
        """Return whether running on to ``step`` is at least as fast as resuming a checkpoint."""
        return self.checkpoints.nearest_before(step).steps <= self.step <= step

    def _replace_machine(self, step: int) -> None:
        """Continue with a machine at the nearest checkpoint at or before ``step``."""
        before = self.step
        try:
            self.machine = self.resume(step, replaced_machine=self.machine)
        except BaseException:
            if self.step != before:  # the old machine was changed
                self.machine = self.resume(0)
                self.machine.record_reached()
            raise
        self.machine.record_reached()

    def _run_to(self, step: int, ticker: Ticker | None) -> None:
        start_step = self.step
        while self.step < step:
            status = self.advance(step)
            if status in FINAL or status == "needs_input":
                return
            if ticker is not None and not ticker(self.step - start_step, step - start_step):
                raise MoveCancelled
        if self.step == self.end:
            self.machine.run(1)  # runs no step, but sets the final status

    def _save_history(self, seconds: float) -> None:
        machine = self.machine
        printed, steps = machine.take_printed()
        reads = machine.take_reads()
        if machine.steps > self.known_steps:
            new = machine.output_length - len(self.output)
            if new > 0:
                self.output += printed[-new:]
                self.output_steps.extend(steps if new == len(steps) else steps[-new:])
            new = machine.input_position - len(self.read_steps)
            if new > 0:
                self.read_steps.extend(reads[-new:])
            self.known_steps = machine.steps
            self._since_checkpoint += seconds
            least = max(self._pace.seconds / 2, self._required_seconds)
            if self._spacing or self._since_checkpoint >= least:
                self._save_checkpoint()
        if machine.status in FINAL:
            self.end = self.known_steps = machine.steps

    @property
    def _required_seconds(self) -> float:
        """The minimum seconds between checkpoints; more frequent saving would slow the run."""
        return self._saving_seconds / _MAX_SAVING_SHARE

    def _save_checkpoint(self) -> None:
        """Save a checkpoint; a slow save delays the next checkpoint."""
        start_time = time.perf_counter()
        self.checkpoints.add(
            self.machine.snapshot(), self._since_checkpoint, self.machine.take_reached()
        )
        self._since_checkpoint = 0.0
        seconds = time.perf_counter() - start_time
        self._saving_seconds += (seconds - self._saving_seconds) * _SMOOTHING
        preferred = min(MAX_SPACING_SECONDS, self._saving_seconds / _SAVING_SHARE)
        spacing_seconds = max(MIN_SPACING_SECONDS, preferred, self._required_seconds)
        self._pace.seconds = self._watching_pace.seconds = spacing_seconds

    def _next_edit_step(self, step: int) -> int:
        edits = self.recording.edits
        at = bisect_right(edits, step, key=lambda edit: edit.step)
        return edits[at].step if at < len(edits) else UNLIMITED

    def apply_edits(self, machine: Machine) -> None:
        """Apply the user's edits at the machine's current step."""
        for edit in self.recording.edits:
            if edit.step == machine.steps:
                machine.poke(edit.address, edit.value)


def _step_at(steps: EventSteps, index: int) -> int | None:
    return steps[index] if 0 <= index < len(steps) else None
