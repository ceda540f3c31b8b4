"""Steps by an instruction, a construct or a line, and steps out of a construct."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from esolangs.machine import FINAL, LeapKind, Machine
from esolangs.stops import StopSet
from esoplay.timeline.search import move_to_stop
from esoplay.timeline.stops import Reason, Stop, stop_after_move, stop_after_seek
from esoplay.timeline.timeline import FAR, MoveCancelled, Ticker, TimeLimitReached, Timeline, tick

Granularity = Literal["instruction", "loop", "finish", "line", "source"]

_EVERY_STEP = StopSet(every=True)
_MIN_BATCH_STEPS, _MAX_BATCH_STEPS = 1000, 50_000  # steps between two calls of a ticker, backwards
_TICK_SECONDS = 0.01  # seconds between two calls of a ticker, forwards


def step(
    timeline: Timeline,
    granularity: Granularity,
    reverse: bool,
    ticker: Ticker | None,
    budget: int | None = None,
) -> Stop:
    """Step by an instruction or a line, or over or out of a construct such as a loop.

    A move over or out of a construct or by a line executes or undoes at most ``budget`` steps.
    Raises MoveCancelled, after restoring the position, if ``ticker`` returns False, and
    TimeLimitReached, at the step reached, when its time limit expires.
    """
    if granularity == "line":
        return _step_line(timeline, reverse, ticker, budget)
    if granularity == "instruction":
        return _step_single(timeline, reverse, ticker)
    kind: LeapKind
    if granularity == "finish":
        kind = "back_out" if reverse else "out"
    else:
        kind = "back_over" if reverse else "over"
    if kind == "back_over":  # the construct that the previous step ended
        if timeline.step == 0:
            return stop_after_seek(timeline, -1)
        leap = timeline.machine_at(timeline.step - 1).leap(kind)
    else:
        leap = timeline.machine.leap(kind)
    if leap is None:
        if granularity == "finish":
            return Stop(timeline.step, (Reason("step", "nothing to step out of here"),))
        return _step_single(timeline, reverse, ticker)
    return _move_to_stop(timeline, leap.stops, leap.extra, reverse, ticker, budget)


def _step_single(timeline: Timeline, reverse: bool, ticker: Ticker | None) -> Stop:
    wanted = timeline.step + (-1 if reverse else 1)
    timeline.seek(wanted, ticker)
    return stop_after_seek(timeline, wanted)


def _step_line(
    timeline: Timeline, reverse: bool, ticker: Ticker | None, budget: int | None
) -> Stop:
    program, here = timeline.program, timeline.machine.location
    if isinstance(here, tuple):
        return _step_row(timeline, here, reverse, ticker, budget)
    low = program.source.rfind(b"\n", 0, here) + 1
    high = program.source.find(b"\n", here)
    high = len(program.source) if high < 0 else high
    is_in_another_row = frozenset(start for start, _ in program.spans() if not low <= start < high)
    return _move_to_stop(timeline, StopSet(locations=is_in_another_row), 0, reverse, ticker, budget)


def _step_row(
    timeline: Timeline,
    current_cell: tuple[int, ...],
    reverse: bool,
    ticker: Ticker | None,
    budget: int | None,
) -> Stop:
    """Move to the next or previous state in another row than ``current_cell``.

    The next instruction in that state may be one that the program wrote while it ran.
    """

    def is_in_another_row(machine: Machine) -> bool:
        at = machine.location
        return isinstance(at, tuple) and at[1:] != current_cell[1:]

    start_step = timeline.step
    found = _move_to_state(timeline, is_in_another_row, reverse, ticker, budget)
    return stop_after_move(timeline, found, reverse, start_step)


def _move_to_stop(
    timeline: Timeline,
    stops: StopSet,
    extra: int,
    reverse: bool,
    ticker: Ticker | None,
    budget: int | None,
) -> Stop:
    """Move to the next of ``stops``, or the previous one if ``reverse``; then ``extra`` steps on.

    Without such a stop, move to the end or start of history, or by ``budget`` steps.
    """
    start_step = timeline.step
    upto = None if budget is None else budget + (extra if reverse else -extra)
    found = move_to_stop(timeline, stops, reverse, ticker, upto)
    if not found and extra and timeline.step == 0:  # a reverse search does not check step 0
        found = timeline.machine.location in stops.locations
    if found and extra:
        timeline.seek(timeline.step + extra)
    elif not found and extra and budget is not None:
        timeline.seek(max(0, start_step - budget) if reverse else start_step + budget)
    return stop_after_move(timeline, found, reverse, start_step)


def _move_to_state(
    timeline: Timeline,
    predicate: Callable[[Machine], bool],
    reverse: bool,
    ticker: Ticker | None,
    budget: int | None,
) -> bool:
    """Move to the nearest state that matches ``predicate``; return whether one was found.

    Otherwise moves to the end of history, or by ``budget`` steps. Raises MoveCancelled, after
    restoring the position, if ``ticker`` returns False, and TimeLimitReached, at the step reached,
    when its time limit expires.
    """
    if not reverse:
        return _run_to_state(timeline, predicate, ticker, budget)
    start_step = high = timeline.step
    floor = 0 if budget is None else max(0, start_step - budget)
    width = _MIN_BATCH_STEPS
    while high > floor:
        low = max(floor, high - width)
        found = _last_match(timeline, predicate, low, high - 1)
        if found is not None:
            timeline.seek(found)
            return True
        high = low
        width = min(2 * width, _MAX_BATCH_STEPS)
        try:
            tick(ticker, start_step - low, start_step - floor)
        except TimeLimitReached:
            timeline.seek(low)
            raise
    timeline.seek(floor)
    return False


def _run_to_state(
    timeline: Timeline,
    predicate: Callable[[Machine], bool],
    ticker: Ticker | None,
    budget: int | None,
) -> bool:
    start_step = timeline.step
    target = FAR if budget is None else start_step + budget
    ticked = time.monotonic()
    try:
        while True:
            status = timeline.advance(target, _EVERY_STEP)
            if status == "stopped":
                if predicate(timeline.machine):
                    return True
            elif status in FINAL or status == "needs_input":
                return False
            if timeline.step >= target:
                return False
            if time.monotonic() - ticked > _TICK_SECONDS:
                ticked = time.monotonic()
                tick(ticker, timeline.step - start_step, FAR)
    except MoveCancelled:
        timeline.seek(start_step)
        raise


def _last_match(
    timeline: Timeline, predicate: Callable[[Machine], bool], low: int, high: int
) -> int | None:
    """Return the last matching state in ``low`` ≤ step ≤ ``high``, or None."""
    machine = timeline.machine_at(low)
    last = low if predicate(machine) else None
    for segment_end in timeline.segment_ends(low, high):
        while machine.steps < segment_end:
            if machine.run(segment_end - machine.steps, _EVERY_STEP) != "stopped":
                return last
            if machine.steps == segment_end:
                timeline.apply_edits(machine)
            if predicate(machine):
                last = machine.steps
    return last
