"""How often breakpoints applied up to a step: what ``hits`` in a condition or a log text means."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from esolangs.stops import Address
from esoplay.timeline.breakpoints import Breakpoint
from esoplay.timeline.firsts import firsts_of
from esoplay.timeline.matches import Matcher
from esoplay.timeline.scans import SCAN, stopped_machines
from esoplay.timeline.timeline import Ticker, Timeline, tick


def hits_up_to(
    timeline: Timeline,
    breakpoints: Sequence[Breakpoint],
    marks: Sequence[int],
    ticker: Ticker | None,
) -> dict[int, dict[int, int]]:
    """For each of ``marks`` (steps, ascending): how often each breakpoint applied up to there.

    0 where neither a condition nor a log text asks for it.
    """
    counts = {mark: dict.fromkeys((each.id for each in breakpoints), 0) for mark in marks}
    for each in breakpoints:
        if not each.asks_for_hits:
            continue
        if each.filtered:
            for mark, total in _filtered_counts(timeline, each, marks, ticker):
                counts[mark][each.id] = total
            continue
        total, here = 0, 0
        machine = timeline.resume(0)
        for mark in marks:
            for leg in timeline.legs(here, mark):
                while machine.steps < leg:
                    before = machine.steps
                    total += machine.scan(min(SCAN, leg - before), each.stops).total
                    if machine.steps == before:
                        break
                    tick(ticker, machine.steps, marks[-1])
                timeline.apply_edits(machine)
            counts[mark][each.id], here = total, mark
    return counts


def _filtered_counts(
    timeline: Timeline, each: Breakpoint, marks: Sequence[int], ticker: Ticker | None
) -> Iterator[tuple[int, int]]:
    """What ``hits_up_to`` tells of a breakpoint whose every stop has to be looked at."""
    high = marks[-1]
    firsts = first_arrivals(timeline, [each], high, ticker)
    matcher = Matcher(timeline, [each], {}, firsts, 0, high)
    steps = [
        machine.steps
        for machine in stopped_machines(
            timeline, lambda: matcher.stops, 0, high, ticker, matcher.next_tick
        )
        if matcher.applies(each, machine)
    ]
    yield from ((mark, bisect_right(steps, mark)) for mark in marks)


def first_arrivals(
    timeline: Timeline, breakpoints: Sequence[Breakpoint], step: int, ticker: Ticker | None
) -> Mapping[Address, int]:
    """First arrivals up to ``step``, where a breakpoint asks for them."""
    if not any(each.spec.new for each in breakpoints):
        return {}
    return firsts_of(timeline).until(timeline, step, ticker)
