"""The last write to a place before a step, found with the results of earlier searches.

Searching backwards is slow if a place was last written long ago. Each search, even a cancelled one,
therefore stores the span of history that it has covered, and later searches skip this span.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple
from weakref import WeakKeyDictionary

from esolangs.stops import Address, Slot, StopSet
from esoplay.timeline.stops import last_stop, recent_stop
from esoplay.timeline.timeline import MoveCancelled, Recording, Ticker, Timeline, first_changed_step

Place = Address | Slot

MAX_PLACES = 64
"""The maximum number of places with stored spans; the least recently searched is dropped."""
MAX_SPANS = 1000
"""If more spans than this are stored for a place, the next search for it drops them all."""


class SearchedSpan(NamedTuple):
    """Steps without a write: all after ``low`` up to ``high``.

    ``complete``: whether ``low`` is known to be the last write up to ``high`` or, if ``low`` is 0,
    whether no step up to ``high`` is a write.
    """

    low: int
    high: int
    complete: bool


class LastWriteSearch:
    """Searches one timeline for the last write to a place, and skips steps already searched."""

    def __init__(self, timeline: Timeline) -> None:
        self._recording: Recording = timeline.recording
        self._spans: dict[StopSet, list[SearchedSpan]] = {}

    def find(
        self, timeline: Timeline, place: Place, last_step: int, ticker: Ticker | None = None
    ) -> int | None:
        """Return the last step up to ``last_step`` that wrote to ``place``, or None.

        Only known history is searched. Raises MoveCancelled if ``ticker`` returns False; the next
        call resumes the search.
        """
        self._discard_invalid(timeline)
        stops = stops_at_writes(place)  # the key: a slot and a point can be equal tuples
        spans = self._known_spans(stops)
        last_step = high = top = min(last_step, timeline.known_steps)
        search = recent_stop
        while high > 0:
            at = bisect_left(spans, high, key=lambda span: span.high)
            if at < len(spans) and spans[at].low <= high:
                span = spans[at]
                top = max(top, span.high)
                if span.complete:
                    high = span.low
                    break
                if span.low < high:  # otherwise step `high` was not searched
                    high = span.low
                    continue
            low = timeline.checkpoints.nearest_before(high - 1).steps
            if at:
                low = max(low, spans[at - 1].high)
            found = search(timeline, stops, low, high)
            search = last_stop
            high = low if found is None else found
            if found is not None:
                break
            if high and ticker is not None and not ticker(last_step - high, last_step):
                _add(spans, SearchedSpan(high, top, complete=False))
                raise MoveCancelled
        _add(spans, SearchedSpan(high, top, complete=True))
        return high or None

    def _known_spans(self, stops: StopSet) -> list[SearchedSpan]:
        """Return the stored spans of a place, and mark the place as searched most recently.

        stops: the stops at writes to the place, which identify it.
        """
        spans = self._spans.pop(stops, [])
        if len(spans) > MAX_SPANS:
            spans = []
        self._spans[stops] = spans
        if len(self._spans) > MAX_PLACES:
            del self._spans[next(iter(self._spans))]
        return spans

    def _discard_invalid(self, timeline: Timeline) -> None:
        """Discard search results that edits to the recording have made invalid.

        These are the results after the first edit that was added or removed since the last call.
        """
        recording = timeline.recording
        if recording is self._recording:
            return
        edited = first_changed_step(self._recording, recording)
        self._recording = recording
        if edited is None:
            return
        for stops, spans in self._spans.items():
            self._spans[stops] = [
                span._replace(high=min(span.high, edited)) for span in spans if span.low <= edited
            ]


def _add(spans: list[SearchedSpan], new: SearchedSpan) -> None:
    """Add a span in order; it replaces the spans inside it."""
    first = bisect_left(spans, new.low, key=lambda span: span.low)
    last = first
    while last < len(spans) and spans[last].high <= new.high:
        last += 1
    spans[first:last] = [new]


def stops_at_writes(place: Place) -> StopSet:
    """Return the stops at all writes to a place."""
    if isinstance(place, Slot):
        return StopSet(slots=frozenset({place}))
    return StopSet(writes=frozenset({place}))


def last_write(
    timeline: Timeline, place: Place, last_step: int, ticker: Ticker | None = None
) -> int | None:
    """Return the last step up to ``last_step`` that wrote to ``place``, or None.

    Only known history is searched. Raises MoveCancelled if ``ticker`` returns False; the next call
    resumes the search.
    """
    search = _SEARCHES.get(timeline)
    if search is None:
        search = _SEARCHES[timeline] = LastWriteSearch(timeline)
    return search.find(timeline, place, last_step, ticker)


_SEARCHES: WeakKeyDictionary[Timeline, LastWriteSearch] = WeakKeyDictionary()
