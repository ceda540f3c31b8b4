"""The first differences between two runs that differ in input, program version or dialect.

Runs of the same program text are compared step by step: the executed instruction, its writes, reads
and output, and the next location.  Steps before the first read of a different input byte are equal
and are skipped quickly.  For runs of different texts, only the output is compared.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from esolangs.machine import FINAL, Machine
from esolangs.numbers import abbreviate
from esolangs.source import common_prefix
from esolangs.stops import Step
from esoplay.timeline.places import address_text
from esoplay.timeline.stops import ending_reason
from esoplay.timeline.timeline import Ticker, Timeline, tick

# Two runs of the same text, step by step

Kind = Literal["input", "state", "output", "path", "end"]

_EXACT_STEPS = 100_000  # steps compared individually before comparison by slices
_EXACT_STEPS_AFTER = 30_000  # the same, after the first difference
_CHUNK = 10_000  # steps of a slice
_TICK_SECONDS = 0.02  # seconds between two calls of a ticker


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One of two compared runs, at a difference: the state after ``step`` steps.

    ``instruction`` is the next instruction, "" at the end; ``what`` describes an effect that only
    this run had.
    """

    step: int
    place: str
    instruction: str
    explanation: str
    what: str


@dataclass(frozen=True, slots=True)
class RunDifference:
    """A difference between two runs.

    ``kind`` is ``input`` if a step read different values, ``state`` if it stored different values,
    ``output`` if it printed different bytes, ``path`` if the next instructions differ, and ``end``
    if only one run ends or the runs end differently.
    """

    kind: Kind
    this: ComparedRun
    other: ComparedRun


class Lockstep:
    """Compares two runs of the same program text by running two machines side by side.

    ``path_difference`` is the first difference of paths. ``exact``: whether all steps before the
    differences were compared; ``skipped``: whether any step was not compared.
    """

    def __init__(self, this: Timeline, other: Timeline, ticker: Ticker | None):
        self._runs = this, other
        self._ticker = ticker
        self._ticked = time.monotonic()
        self._diagnostics = this.program.language.diagnostics()
        self._machines = [this.machine_at(0), other.machine_at(0)]
        self._compared = 0  # steps that were compared one by one
        self._exact_steps_left = _EXACT_STEPS
        self.skipped = False
        self._diverged = False
        self.first_difference: RunDifference | None = None
        self.path_difference: RunDifference | None = None
        self.exact = True

    def run(self, low: int, high: int) -> None:
        """Compare steps ``low`` to ``high`` of the runs, and record the first differences.

        If no difference is recorded yet, the runs must be equal up to ``low``.
        """
        if self.first_difference is None and self._machines[0].steps < low:
            self._machines = [run.machine_at(low) for run in self._runs]
        while not self._diverged and self._machines[0].steps < high:
            end = min(high, self._machines[0].steps + _CHUNK)
            if self._compared >= self._exact_steps_left:
                ahead = [run.machine_at(min(end, run.known_steps)) for run in self._runs]
                looks = [
                    self._compared_state(machine, self.first_difference is None)
                    for machine in ahead
                ]
                if looks[0] == looks[1] and ahead[0].steps == end:
                    self.skipped = True
                    self._machines = ahead
                    self._tick(end, high)
                    continue
            self._diverged = not self._run_steps(self._machines, end, high)

    def _compared_state(self, machine: Machine, whole: bool = True) -> object:
        """Return the values of a state that are compared with the other run.

        They are the step, the location and the length of the output. If ``whole``, they include the
        ``partial_key`` of the state in languages that define it.
        """
        if not whole or self._diagnostics is None:
            return machine.steps, machine.location, machine.output_length
        brief = self._diagnostics.partial_key(machine)
        return machine.steps, machine.location, machine.output_length, brief

    def _run_steps(self, machines: list[Machine], end: int, high: int) -> bool:
        """Run both machines step by step; return whether they reach ``end`` on the same path.

        high: the last step to compare, which is needed only to report progress.
        """
        this, other = machines
        while this.steps < end:
            self._compared += 1
            steps = [machine.step() for machine in machines]
            for run, machine in zip(self._runs, machines, strict=True):
                run.apply_edits(machine)
            a, b = steps
            if a is None or b is None:
                if (a is None) != (b is None):
                    self._record("end", machines, _ending_text(a, this), _ending_text(b, other))
                return False
            kind = _difference_kind(a, b)
            if kind is not None:
                self._record(kind, machines, _effect_text(kind, a), _effect_text(kind, b))
            elif (
                self._compared_state(this) != self._compared_state(other)
                and this.location == other.location
            ):
                self._record("state", machines, "its state differs", "its state differs")
            if this.location != other.location:
                place = "it continues at a different place"
                self._record("path", machines, place, place)
                return False
            self._tick(this.steps, high)
        return True

    def _record(self, kind: Kind, machines: list[Machine], effect: str, other_effect: str) -> None:
        if self.first_difference is not None and kind not in ("path", "end"):
            return
        this, other = self._runs
        sides = (
            compared_run(this, machines[0], effect),
            compared_run(other, machines[1], other_effect),
        )
        difference = RunDifference(kind, *sides)
        self.exact = self.exact and not self.skipped
        if self.first_difference is None:
            self.first_difference = difference
            self._exact_steps_left = self._compared + _EXACT_STEPS_AFTER
        if kind == "path":
            self.path_difference = difference

    def _tick(self, done: int, total: int) -> None:
        if time.monotonic() - self._ticked > _TICK_SECONDS:
            self._ticked = time.monotonic()
            tick(self._ticker, done, total)


