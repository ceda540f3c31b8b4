"""The fault doctor: findings with advice on why a run ended or does not end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from esolangs.diagnosis import Diagnostics, Store
from esolangs.limits import Limits
from esolangs.machine import FINAL, Machine, Status
from esolangs.stops import Address, StopSet
from esolangs.wording import plural
from esoplay.timeline.places import address_text
from esoplay.timeline.stops import stopped_machines
from esoplay.timeline.timeline import StepPacer, Ticker, Timeline, tick

# How a run ended: a fault, a limit, a wait for input, or by itself.  The certainty of a finding is
# *proved* if it follows from the rules of the machine, *observed* if it was seen in this run, and
# *possible* if it is a guess.

Certainty = Literal["proved", "observed", "possible"]

_WINDOW = 2_000  # steps of one window of a backward search
_WINDOWS = 20  # maximum number of windows


@dataclass(frozen=True, slots=True)
class DiagnosedStep:
    """A step that is relevant to a finding, with a description."""

    step: int
    description: str


@dataclass(frozen=True, slots=True)
class DiagnosisFinding:
    """A statement about a run, such as why it ended, with its certainty and advice.

    ``kind`` is a stable word, ``text`` a sentence, ``advice`` a suggestion or "".  ``moments`` are
    the relevant steps, ascending.
    """

    kind: str
    certainty: Certainty
    text: str
    advice: str
    moments: tuple[DiagnosedStep, ...] = ()


def ending_findings(
    timeline: Timeline, machine: Machine, diagnostics: Diagnostics | None, *, brief: bool = False
) -> Iterator[DiagnosisFinding]:
    """Yield findings on how a run ended; ``brief`` searches only the last steps for causes."""
    windows = 1 if brief else _WINDOWS
    here, fault, limits = timeline.known_steps, machine.fault, timeline.recording.limits
    if fault is not None:
        advice = diagnostics.advice.get(fault.kind, "") if diagnostics else ""
        text = f"line {fault.line}, column {fault.column}: {fault.message}"
        moments = [DiagnosedStep(here, "the fault")]
        store = diagnostics.underflowed_store(machine) if diagnostics else None
        if diagnostics is not None and store is not None:
            level = diagnostics.value_count(machine, store)
            said, emptied = _find_removal(timeline, diagnostics, store, level, windows)
            text = f"{text}; {said}" if said else text
            moments[:0] = emptied
        yield DiagnosisFinding(fault.kind, "observed", text, advice, tuple(moments))
    elif machine.limit == "steps":
        yield DiagnosisFinding(
            "step_limit",
            "observed",
            limits.reached_message(machine.limit),
            "check whether the last steps repeat; if the program is correct, raise the step limit",
            (DiagnosedStep(here, "the last step allowed"),),
        )
    elif machine.limit == "output":
        yield DiagnosisFinding(
            "output_limit",
            "observed",
            limits.reached_message(machine.limit),
            "look for a loop that prints and never ends",
            _first_output(timeline),
        )
    elif machine.limit == "memory":
        yield DiagnosisFinding(
            "memory_limit",
            "observed",
            limits.reached_message(machine.limit),
            "look for a loop that moves to new cells, or stores more than it removes",
            (DiagnosedStep(here, "the step that exceeds the memory limit"),),
        )
    elif machine.limit == "work":
        yield DiagnosisFinding(
            "work_limit",
            "observed",
            limits.reached_message(machine.limit),
            "check which numbers grow; if the program is correct, raise the work limit",
            (DiagnosedStep(here, "the step that exceeds the work limit"),),
        )
    elif machine.status == "needs_input":
        yield DiagnosisFinding(
            "needs_input",
            "observed",
            "the program waits for input, "
            f"after reading {plural(len(timeline.read_steps), 'byte')}",
            "type the input, or end it",
            (DiagnosedStep(here, "the read that waits"),),
        )
    elif machine.status == "halted":
        yield DiagnosisFinding(
            "ended", "observed", f"the program ended by itself after {plural(here, 'step')}", ""
        )


def _first_output(timeline: Timeline) -> tuple[DiagnosedStep, ...]:
    return (
        (DiagnosedStep(timeline.output_steps[0], "the first byte of the output"),)
        if timeline.output
        else ()
    )


def _find_removal(
    timeline: Timeline, diagnostics: Diagnostics, store: Store, level: int, max_windows: int
) -> tuple[str, list[DiagnosedStep]]:
    """Find the last step that removed a value from the store that had too few values at a fault.

    store: the stack or other store.  level: the number of values in it at the fault.  max_windows:
    how many times ``_WINDOW`` steps are searched, at most.  Returns a description, "" if the cause
    was not found, and the step, if there is one.
    """
    high = timeline.known_steps
    for _ in range(max_windows):
        low = max(0, high - _WINDOW)
        machine = timeline.machine_at(low)
        levels = [diagnostics.value_count(machine, store)]
        for each in stopped_machines(timeline, StopSet(every=True), low, high):
            levels.append(diagnostics.value_count(each, store))
        fallen = [low + at for at, (a, b) in enumerate(pairwise(levels), 1) if b < a]
        if fallen:
            step = fallen[-1]
            who = _instruction(timeline.machine_at(step - 1))
            left = "emptied" if not level else f"left with {plural(level, 'entry', 'entries')}"
            said = f"{store.name} was {left} by step {step:,}, {who}"
            return said, [DiagnosedStep(step, f"{store.name} was {left}")]
        if low == 0:
            return ("" if level else f"nothing was ever pushed to {store.name}"), []
        high = low
    return "", []


def _instruction(machine: Machine) -> str:
    at = machine.view().location
    text = " ".join(at.readable_instruction.split())
    text = text if len(text) <= 40 else text[:39] + "…"
    place = (
        f"at ({address_text(at.address)})"
        if isinstance(at.address, tuple)
        else f"at line {at.line}, column {at.column}"
    )
    return f"{text!r} {place}" if text else f"the instruction {place}"


# Recurrence: a state that repeats, which proves that a run never ends.
#
# A machine is deterministic, so everything repeats after the second occurrence if no input is read
# in between; the position in the input is therefore part of the compared state.
#
# The search is Brent's cycle detection: a state is saved, the run continues, and the first equal
# state gives the period; after a power of two of steps, a later state is saved instead.  Only
# states at the same location can be equal, so the engine runs at full speed between visits to that
# location, and compares whole states only if a part that is quick to compare is equal.  The first
# repeated state is found by bisection over checkpoints, as all states after a repeated one repeat
# as well.
#
# The step limit is ignored: the search is about the program, not its budget.

_FIRST_INTERVAL = 64  # steps to the first saved state
_NEARBY_STEPS = 256  # steps among which one at a rarely visited location is chosen
_SLICE_SECONDS = 0.02  # seconds between two calls of a ticker


@dataclass(frozen=True, slots=True)
class Recurrence:
    """The earliest repeated state: the states after ``first`` and ``second`` steps are equal.

    The position in the input is the same in both.
    """

    first: int
    second: int

    @property
    def period(self) -> int:
        """The number of steps from the first of the two equal states to the second."""
        return self.second - self.first


@dataclass(frozen=True, slots=True)
class LookAheadResult:
    """The result of searching the future of a run for a repeated state.

    ``recurrence`` is the first repeated state; None does not mean that the run ends. ``steps`` is
    the last searched step, ``status`` the machine's status after it.
    """

    recurrence: Recurrence | None
    steps: int
    status: Status


def look_ahead(timeline: Timeline, bound: int, ticker: Ticker | None = None) -> LookAheadResult:
    """Find the first repeated state within ``bound`` steps after the last edit.

    If known history is longer, a state near its end that recurs within about ``bound`` more steps
    is also detected; the result is then the first state of that repetition. The position does not
    change; recorded edits are applied. Raises MoveCancelled if ``ticker`` returns False.
    """
    diagnostics = timeline.program.language.diagnostics()
    if diagnostics is None:
        return LookAheadResult(None, timeline.known_steps, "running")
    search = _RecurrenceSearch(timeline, diagnostics, bound, ticker)
    found = search.find()
    return LookAheadResult(found, search.run.known_steps, search.run.status)


class _RecurrenceSearch:
    def __init__(
        self, timeline: Timeline, diagnostics: Diagnostics, bound: int, ticker: Ticker | None
    ):
        self._diagnostics = diagnostics
        self._ticker = ticker
        recording = timeline.recording
        given = recording.limits
        limits = Limits(output=4 * given.output, memory=given.memory, work=given.work)
        self.run = Timeline(timeline.program, replace(recording, limits=limits))
        self._floor = max((edit.step for edit in recording.edits), default=0)
        self._bound = self._floor + bound
        self._search_end = max(self._bound, timeline.known_steps)

    def find(self) -> Recurrence | None:
        at = min(self._floor + _FIRST_INTERVAL, self._bound)
        while True:
            last = at >= self._bound
            at = self._search_end if last else at
            if not self._move_to(at) or not self._move_to_rare_location():
                return None
            start_step = self.run.step
            limit = start_step + self._bound if last else max(2 * at, start_step + _NEARBY_STEPS)
            period = self._find_period(start_step, limit)
            if period or last:
                return self._first_repeated(start_step, period) if period else None
            at = min(2 * at, self._bound)

    def _move_to(self, step: int) -> bool:
        """Move to ``step``; return False if the run ends there or earlier, or waits for input."""
        self.run.seek(step, self._tick)
        return self.run.step == step and self._is_running(self.run.machine)

    def _move_to_rare_location(self) -> bool:
        """Continue to a rarely visited location; return False if the run ends or waits first."""
        run = self.run
        visits: list[Address] = []
        start_step = run.step
        for step in range(start_step, start_step + _NEARBY_STEPS):
            if run.seek(step) < step or not self._is_running(run.machine):
                return False
            visits.append(run.machine.location)
        count = Counter(visits)
        best = min(range(_NEARBY_STEPS), key=lambda at: (count[visits[at]], at))
        return self._move_to(start_step + best)

    def _find_period(self, start_step: int, limit: int) -> int:
        """Return the number of steps after which the state at ``start_step`` recurs.

        Return 0 if it does not recur by step ``limit``, or if the run ends or reads input first.
        """
        machine = self.run.machine_at(start_step)
        diagnostics, position = self._diagnostics, machine.input_position
        brief, key = diagnostics.partial_key(machine), diagnostics.key(machine)
        here = StopSet(locations=frozenset({machine.location}))
        pace, ticked = StepPacer(1000, _SLICE_SECONDS), time.monotonic()
        while machine.steps < limit and machine.input_position == position:
            before, now = machine.steps, time.monotonic()
            status = machine.run(min(pace.slice, limit - before), here)
            pace.adapt(machine.steps - before, time.monotonic() - now)
            if status == "stopped":
                if diagnostics.partial_key(machine) == brief and diagnostics.key(machine) == key:
                    if machine.input_position == position:
                        return machine.steps - start_step
            elif status != "running":
                return 0
            if now - ticked > _SLICE_SECONDS:
                ticked = now
                machine.take_printed()
                self._tick(machine.steps, limit)
        return 0

    def _first_repeated(self, start_step: int, period: int) -> Recurrence | None:
        """Return the first repeated state, given the step and the period of any repeated state."""
        low, high = self._floor, start_step
        while low < high:
            middle = (low + high) // 2
            if self._comparable_state(middle) == self._comparable_state(middle + period):
                high = middle
            else:
                low = middle + 1
        most = max(self._bound, self._search_end + period if self._search_end > self._bound else 0)
        return Recurrence(low, low + period) if low + period <= most else None

    def _comparable_state(self, step: int) -> object:
        self.run.seek(step, self._tick)
        machine = self.run.machine_at(step)
        return machine.input_position, self._diagnostics.key(machine)

    def _tick(self, done: int, total: int) -> bool:
        tick(self._ticker, min(done, total), total)
        return True

    @staticmethod
    def _is_running(machine: Machine) -> bool:
        return machine.status not in FINAL and machine.status != "needs_input"


DEFAULT_BOUND = 200_000
"""The default number of steps to search for a repeated state."""

_CHECKED_STEPS = 50_000  # steps that are checked one by one
_MAX_SCAN_STEPS = 10_000_000  # steps of counting between two calls of a ticker
_QUIET_STEPS = 10_000  # minimum steps without input and output for a finding


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The findings on a run, sorted by severity, most severe first.

    ``known_steps`` is the number of steps of known history. ``searched`` is the number of steps in
    which a search found no repeated state; a later state may still repeat. It is None if there was
    no search, or if it had another result.
    """

    findings: tuple[DiagnosisFinding, ...]
    known_steps: int
    searched: int | None = None


