"""Decide without a replay whether a run may have reached given locations between two steps.

Each checkpoint records groups of locations that the machine reached since the previous checkpoint.
A backward search skips intervals in which none of its locations was reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from esolangs.stops import Address, StopSet
from esoplay.timeline.timeline import Timeline


class StopLocations:
    """A set of locations, with a test whether a run may have reached any of them."""

    def __init__(self, timeline: Timeline, locations: frozenset[Address]):
        self._timeline = timeline
        self._locations = locations
        self._groups: dict[tuple[int, ...], int] = {}  # groups of the locations, by layout

    def may_be_reached(self, low: int, high: int) -> bool:
        """Return whether a state in ``low`` < step ≤ ``high`` may be at one of the locations."""
        reached = self._timeline.checkpoints.reached_between(low, high)
        if reached is None:
            return True
        return any(each.groups & self._location_groups(each.layout) for each in reached)

    def _location_groups(self, layout: tuple[int, ...]) -> int:
        found = self._groups.get(layout)
        if found is None:
            found = self._timeline.machine.reached_groups(self._locations, layout)
            self._groups[layout] = found
        return found


def stop_locations(timeline: Timeline, stops: Sequence[StopSet | None]) -> StopLocations | None:
    """Return the locations at which ``stops`` stop, or None if ``stops`` is empty.

    Also returns None if one of them may stop at other steps, for example after a write to a cell.
    """
    for each in stops:
        if each is None or each._replace(locations=frozenset(), filter=None) != StopSet():
            return None
    empty = frozenset[Address]()
    locations = reduce(
        lambda found, each: found | (each.locations if each else empty), stops, empty
    )
    return StopLocations(timeline, locations) if stops else None
