"""Questions about known history: which steps wrote a value, what was printed and read when."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from esolangs.numbers import shown
from esolangs.source import Span
from esolangs.stops import Address, Slot, StopSet
from esolangs.view import Number, Window
from esoplay.timeline.states import value_at
from esoplay.timeline.stops import last_stop, recent_stop, stopped_machines
from esoplay.timeline.timeline import MoveCancelled, Ticker, Timeline


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
            raise MoveCancelled
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


# Values put into a place: a cell, or a slot of a stack

Place = Address | Slot
LEAST = Window(cells=1, depth=1, width=1, height=1)
"""A window for callers that need no panels."""


@dataclass(frozen=True, slots=True)
class ValueWrite:
    """Step number ``step`` put a value into ``place``.

    span: the instruction's place in the source.  location: what a location stop calls it.
    instruction: as its language spells it.  source: the place that the value was copied from
    as it is; None when the step computed or read it.  value: None where it is out of sight.
    read: bytes of input that the step consumed, None when it did not read.
    words: the instruction for people, where its language spells it otherwise.
    """

    step: int
    place: Place
    span: Span
    location: Address
    instruction: str
    source: Place | None
    value: Number | None = None
    read: bytes | None = None
    words: str = ""

    @property
    def readable(self) -> str:
        """The instruction for people."""
        return self.words or self.instruction


def put_at(timeline: Timeline, place: Place, step: int) -> ValueWrite:
    """Describe step ``step``, which put a value into ``place``."""
    machine = timeline.machine_at(step - 1)
    source = machine.copied_from(place)
    here = machine.view(LEAST).location
    done = machine.step()
    value = value_at(machine, place) if isinstance(place, Slot) else shown(machine.peek(place))
    read = None if done is None else done.read
    return ValueWrite(
        step, place, here.span, here.address, here.instruction, source, value, read, here.words
    )


def puts_before(
    timeline: Timeline, place: Place, before: int, limit: int = 1, ticker: Ticker | None = None
) -> list[ValueWrite]:
    """The last ``limit`` steps up to ``before`` that put a value into a place, newest first.

    Raises Cancelled.
    """
    stops, found = _stops(place), list[int]()
    high = min(before, timeline.known)
    for low in reversed(timeline.checkpoints.steps_between(0, high)):
        if len(found) >= limit:
            break
        if limit == 1:
            search = recent_stop if high == min(before, timeline.known) else last_stop
            last = search(timeline, stops, low, high)
            found += [] if last is None else [last]
        else:
            machines = stopped_machines(timeline, stops, low, high, ticker)
            steps = deque((each.steps for each in machines), maxlen=limit - len(found))
            found += reversed(steps)
        high = low
        if len(found) < limit and ticker is not None and not ticker(before - low, before):
            raise MoveCancelled
    puts: list[ValueWrite] = []
    for step in found:
        if puts and ticker is not None and not ticker(before - step, before):
            raise MoveCancelled
        puts.append(put_at(timeline, place, step))
    return puts


def put_after(
    timeline: Timeline, place: Place, after: int, ticker: Ticker | None = None
) -> ValueWrite | None:
    """The first step beyond ``after``, in known history, that put a value into a place.

    Raises Cancelled.
    """
    machines = stopped_machines(timeline, _stops(place), after, timeline.known, ticker)
    first = next((each.steps for each in machines), None)
    return None if first is None else put_at(timeline, place, first)


def _stops(place: Place) -> StopSet:
    if isinstance(place, Slot):
        return StopSet(slots=frozenset({place}))
    return StopSet(writes=frozenset({place}))