def _difference_kind(a: Step, b: Step) -> Kind | None:
    """Return the kind of difference between two steps, or None if they are equal."""
    if a.printed != b.printed:
        return "output"
    if a.read != b.read:
        return "input"
    return None if a.location == b.location and stored_values(a) == stored_values(b) else "state"


def stored_values(step: Step) -> object:
    """Return the values that a step stored, with their places."""
    return step.pushes, [(write.address, write.new) for write in step.writes]


def _effect_text(kind: Kind, step: Step) -> str:
    """Describe what a step printed, read or wrote, depending on the kind of difference."""
    number = f"step {step.number:,}"
    if kind == "output":
        return f"{number} printed {quoted_bytes(step.printed) if step.printed else 'nothing'}"
    if kind == "input":
        if step.read is None:
            return f"{number} read nothing"
        return f"{number} read {quoted_bytes(step.read) if step.read else 'the end of the input'}"
    writes = ", ".join(
        f"{abbreviate(write.new)} to cell {address_text(write.address)}"
        for write in step.writes[:3]
    )
    return f"{number} wrote {writes or 'nothing'}"


def _ending_text(step: Step | None, machine: Machine) -> str:
    if step is not None:
        return "it continues"
    return "it has ended" if machine.status in FINAL else "it waits for input"


def compared_run(timeline: Timeline, machine: Machine, effect: str) -> ComparedRun:
    """Describe one of two runs at a difference between them.

    ``machine`` is in the state of the run at the difference. ``effect`` says what this run did.
    """
    at = machine.view().location
    if isinstance(at.address, tuple) and len(at.address) == 2:
        place = f"at ({address_text(at.address)})"
    else:
        place = f"line {at.line}, column {at.column}"
    return ComparedRun(
        machine.steps, place, " ".join(at.readable_instruction.split()), at.explanation, effect
    )


def quoted_bytes(data: bytes) -> str:
    """Return bytes in quotes, at most the first 40."""
    return repr(data[:40])[1:]


BUDGET = 10_000_000
"""The default maximum number of steps to compare in each run."""

_FIRST_SLICE = 5_000  # steps to the first comparison of outputs
_SLICE = 200_000  # maximum number of steps between two comparisons of outputs
_STEPS_AFTER = 300_000  # steps after a difference that are searched for another one


@dataclass(frozen=True, slots=True)
class RunComparison:
    """The result of comparing two runs: their first differences, and how much was compared.

    ``differences``: the first difference, then the first of the path and of the output.
    ``same_program``: whether steps were compared, not only output. ``steps``: the number of
    compared steps in each run. ``complete``: whether both runs ended, or wait for input, within
    these steps. ``exact``: whether every step before a difference was compared.
    """

    differences: tuple[RunDifference, ...]
    same_program: bool
    steps: tuple[int, int]
    complete: bool
    exact: bool = True


def compare(
    this: Timeline, other: Timeline, budget: int = BUDGET, ticker: Ticker | None = None
) -> RunComparison:
    """Return the first differences between two runs; both timelines stay at their step.

    Raises MoveCancelled if ``ticker`` returns False.
    """
    before = this.step, other.step
    try:
        return _compare(this, other, budget, ticker)
    finally:
        this.seek(before[0])
        other.seek(before[1])


def _compare(this: Timeline, other: Timeline, budget: int, ticker: Ticker | None) -> RunComparison:
    same = _language_and_source(this) == _language_and_source(other)
    lockstep = Lockstep(this, other, ticker) if same else None
    target, slice, limit = 0, _FIRST_SLICE, budget
    output: RunDifference | None = None
    while target < limit:
        target = min(target + slice, limit)
        slice = min(2 * slice, _SLICE)
        this.seek(target)
        other.seek(target)
        tick(ticker, target, budget)
        if lockstep is not None and lockstep.path_difference is None:
            lockstep.run(_surely_equal_steps(this, other, target), target)
            if lockstep.first_difference is not None:
                limit = min(limit, _difference_step(lockstep.first_difference) + _STEPS_AFTER)
        output = _output_difference(this, other)
        if output is not None or (_has_ended_by(this, target) and _has_ended_by(other, target)):
            break
    found: list[RunDifference] = []
    if lockstep is not None:
        found += [
            each
            for each in (lockstep.first_difference, lockstep.path_difference)
            if each is not None
        ]
    if output is not None and (not found or found[0].kind != "output"):
        found.append(output)
    if not found:
        found += _ending_differences(this, other)
    steps = min(this.known_steps, target), min(other.known_steps, target)
    complete = all(_has_ended_by(each, target) for each in (this, other))
    exact = lockstep is None or (lockstep.exact and not (lockstep.skipped and not found))
    return RunComparison(tuple(dict.fromkeys(found)), same, steps, complete, exact)