def diagnose(
    timeline: Timeline,
    bound: int = DEFAULT_BOUND,
    ticker: Ticker | None = None,
    *,
    brief: bool = False,
) -> Diagnosis:
    """Return the findings on a run; if ``brief``, only findings on how the run ended.

    ``bound`` is the number of steps to search for a repeated state. The position does not change.
    Raises MoveCancelled if ``ticker`` returns False.
    """
    diagnostics = timeline.program.language.diagnostics()
    machine = timeline.machine_at(timeline.known_steps)
    if timeline.known_steps == timeline.end:
        machine.run(1)  # no step remains; this sets the final status
    findings = list(ending_findings(timeline, machine, diagnostics, brief=brief))
    searched = None
    if not brief and diagnostics is not None:
        if machine.status == "running" or machine.limit in ("steps", "output"):
            ahead = look_ahead(timeline, bound, ticker)
            if ahead.recurrence is not None:
                findings[:0] = [_endless_finding(ahead.recurrence)]
            elif ahead.status == "running":
                searched = bound
                findings[:0] = _quiet_findings(timeline)
            elif machine.status == "running" and ahead.status != "limited":
                findings.append(_future_end_finding(ahead))
        findings += _input_end_findings(timeline, diagnostics, ticker)
        findings += _unexpected_effect_findings(timeline, diagnostics, ticker)
    return Diagnosis(tuple(findings), timeline.known_steps, searched)


