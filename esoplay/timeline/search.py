"""Continue, forwards and backwards, to where a breakpoint applies.

Backwards, history is scanned forwards from checkpoint to checkpoint, the latest
interval first, and the last stop of an interval is remembered; so the stops met in
either direction are the same.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from esolangs.machine import FINAL, Machine
from esolangs.stops import StopSet
from esoplay.timeline.breakpoints import Breakpoint, union
from esoplay.timeline.timeline import Cancelled, Ticker, Timeline

ReasonKind = Literal[
    "step",
    "breakpoint",
    "start",
    "end",
    "fault",
    "limit",
    "needs_input",
    "budget",
    "cancelled",
]

FAR = 1 << 62
"""Further than any run gets."""

_TICK = 0.01  # seconds between two calls of a ticker

_SCAN = 50_000_000  # steps of watching between two calls of a ticker, at most

MOST_LOGS = 1000
"""Lines that log breakpoints may note in one move; the last ones are kept."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One of the reasons of a stop; ``breakpoint`` is the id of the one that applied."""

    kind: ReasonKind
    text: str
    breakpoint: int | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a move ended and why; ``logs`` are the lines noted on the way."""

    step: int
    reasons: tuple[Reason, ...]
    logs: tuple[str, ...] = ()


@dataclass(slots=True)
class _Match:
    step: int
    breakpoints: list[Breakpoint] = field(default_factory=list[Breakpoint])
    logs: list[str] = field(default_factory=list[str])


class _Matcher:
    """Decides at engine stops; counts how often each breakpoint's place or effect applied."""

    def __init__(self, breakpoints: Sequence[Breakpoint], counts: Mapping[int, int]):
        """``counts``: by breakpoint id, how often it applied up to where the matching begins."""
        self.breakpoints = breakpoints
        self.stops = union([each.stops for each in breakpoints])
        self._counts = dict(counts)

    def match(self, machine: Machine) -> _Match | None:
        """The breakpoints that apply at the machine's state, or None."""
        match = _Match(machine.steps)
        for each in self.breakpoints:
            if not each.applies(machine):
                continue
            self._counts[each.id] += 1
            hits = self._counts[each.id]
            if each.holds(machine, hits):
                line = each.log_line(machine, hits)
                if line is None:
                    match.breakpoints.append(each)
                else:
                    each.hits += 1
                    match.logs.append(line)
        return match if match.breakpoints or match.logs else None


def forward(
    timeline: Timeline,
    breakpoints: Sequence[Breakpoint],
    budget: int | None = None,
    ticker: Ticker | None = None,
) -> Stop:
    """Run on to the first stop, the end, or ``budget`` steps.  Raises Cancelled, unmoved."""
    began = timeline.step
    target = FAR if budget is None else began + budget
    enabled = [each for each in breakpoints if each.enabled]
    matcher = _Matcher(enabled, _counts(timeline, enabled, [began], ticker)[began])
    stops = matcher.stops if matcher.breakpoints else None
    logs: list[str] = []
    ticked = time.monotonic()
    try:
        while timeline.step < target:
            status = timeline.advance(target, stops)
            if status == "stopped":
                match = matcher.match(timeline.machine)
                if match is not None:
                    logs += match.logs
                    del logs[:-MOST_LOGS]
                if match is not None and match.breakpoints:
                    return Stop(timeline.step, _reasons(match.breakpoints), tuple(logs))
            elif status in FINAL or status == "needs_input":
                return Stop(timeline.step, (ending(timeline),), tuple(logs))
            if time.monotonic() - ticked > _TICK:
                ticked = time.monotonic()
                tick(ticker, timeline.step - began, target - began)
    except Cancelled:
        timeline.seek(began)
        raise
    if timeline.step == timeline.end:
        timeline.seek(timeline.step)
        return Stop(timeline.step, (ending(timeline),), tuple(logs))
    return Stop(timeline.step, (Reason("budget", f"{budget} steps executed"),), tuple(logs))


def backward(
    timeline: Timeline,
    breakpoints: Sequence[Breakpoint],
    budget: int | None = None,
    ticker: Ticker | None = None,
) -> Stop:
    """Go back to the last stop before the current step, ``budget`` steps, or to the start.

    Raises Cancelled, unmoved.
    """
    began = high = timeline.step
    floor = 0 if budget is None else max(0, began - budget)
    enabled = [each for each in breakpoints if each.enabled]
    lows = [timeline.checkpoints.before(floor).steps]
    lows += [low for low in timeline.checkpoints.steps_between(floor, began) if low > lows[0]]
    counts = _counts(timeline, enabled, lows, ticker)
    for low in reversed(lows):
        match = _last_match(timeline, enabled, low, min(high, began - 1), counts[low], ticker)
        if match is not None and match.step >= floor:
            timeline.seek(match.step)
            return Stop(match.step, _reasons(match.breakpoints))
        high = low
        tick(ticker, began - low, began - floor)
    timeline.seek(floor)
    if floor:
        return Stop(floor, (Reason("budget", f"{budget} steps taken back"),))
    return Stop(0, (Reason("start", "start of history"),))


