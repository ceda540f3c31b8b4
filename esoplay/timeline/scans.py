"""The stops of engines in known history, by replaying it: the last one, or one after another."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from esolangs.machine import Machine
from esolangs.stops import StopSet
from esoplay.timeline.timeline import FAR, Ticker, Timeline, tick

NOTHING = StopSet()
"""Watching for nothing, which is slower than not watching."""

TICK = 0.01
"""Seconds between two calls of a ticker."""

SCAN = 50_000_000
"""Steps of watching between two calls of a ticker, at most."""

_RECENT = 4096  # steps before the present that are searched first


def recent_stop(timeline: Timeline, stops: StopSet, low: int, high: int) -> int | None:
    """The same as :func:`last_stop`, sooner where it was a little before ``high``.

    Engines that watch are slower than engines that do not, so the end is looked at first.
    """
    size = _RECENT
    while high > low:
        begin = high - size if high - low >= 2 * size else low
        last = last_stop(timeline, stops, begin, high)
        if last is not None:
            return last
        high, size = begin, size * 8
    return None


def last_stop(timeline: Timeline, stops: StopSet, low: int, high: int) -> int | None:
    """The last engine stop in ``low`` < step ≤ ``high``, best from a checkpoint's step on."""
    machine = timeline.machine_at(low)
    last: int | None = None
    for leg in timeline.legs(low, high):
        while machine.steps < leg:
            before = machine.steps
            last = machine.scan(leg - before, stops).last or last
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
    next_tick: Callable[[int], int] = lambda _step: FAR,
) -> Iterator[Machine]:
    """One machine, replayed from ``low`` to ``high``, at each engine stop on the way.

    stops: a function is asked after each stop.  next_tick: the next step after one that is to
    be looked at as well.  Raises Cancelled.
    """
    machine = timeline.resume(low)
    timeline.replay(machine, low)
    ask = stops if callable(stops) else lambda: stops
    ticked = time.monotonic()
    for leg in timeline.legs(low, high):
        while machine.steps < leg:
            looked_at = next_tick(machine.steps)
            now = ask()
            watched = now if now != NOTHING else None
            goal = min(leg, looked_at, machine.steps + SCAN)
            status = machine.run(goal - machine.steps, watched)
            if machine.steps == leg:
                timeline.apply_edits(machine)
            if status == "stopped" or machine.steps == looked_at:
                yield machine
            elif machine.steps < leg and status != "running":
                return
            if time.monotonic() - ticked > TICK:
                ticked = time.monotonic()
                tick(ticker, machine.steps - low, high - low)
