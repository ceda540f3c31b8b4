"""Continue, forwards and backwards, to where a breakpoint applies.

Backwards, history is scanned forwards from checkpoint to checkpoint, the latest
interval first, and the last stop of an interval is remembered; so the stops met in
either direction are the same.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from esolangs.machine import FINAL
from esolangs.stops import Address, StopSet
from esoplay.timeline.breakpoints import Breakpoint, Past, union
from esoplay.timeline.hits import first_arrivals, hits_up_to
from esoplay.timeline.matches import MOST_LOGS, Interval, Match, Matcher
from esoplay.timeline.scans import NOTHING, TICK, last_stop, stopped_machines
from esoplay.timeline.stop import Reason, Stop, ending
from esoplay.timeline.timeline import FAR, Cancelled, Ticker, Timeline, tick


def forward(
    timeline: Timeline,
    breakpoints: Sequence[Breakpoint],
    budget: int | None = None,
    ticker: Ticker | None = None,
) -> Stop:
    """Run on to the first stop, the end, or ``budget`` steps.  Raises Cancelled, unmoved."""
    began = timeline.step
    target = FAR if budget is None else began + budget
    enabled = [each for each in breakpoints if each.goes("forwards")]
    counts = hits_up_to(timeline, enabled, [began], ticker)[began]
    firsts = first_arrivals(timeline, enabled, began, ticker)
    known = {at: step for at, step in firsts.items() if step <= began}
    matcher = Matcher(timeline, enabled, counts, known, began)
    logs: list[str] = []
    ticked = time.monotonic()
    try:
        while timeline.step < target:
            looked_at = matcher.next_tick(timeline.step)
            stops = matcher.stops
            watched = stops if stops != NOTHING else None
            status = timeline.advance(min(target, looked_at), watched)
            if status == "stopped" or timeline.step == looked_at:
                match = matcher.match(timeline.machine)
                if match is not None:
                    logs += match.take_notes()
                    del logs[:-MOST_LOGS]
                if match is not None and match.breakpoints:
                    return Stop(timeline.step, _reasons(match.breakpoints), tuple(logs))
            if status in FINAL or status == "needs_input":
                return Stop(timeline.step, (ending(timeline),), tuple(logs))
            if time.monotonic() - ticked > TICK:
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
    enabled = [each for each in breakpoints if each.goes("backwards")]
    # From before the floor on, for a stop there counts even where a checkpoint is.
    lows = [timeline.checkpoints.before(max(0, floor - 1)).steps]
    lows += [low for low in timeline.checkpoints.steps_between(floor, began) if low > lows[0]]
    counts = hits_up_to(timeline, enabled, lows, ticker)
    firsts = first_arrivals(timeline, enabled, began, ticker)
    logs: list[str] = []
    for low in reversed(lows):
        upto = min(high, began - 1)
        found = _matches(timeline, enabled, low, upto, counts[low], firsts, floor, ticker)
        logs += found.take_notes()
        del logs[:-MOST_LOGS]
        if found.stop is not None:
            timeline.seek(found.stop.step)
            return Stop(found.stop.step, _reasons(found.stop.breakpoints), tuple(logs))
        high = low
        tick(ticker, began - low, began - floor)
    timeline.seek(floor)
    if floor:
        return Stop(floor, (Reason("budget", f"{budget} steps taken back"),), tuple(logs))
    first = [each for each in enabled if began and each.stands_at_start(timeline.machine)]
    if first:
        return Stop(0, _reasons(first), tuple(logs))
    return Stop(0, (Reason("start", "start of history"),), tuple(logs))


def travel(
    timeline: Timeline,
    stops: StopSet,
    reverse: bool,
    ticker: Ticker | None,
    budget: int | None = None,
) -> bool:
    """Go to the nearest engine stop; false when there is none and history's end was reached.

    False as well after ``budget`` steps without one, and there we are then.  Raises Cancelled,
    unmoved.
    """
    began = timeline.step
    if not reverse:
        target = FAR if budget is None else began + budget
        while True:
            status = timeline.advance(target, stops)
            if status == "stopped":
                return True
            if status in FINAL or status == "needs_input" or timeline.step >= target:
                return False
            try:
                tick(ticker, timeline.step - began, FAR)
            except Cancelled:
                timeline.seek(began)
                raise
    high = began - 1
    floor = 0 if budget is None else max(0, began - budget)
    for low in reversed(timeline.checkpoints.steps_between(0, began)):
        last = last_stop(timeline, stops, low, high) if high > low else None
        if last is not None and last >= floor:
            timeline.seek(last)
            return True
        high = min(low, high)
        if last is not None or high < floor:
            break
        tick(ticker, began - low, began - floor)
    timeline.seek(floor)
    return False


def _matches(
    timeline: Timeline,
    enabled: Sequence[Breakpoint],
    low: int,
    high: int,
    counts: Mapping[int, int],
    firsts: Mapping[Address, int],
    floor: int,
    ticker: Ticker | None,
) -> Interval:
    """What is met in ``low`` < step ≤ ``high``, from step ``floor`` on."""
    found = Interval()
    if all(each.spec.new for each in enabled):  # nothing matches after the last first arrival
        high = max((step for step in firsts.values() if low < step <= high), default=low)
    if not enabled or high <= low:
        return found
    indices = {each.stops.output_index for each in enabled} - {None}
    # An engine watches for one output index; for several it stops at every byte.
    if len(indices) <= 1 and not any(each.conditional for each in enabled):
        found.stop = _last_plain_match(timeline, enabled, max(low, floor - 1), high)
        return found
    matcher = Matcher(timeline, enabled, counts, firsts, low, high)
    for machine in stopped_machines(
        timeline, lambda: matcher.stops, low, high, ticker, matcher.next_tick
    ):
        match = matcher.match(machine)
        if match is not None and match.step >= floor:
            found.add(match)
    return found


def _last_plain_match(
    timeline: Timeline, enabled: Sequence[Breakpoint], low: int, high: int
) -> Match | None:
    """As the engine's own scan finds it: no state has to be looked at."""
    stops = union([each.stops for each in enabled])
    last = last_stop(timeline, stops, low, high)
    if last is None:
        return None
    # One step before it, to see that step's effects.
    machine = timeline.machine_at(last - 1)
    machine.run(1, stops)
    past = Past(timeline.output, {})
    return Match(last, [each for each in enabled if each.applies(machine, past)])


def _reasons(breakpoints: list[Breakpoint]) -> tuple[Reason, ...]:
    for each in breakpoints:
        each.hits += 1
    return _named(breakpoints)


def _named(breakpoints: list[Breakpoint]) -> tuple[Reason, ...]:
    return tuple(
        Reason("breakpoint", f"breakpoint {each.id}: {each.spec}", each.id) for each in breakpoints
    )
