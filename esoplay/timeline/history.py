"""Queries of known history: the steps that wrote a value, and bytes printed and read over time."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from esolangs.numbers import abbreviate
from esolangs.source import Span
from esolangs.stops import Address, Slot
from esolangs.view import Number, Window
from esoplay.timeline.last_writes import Place, last_write, stops_at_writes
from esoplay.timeline.states import value_at
from esoplay.timeline.stops import stopped_machines
from esoplay.timeline.timeline import MoveCancelled, Ticker, Timeline


@dataclass(frozen=True, slots=True)
class CellWrite:
    """A write to a cell by step ``step``.

    ``span`` is the instruction's range in the source, ``location`` its address in a ``StopSet``.
    """

    step: int
    old: int
    new: int
    span: Span
    location: Address


@dataclass(frozen=True, slots=True)
class Bucket:
    """The numbers of bytes printed and read in steps ``first_step`` + 1 to ``last_step``."""

    first_step: int
    last_step: int
    outputs: int
    inputs: int


def last_writes(
    timeline: Timeline,
    cell: Address,
    last_step: int,
    limit: int = 1,
    ticker: Ticker | None = None,
) -> list[CellWrite]:
    """Return the last ``limit`` writes to ``cell`` up to ``last_step``, newest first.

    Raises MoveCancelled if ``ticker`` returns False.
    """
    if limit == 1:
        last = last_write(timeline, cell, last_step, ticker)
        return [] if last is None else list(_writes_between(timeline, cell, last - 1, last))
    found: list[CellWrite] = []
    high = min(last_step, timeline.known_steps)
    for low in reversed(timeline.checkpoints.steps_between(0, high)):
        if len(found) >= limit:
            break
        writes = _writes_between(timeline, cell, low, high, ticker)
        found += reversed(deque(writes, maxlen=limit - len(found)))
        high = low
        if len(found) < limit and ticker is not None and not ticker(last_step - low, last_step):
            raise MoveCancelled
    return found


def overview(timeline: Timeline, columns: int) -> list[Bucket]:
    """Divide known history into at most ``columns`` buckets of equal length."""
    columns = max(1, min(columns, timeline.known_steps))
    buckets: list[Bucket] = []
    for column in range(columns):
        low = timeline.known_steps * column // columns
        high = timeline.known_steps * (column + 1) // columns
        outputs, inputs = (
            bisect_right(steps, high) - bisect_right(steps, low)
            for steps in (timeline.output_steps, timeline.read_steps)
        )
        buckets.append(Bucket(low, high, outputs, inputs))
    return buckets


def _writes_between(
    timeline: Timeline, cell: Address, low: int, high: int, ticker: Ticker | None = None
) -> Iterable[CellWrite]:
    for machine in stopped_machines(timeline, stops_at_writes(cell), low, high, ticker):
        step = machine.last_step
        assert step is not None, "a machine halted by a stop has a last step"
        for write in step.writes:
            if write.address == cell:
                yield CellWrite(step.number, write.old, write.new, step.span, step.location)


# Values written to a place: a cell, or a slot of a stack

SMALLEST_WINDOW = Window(cells=1, depth=1, width=1, height=1)
"""The smallest window of a view, for callers that need only the next instruction."""


@dataclass(frozen=True, slots=True)
class ValueWrite:
    """A step that stored a value in ``place``.

    ``span`` is the instruction's range in the source, ``location`` its address in a ``StopSet``,
    ``instruction`` its text and ``words`` a more readable text or "". ``copied_from`` is the place
    that the step copied the value from, None if it did not copy. ``value`` is None if views do not
    show it. ``read`` is the input that the step consumed, None if it did not read.
    """

    step: int
    place: Place
    span: Span
    location: Address
    instruction: str
    copied_from: Place | None
    value: Number | None = None
    read: bytes | None = None
    words: str = ""

    @property
    def readable_instruction(self) -> str:
        """The instruction as readable text."""
        return self.words or self.instruction


def value_write_at(timeline: Timeline, place: Place, step: int) -> ValueWrite:
    """Describe step ``step``, which stored a value in ``place``."""
    machine = timeline.machine_at(step - 1)
    source = machine.copied_from(place)
    here = machine.view(SMALLEST_WINDOW).location
    done = machine.step()
    value = value_at(machine, place) if isinstance(place, Slot) else abbreviate(machine.peek(place))
    read = None if done is None else done.read
    return ValueWrite(
        step, place, here.span, here.address, here.instruction, source, value, read, here.words
    )


def value_writes_before(
    timeline: Timeline, place: Place, before: int, limit: int = 1, ticker: Ticker | None = None
) -> list[ValueWrite]:
    """Return the last ``limit`` steps up to ``before`` that stored into a place, newest first.

    Raises MoveCancelled if ``ticker`` returns False.
    """
    if limit == 1:
        last = last_write(timeline, place, before, ticker)
        return [] if last is None else [value_write_at(timeline, place, last)]
    stops, found = stops_at_writes(place), list[int]()
    high = min(before, timeline.known_steps)
    for low in reversed(timeline.checkpoints.steps_between(0, high)):
        if len(found) >= limit:
            break
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
        puts.append(value_write_at(timeline, place, step))
    return puts


def value_write_after(
    timeline: Timeline, place: Place, after: int, ticker: Ticker | None = None
) -> ValueWrite | None:
    """Return the first known write of a value to a place after step ``after``, or None.

    Raises MoveCancelled if ``ticker`` returns False.
    """
    machines = stopped_machines(
        timeline, stops_at_writes(place), after, timeline.known_steps, ticker
    )
    first = next((each.steps for each in machines), None)
    return None if first is None else value_write_at(timeline, place, first)