def travel(timeline: Timeline, stops: StopSet, reverse: bool, ticker: Ticker | None) -> bool:
    """Go to the nearest engine stop; false when there is none and history's end was reached."""
    began = timeline.step
    if not reverse:
        while True:
            status = timeline.advance(FAR, stops)
            if status == "stopped":
                return True
            if status in FINAL or status == "needs_input":
                return False
            try:
                tick(ticker, timeline.step - began, FAR)
            except Cancelled:
                timeline.seek(began)
                raise
    high = began - 1
    for low in reversed(timeline.checkpoints.steps_between(0, began)):
        last = last_stop(timeline, stops, low, high) if high > low else None
        if last is not None:
            timeline.seek(last)
            return True
        high = min(low, high)
        tick(ticker, began - low, began)
    timeline.seek(0)
    return False


def last_stop(timeline: Timeline, stops: StopSet, low: int, high: int) -> int | None:
    """The last engine stop in ``low`` < step ≤ ``high``; ``low`` is a checkpoint's step."""
    machine = timeline.resume(low)
    last: int | None = None
    for leg in timeline.legs(low, high):
        while machine.steps < leg:
            before = machine.steps
            last = machine.scan(leg - before, stops).last or last
            if machine.steps == before:
                return last
        timeline.apply_edits(machine)
    return last


def ending(timeline: Timeline) -> Reason:
    """Why the run goes no further than its current, last state."""
    machine = timeline.machine
    fault = machine.fault
    if fault is not None:
        return Reason("fault", f"line {fault.line}, column {fault.column}: {fault.message}")
    if machine.limit is not None:
        return Reason("limit", f"the {machine.limit} limit was reached")
    if machine.status == "needs_input":
        return Reason("needs_input", "the program waits for input")
    return Reason("end", "the program ended")


def _last_match(
    timeline: Timeline,
    enabled: Sequence[Breakpoint],
    low: int,
    high: int,
    counts: Mapping[int, int],
    ticker: Ticker | None,
) -> _Match | None:
    """The last match in ``low`` < step ≤ ``high``."""
    if not enabled or high <= low:
        return None
    indices = {each.stops.output_index for each in enabled} - {None}
    # An engine watches for one output index; for several it stops at every byte.
    if len(indices) <= 1 and not any(each.conditional for each in enabled):
        return _last_plain_match(timeline, enabled, low, high)
    matcher = _Matcher(enabled, counts)
    last: _Match | None = None
    for machine in stopped_machines(timeline, matcher.stops, low, high, ticker):
        match = matcher.match(machine)
        if match is not None and match.breakpoints:
            last = match
    return last


def stopped_machines(
    timeline: Timeline, stops: StopSet, low: int, high: int, ticker: Ticker | None = None
) -> Iterator[Machine]:
    """One machine, replayed from ``low`` to ``high``, at each engine stop on the way.

    Raises Cancelled.
    """
    machine = timeline.resume(low)
    timeline.replay(machine, low)
    ticked = time.monotonic()
    for leg in timeline.legs(low, high):
        while machine.steps < leg:
            status = machine.run(min(_SCAN, leg - machine.steps), stops)
            if machine.steps == leg:
                timeline.apply_edits(machine)
            if status == "stopped":
                yield machine
            elif machine.steps < leg and status != "running":
                return
            if time.monotonic() - ticked > _TICK:
                ticked = time.monotonic()
                tick(ticker, machine.steps - low, high - low)


def _last_plain_match(
    timeline: Timeline, enabled: Sequence[Breakpoint], low: int, high: int
) -> _Match | None:
    """As the engine's own scan finds it: no state has to be looked at."""
    stops = union([each.stops for each in enabled])
    last = last_stop(timeline, stops, low, high)
    if last is None:
        return None
    # One step before it, to see that step's effects.
    machine = timeline.machine_at(last - 1)
    machine.run(1, stops)
    return _Match(last, [each for each in enabled if each.applies(machine)])


def _counts(
    timeline: Timeline,
    breakpoints: Sequence[Breakpoint],
    marks: Sequence[int],
    ticker: Ticker | None,
) -> dict[int, dict[int, int]]:
    """For each of ``marks`` (steps, ascending): how often each breakpoint applied up to there.

    0 where no condition asks for it.
    """
    counts = {mark: dict.fromkeys((each.id for each in breakpoints), 0) for mark in marks}
    for each in breakpoints:
        if each.condition is None or "hits" not in each.condition.names:
            continue
        total, here = 0, 0
        machine = timeline.resume(0)
        for mark in marks:
            for leg in timeline.legs(here, mark):
                while machine.steps < leg:
                    before = machine.steps
                    total += machine.scan(min(_SCAN, leg - before), each.stops).total
                    if machine.steps == before:
                        break
                    tick(ticker, machine.steps, marks[-1])
                timeline.apply_edits(machine)
            counts[mark][each.id], here = total, mark
    return counts


def tick(ticker: Ticker | None, done: int, total: int) -> None:
    """Raises Cancelled when the ticker says no."""
    if ticker is not None and not ticker(done, total):
        raise Cancelled


def _reasons(breakpoints: list[Breakpoint]) -> tuple[Reason, ...]:
    for each in breakpoints:
        each.hits += 1
    return _named(breakpoints)


def _named(breakpoints: list[Breakpoint]) -> tuple[Reason, ...]:
    return tuple(
        Reason("breakpoint", f"breakpoint {each.id}: {each.spec}", each.id) for each in breakpoints
    )
