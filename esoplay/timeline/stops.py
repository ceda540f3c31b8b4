"""The result of a move, and the replay of known history to find where an engine stops."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from esolangs.machine import Machine
from esolangs.stops import StopSet
from esolangs.wording import format_count
from esoplay.timeline.timeline import FAR, Ticker, Timeline, tick

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


@dataclass(frozen=True, slots=True)
class Reason:
    """One of the reasons of a stop; ``breakpoint`` is the id of the breakpoint that applied."""

    kind: ReasonKind
    text: str
    breakpoint: int | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """The step at which a move ended, and the reasons; ``logs`` are lines logged by the move."""

    step: int
    reasons: tuple[Reason, ...]
    logs: tuple[str, ...] = ()


def ending_reason(timeline: Timeline) -> Reason:
    """Return the reason why the run does not continue after its last state."""
    machine = timeline.machine
    fault = machine.fault
    if fault is not None:
        return Reason("fault", f"line {fault.line}, column {fault.column}: {fault.message}")
    if machine.limit is not None:
        return Reason("limit", timeline.recording.limits.reached_message(machine.limit))
    if machine.status == "needs_input":
        return Reason("needs_input", "the program waits for input")
    return Reason("end", "the program ended")


def stop_after_seek(timeline: Timeline, step: int) -> Stop:
    """Return the stop after a move to ``step``; a negative number means before the start."""
    if step < 0:
        reason = Reason("start", "start of history")
    elif timeline.step < step or (timeline.step == timeline.end and timeline.status != "running"):
        reason = ending_reason(timeline)
    else:
        reason = Reason("step", f"step {timeline.step}")
    return Stop(timeline.step, (reason,))


def stop_after_move(timeline: Timeline, reached_target: bool, reverse: bool, start: int) -> Stop:
    """Return the stop after a move from step ``start``, which may have reached its target."""
    if not reached_target and (timeline.step > 0 if reverse else timeline.status == "running"):
        taken = format_count(abs(timeline.step - start), "step")
        steps = f"{taken} {'undone' if reverse else 'executed'}"
        return Stop(timeline.step, (Reason("budget", f"{steps} without reaching the target"),))
    if not reached_target and not reverse:
        return Stop(timeline.step, (ending_reason(timeline),))
    return stop_after_seek(
        timeline, -1 if not reached_target and timeline.step == 0 else timeline.step
    )


# Search for engine stops in known history by replay: the last stop, or all in order

NO_STOPS = StopSet()
"""An empty set of stops; passing None to an engine instead is faster."""

TICK_SECONDS = 0.01
"""The minimum number of seconds between two calls of a ticker."""

MAX_SCAN_STEPS = 50_000_000
"""The maximum number of steps that a search for stops runs between two calls of a ticker."""

_RECENT_STEPS = 4096  # steps before the current one that are searched first


def recent_stop(timeline: Timeline, stops: StopSet, low: int, high: int) -> int | None:
    """Return the same step as :func:`last_stop`, but faster if it is shortly before ``high``.

    Searches the last steps first, and earlier ones only if necessary, because a run that checks
    for stops is slow.
    """
    size = _RECENT_STEPS
    while high > low:
        begin = high - size if high - low >= 2 * size else low
        last = last_stop(timeline, stops, begin, high)
        if last is not None:
            return last
        high, size = begin, size * 8
    return None


def last_stop(timeline: Timeline, stops: StopSet, low: int, high: int) -> int | None:
    """Return the last step in ``low`` < step ≤ ``high`` with an engine stop, or None."""
    machine = timeline.machine_at(low)
    last: int | None = None
    for segment_end in timeline.segment_ends(low, high):
        while machine.steps < segment_end:
            before = machine.steps
            last = machine.scan(segment_end - before, stops).last or last
            if machine.steps == before:
                return last
        timeline.apply_edits(machine)
    return last


def stopped_machines(
    timeline: Timeline,
    stops: StopSet | Callable[[], StopSet],
    low: int,
    high: int,
    ticker: Ticker | None = None,
    next_checked_step: Callable[[int], int] = lambda _step: FAR,
) -> Iterator[Machine]:
    """Replay the run from step ``low`` to ``high``; yield the machine at each stop.

    It is the same machine each time. ``stops`` may be a function, which is called after each stop.
    ``next_checked_step`` is called with the machine's step; it returns the next step at which the
    machine is yielded even without a stop. Raises MoveCancelled if ``ticker`` returns False.
    """
    machine = timeline.resume(low)
    timeline.replay(machine, low)
    current_stops = stops if callable(stops) else lambda: stops
    ticked = time.monotonic()
    for segment_end in timeline.segment_ends(low, high):
        while machine.steps < segment_end:
            checked_step = next_checked_step(machine.steps)
            now = current_stops()
            watched = now if now != NO_STOPS else None
            goal = min(segment_end, checked_step, machine.steps + MAX_SCAN_STEPS)
            status = machine.run(goal - machine.steps, watched)
            if machine.steps == segment_end:
                timeline.apply_edits(machine)
            if status == "stopped" or machine.steps == checked_step:
                yield machine
            elif machine.steps < segment_end and status != "running":
                return
            if time.monotonic() - ticked > TICK_SECONDS:
                ticked = time.monotonic()
                tick(ticker, machine.steps - low, high - low)