def _difference_step(difference: RunDifference) -> int:
    return max(difference.this.step, difference.other.step)


def _language_and_source(timeline: Timeline) -> tuple[str, bytes]:
    return timeline.recording.language, timeline.recording.source


def _has_ended_by(timeline: Timeline, target: int) -> bool:
    """Return whether a run ended at or before step ``target``, or waits for input before that.

    The caller must have moved the run to ``target``.
    """
    return timeline.step < target or timeline.step == timeline.end


def _surely_equal_steps(this: Timeline, other: Timeline, target: int) -> int:
    """Return a number of steps from the start, at most ``target``, in which both runs are equal."""
    a, b = this.recording, other.recording
    if (dict(a.options), a.seed, a.edits, a.started) != (
        dict(b.options),
        b.seed,
        b.edits,
        b.started,
    ):
        return 0
    shared = common_prefix(a.stdin, b.stdin)
    reads = [step for each in (this, other) if (step := each.step_that_read(shared)) is not None]
    return min([*reads, this.known_steps, other.known_steps, target]) - 1 if target else 0


def _output_difference(this: Timeline, other: Timeline) -> RunDifference | None:
    """Return the first known difference between the outputs of two runs, or None."""
    a, b = this.output, other.output
    at = common_prefix(a, b)
    sides: list[ComparedRun] = []
    for mine, timeline in ((a, this), (b, other)):
        if at < len(mine):
            step = timeline.output_steps[at]
            what = f"step {step:,} printed {_byte_text(mine[at])} as output byte {at:,}"
        elif at == len(a) == len(b) or timeline.end is None:
            return None  # the run may still print that byte
        else:
            step = timeline.end
            what = f"it ended before output byte {at:,}"
        sides.append(compared_run(timeline, timeline.machine_at(step), what))
    return RunDifference("output", sides[0], sides[1])


def _ending_differences(this: Timeline, other: Timeline) -> list[RunDifference]:
    """Return the difference between the ends of two runs with equal output, in a list, or []."""
    if this.end is None and this.status != "needs_input":
        return []
    if other.end is None and other.status != "needs_input":
        return []
    machines = [each.machine_at(each.known_steps) for each in (this, other)]
    endings: list[str] = []
    for each in (this, other):
        each.seek(each.known_steps)
        each.machine.run(1)
        endings.append(ending_reason(each).text)
    fault = [each.machine.fault for each in (this, other)]
    kinds = [None if each is None else each.kind for each in fault]
    if this.machine.status == other.machine.status and kinds[0] == kinds[1]:
        return []
    sides = [
        compared_run(each, machine, what)
        for each, machine, what in zip((this, other), machines, endings, strict=True)
    ]
    return [RunDifference("end", sides[0], sides[1])]


def _byte_text(value: int) -> str:
    return quoted_bytes(bytes([value]))


# The equal steps of two versions of a program.
#
# Steps are equal if their instructions have the same text, and they read, printed and stored the
# same values. The location is ignored, because a comment above the instruction may have changed.

_PREFIX_TICK_SECONDS = 0.005  # seconds between two calls of a ticker
_CLOCK_INTERVAL = 64  # steps between two reads of the clock


def count_common_steps(
    this: Timeline, other: Timeline, limit: int, ticker: Ticker | None = None
) -> int:
    """Count the equal steps from the start of both runs, up to ``limit``.

    Positions do not change. Raises MoveCancelled if ``ticker`` returns False.
    """
    a, b = this.machine_at(0), other.machine_at(0)
    texts = this.program.source, other.program.source
    ticked = time.monotonic()
    for done in range(limit):
        mine, theirs = a.step(), b.step()
        if mine is None or theirs is None:
            return done
        if (
            texts[0][slice(*mine.span)] != texts[1][slice(*theirs.span)]
            or mine.printed != theirs.printed
            or mine.read != theirs.read
            or stored_values(mine) != stored_values(theirs)
        ):
            return done
        if done % _CLOCK_INTERVAL == 0 and time.monotonic() - ticked > _PREFIX_TICK_SECONDS:
            ticked = time.monotonic()
            tick(ticker, done, limit)
    return limit
