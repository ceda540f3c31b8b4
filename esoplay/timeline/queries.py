"""Questions about known history: who wrote a cell, what happened when."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from esolangs.source import Span
from esolangs.stops import Address, StopSet
from esoplay.timeline.scans import last_stop, recent_stop, stopped_machines
from esoplay.timeline.timeline import Cancelled, Ticker, Timeline


@dataclass(frozen=True, slots=True)
class CellWrite:
    """Step number ``step`` wrote a cell.

    span: the instruction's place in the source.  location: what a location stop calls it.
    """

    step: int
    old: int
    new: int
    span: Span
    location: Address


@dataclass(frozen=True, slots=True)
class Bucket:
    """What happened in steps ``first_step`` < n ≤ ``last_step``: bytes printed and read."""

    first_step: int
    last_step: int
    outputs: int
    inputs: int


def writes_before(
    timeline: Timeline,
    cell: Address,
    before: int,
    limit: int = 1,
    ticker: Ticker | None = None,
) -> list[CellWrite]:
    """The last ``limit`` writes to ``cell`` by steps up to ``before``, newest first.

    Raises Cancelled.
    """
    found: list[CellWrite] = []
    high = min(before, timeline.known)
    for low in reversed(timeline.checkpoints.steps_between(0, high)):
        if len(found) >= limit:
            break
        if limit == 1:
            search = recent_stop if high == min(before, timeline.known) else last_stop
            last = search(timeline, StopSet(writes=frozenset({cell})), low, high)
            if last is not None:
                found += _writes(timeline, cell, last - 1, last)
        else:
            writes = _writes(timeline, cell, low, high, ticker)
            found += reversed(deque(writes, maxlen=limit - len(found)))
        high = low
        if len(found) < limit and ticker is not None and not ticker(before - low, before):
            raise Cancelled
    return found


def overview(timeline: Timeline, columns: int) -> list[Bucket]:
    """Known history in at most ``columns`` parts of equal length."""
    columns = max(1, min(columns, timeline.known))
    buckets: list[Bucket] = []
    for column in range(columns):
        low = timeline.known * column // columns
        high = timeline.known * (column + 1) // columns
        outputs, inputs = (
            bisect_right(steps, high) - bisect_right(steps, low)
            for steps in (timeline.output_steps, timeline.read_steps)
        )
        buckets.append(Bucket(low, high, outputs, inputs))
    return buckets


def _writes(
    timeline: Timeline, cell: Address, low: int, high: int, ticker: Ticker | None = None
) -> Iterable[CellWrite]:
    stops = StopSet(writes=frozenset({cell}))
    for machine in stopped_machines(timeline, stops, low, high, ticker):
        step = machine.last_step
        assert step is not None, "a machine that a stop halted knows its last step"
        for write in step.writes:
            if write.address == cell:
                yield CellWrite(step.number, write.old, write.new, step.span, step.location)