def _endless_finding(recurrence: Recurrence) -> DiagnosisFinding:
    steps = "step" if recurrence.period == 1 else f"{recurrence.period:,} steps"
    return DiagnosisFinding(
        "endless",
        "proved",
        f"the run never ends: the state after step {recurrence.second:,} equals the state after "
        f"step {recurrence.first:,}, and no input was read in between, so the run repeats every "
        f"{steps}",
        "find the condition that should end the loop, and why it is never met in these steps",
        (
            DiagnosedStep(recurrence.first, "the state"),
            DiagnosedStep(recurrence.second, "the same state again"),
        ),
    )


def _future_end_finding(future: LookAheadResult) -> DiagnosisFinding:
    """Return the finding on how an unfinished run will end."""
    said = {
        "halted": "ends by itself",
        "faulted": "stops with a fault",
        "needs_input": "waits for input",
    }[future.status]
    text = f"look-ahead: the run {said} after {plural(future.steps, 'step')}"
    return DiagnosisFinding(
        "ahead", "observed", text, "", (DiagnosedStep(future.steps, f"it {said}"),)
    )


def _quiet_findings(timeline: Timeline) -> list[DiagnosisFinding]:
    """Return at most one finding: nothing was read or printed for a long time."""
    events = [steps[-1] for steps in (timeline.output_steps, timeline.read_steps) if len(steps)]
    last = max(events, default=0)
    if timeline.known_steps - last < max(_QUIET_STEPS, timeline.known_steps // 2):
        return []
    since = f"since step {last:,}" if last else "at all"
    return [
        DiagnosisFinding(
            "quiet",
            "possible",
            f"possible endless loop: nothing was printed or read {since}, for "
            f"{plural(timeline.known_steps - last, 'step')}",
            "go to the step of this finding, step over each loop, and watch the values in its "
            "condition",
            (DiagnosedStep(last, "the last input or output" if last else "the start"),),
        )
    ]


def _input_end_findings(
    timeline: Timeline, diagnostics: Diagnostics, ticker: Ticker | None
) -> list[DiagnosisFinding]:
    """Return at most one finding, on reads at the end of the input."""
    recording, reads = timeline.recording, timeline.read_steps
    if not recording.closed or len(reads) < len(recording.stdin):
        return []
    low, high = (reads[-1] if reads else 0), timeline.known_steps
    inputs = StopSet(inputs=True)
    first = total = 0
    for machine in stopped_machines(timeline, inputs, low, high, ticker):
        step = machine.last_step
        if step is not None and step.read == b"":
            first = first or step.number
            total += 1
            if total == 2:
                total += _count_stops(timeline, inputs, step.number, high, ticker)
                break
    if not first:
        return []
    reading = "1 read reached the end" if total == 1 else f"{total:,} reads reached the end"
    policy = diagnostics.describe_end_of_input(timeline.program.options)
    return [
        DiagnosisFinding(
            "past_input",
            "observed",
            f"{reading} of the input; effect of each such read: {policy}",
            "to stop at the end, test for it after each read; otherwise provide more input",
            (DiagnosedStep(first, "the first read at the end of the input"),),
        )
    ]


def _count_stops(
    timeline: Timeline, stops: StopSet, low: int, high: int, ticker: Ticker | None
) -> int:
    machine, total = timeline.machine_at(low), 0
    for segment_end in timeline.segment_ends(low, high):
        while machine.steps < segment_end:
            before = machine.steps
            total += machine.scan(min(_MAX_SCAN_STEPS, segment_end - before), stops).total
            tick(ticker, machine.steps, high)
            if machine.steps == before:
                return total
        timeline.apply_edits(machine)
    return total


def _unexpected_effect_findings(
    timeline: Timeline, diagnostics: Diagnostics, ticker: Ticker | None
) -> list[DiagnosisFinding]:
    """Return one finding for each kind of unexpected effect, on its first occurrence."""
    found: dict[str, DiagnosisFinding] = {}
    high = min(timeline.known_steps, _CHECKED_STEPS)
    if not diagnostics.unexpected_effects or not high:
        return []
    for machine in stopped_machines(timeline, StopSet(every=True), 0, high, ticker):
        step = machine.last_step
        odd = None if step is None else diagnostics.unexpected_effect(machine, step)
        if odd is None or odd.kind in found or step is None:
            continue
        name, advice = diagnostics.unexpected_effects[odd.kind]
        text = f"{odd.text}, first in step {step.number:,}"
        moment = DiagnosedStep(step.number, name)
        found[odd.kind] = DiagnosisFinding(odd.kind, "observed", text, advice, (moment,))
        if len(found) == len(diagnostics.unexpected_effects):
            break
    return list(found.values())
