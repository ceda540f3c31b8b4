"""The last step before another one that wrote to a place, with what earlier searches have found.

Searching backwards is slow if a place was last written long ago.  Each search therefore leaves the
span of history that it has covered, and later ones skip it, even if the search was cancelled.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple
from weakref import WeakKeyDictionary

from esolangs.stops import Address, Slot, StopSet
from esoplay.timeline.stops import last_stop, recent_stop
from esoplay.timeline.timeline import MoveCancelled, Recording, Ticker, Timeline, first_changed_edit

Place = Address | Slot

MAX_PLACES = 64
"""The number of places whose spans are stored; the least recently searched are dropped."""
MAX_SPANS = 1000
"""The number of spans of one place above which all are dropped."""


class SearchedSpan(NamedTuple):
    """Steps without a write: all after ``low`` up to ``high``.

    ``complete``: whether step ``low`` is the last write, or 0 if there is none before.
    """

    low: int
    high: int
    complete: bool


class LastWrites:
    """The spans that searches in one timeline have covered, by place."""

    def __init__(self, timeline: Timeline) -> None:
        self._recording: Recording = timeline.recording
        self._spans: dict[StopSet, list[SearchedSpan]] = {}

    def find(
        self, timeline: Timeline, place: Place, upto: int, ticker: Ticker | None = None
    ) -> int | None:
        """Return the last step up to ``upto``, in known history, that wrote to ``place``, or None.

        Raises MoveCancelled if the ticker cancels; a repeated search then continues.
        """
        self._discard_invalid(timeline)
        stops = stops_of(place)  # a key too: as tuples, a slot can be equal to a point
        spans = self._spans_of(stops)
        upto = high = top = min(upto, timeline.known)
        search = recent_stop
        while high > 0:
            at = bisect_left(spans, high, key=lambda span: span.high)
            if at < len(spans) and spans[at].low <= high:
                span = spans[at]
                top = max(top, span.high)
                if span.complete:
                    high = span.low
                    break
                if span.low < high:  # otherwise nothing is known about step `high`
                    high = span.low
                    continue
            low = timeline.checkpoints.before(high - 1).steps
            if at:
                low = max(low, spans[at - 1].high)
            found = search(timeline, stops, low, high)
            search = last_stop
            high = low if found is None else found
            if found is not None:
                break
            if high and ticker is not None and not ticker(upto - high, upto):
                _add(spans, SearchedSpan(high, top, complete=False))
                raise MoveCancelled
        _add(spans, SearchedSpan(high, top, complete=True))
        return high or None

    def _spans_of(self, stops: StopSet) -> list[SearchedSpan]:
        """Return the spans of a place, which becomes the last one to be dropped."""
        spans = self._spans.pop(stops, [])
        if len(spans) > MAX_SPANS:
            spans = []
        self._spans[stops] = spans
        if len(self._spans) > MAX_PLACES:
            del self._spans[next(iter(self._spans))]
        return spans

    def _discard_invalid(self, timeline: Timeline) -> None:
        """Discard what is after the first edit that has changed."""
        recording = timeline.recording
        if recording is self._recording:
            return
        edited = first_changed_edit(self._recording, recording)
        self._recording = recording
        if edited is None:
            return
        for stops, spans in self._spans.items():
            self._spans[stops] = [
                span._replace(high=min(span.high, edited)) for span in spans if span.low <= edited
            ]


def _add(spans: list[SearchedSpan], new: SearchedSpan) -> None:
    """Add a span in order; it replaces the ones inside of it."""
    first = bisect_left(spans, new.low, key=lambda span: span.low)
    last = first
    while last < len(spans) and spans[last].high <= new.high:
        last += 1
    spans[first:last] = [new]


def stops_of(place: Place) -> StopSet:
    """Return the stops at all writes to a place."""
    if isinstance(place, Slot):
        return StopSet(slots=frozenset({place}))
    return StopSet(writes=frozenset({place}))


def last_write(
    timeline: Timeline, place: Place, upto: int, ticker: Ticker | None = None
) -> int | None:
    """Return the last step up to ``upto``, in known history, that wrote to ``place``, or None.

    Raises MoveCancelled if the ticker cancels; a repeated search then continues.
    """
    writes = _LAST_WRITES.get(timeline)
    if writes is None:
        writes = _LAST_WRITES[timeline] = LastWrites(timeline)
    return writes.find(timeline, place, upto, ticker)


_LAST_WRITES: WeakKeyDictionary[Timeline, LastWrites] = WeakKeyDictionary()
