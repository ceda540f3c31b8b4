"""The last of many stops, by replaying without stopping."""

from __future__ import annotations

from esolangs.stops import StopSet
from esoplay.timeline.timeline import Timeline

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
