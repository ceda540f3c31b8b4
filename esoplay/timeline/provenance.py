"""Where a value came from: from copy to copy back to the step that computed or read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from esolangs.numbers import shown
from esolangs.stops import Slot
from esolangs.view import Number
from esoplay.timeline.puts import Place, Put, puts_before
from esoplay.timeline.recording import Edit
from esoplay.timeline.timeline import Cancelled, Ticker, Timeline

LONGEST = 1000
"""Links of a chain."""

End = Literal["computed", "read", "edited", "initial", "more"]


@dataclass(frozen=True, slots=True)
class Origin:
    """How a value got to a place.

    links: the steps that put it somewhere, the last one first; each but the last copied it from
    the place that the next one put it into.  end: what came before them all.  computed: the
    last link made the value, out of others or as a constant.  read: it took the value from the
    input.  edited: the user wrote the value into ``place`` after ``step`` steps.  initial:
    ``place`` had it from the beginning.  more: there are more links than ``LONGEST``.
    """

    links: tuple[Put, ...]
    end: End
    place: Place
    step: int
    value: Number | None = None


def origin(timeline: Timeline, place: Place, step: int, ticker: Ticker | None = None) -> Origin:
    """Where the value came from that stands in ``place`` after ``step`` steps.

    Raises Cancelled.
    """
    links: list[Put] = []
    upto = min(step, timeline.known)
    while len(links) < LONGEST:
        found = puts_before(timeline, place, upto, 1, _within(ticker, upto, step))
        edit = _edit(timeline, place, found[0].step if found else 0, upto)
        if edit is not None:
            return _ended(links, "edited", place, edit.step, shown(edit.value))
        if not found:
            return _ended(links, "initial", place, 0, _initial(timeline, place))
        links += found
        put = links[-1]
        if put.source is None:
            end = "computed" if put.read is None else "read"
            return _ended(links, end, put.place, put.step, None)
        place, upto = put.source, put.step - 1
        if ticker is not None and not ticker(step - upto, step):
            raise Cancelled
    return _ended(links, "more", place, upto, None)


def _ended(links: list[Put], end: End, place: Place, step: int, value: Number | None) -> Origin:
    told = (each.value for each in links if each.value is not None)
    return Origin(tuple(links), end, place, step, next(told, value))


def _edit(timeline: Timeline, place: Place, low: int, high: int) -> Edit | None:
    """What the user wrote into a cell last, of the changes after steps ``low`` to ``high``."""
    if isinstance(place, Slot):  # it would equal a point
        return None
    return next(
        (
            edit
            for edit in reversed(timeline.recording.edits)
            if edit.address == place and low <= edit.step <= high
        ),
        None,
    )


def _initial(timeline: Timeline, place: Place) -> Number | None:
    if isinstance(place, Slot):
        return None
    return shown(timeline.machine_at(0).peek(place))


def _within(ticker: Ticker | None, upto: int, step: int) -> Ticker | None:
    """The same ticker for a part of the way: what lies between ``upto`` and ``step`` is done."""
    if ticker is None:
        return None
    return lambda done, _total: ticker(step - upto + done, step)
