"""What breakpoints make of the stops of an engine: a stop, a line noted, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from esolangs.machine import Machine
from esolangs.stops import Address
from esoplay.timeline.breakpoints import Breakpoint, Past, union
from esoplay.timeline.timeline import Timeline

FAR = 1 << 62
"""Further than any run gets."""

MOST_LOGS = 1000
"""Lines that log breakpoints may note in one move; the last ones are kept."""


@dataclass(slots=True)
class Match:
    step: int
    breakpoints: list[Breakpoint] = field(default_factory=list[Breakpoint])
    logs: list[str] = field(default_factory=list[str])
    noted_by: list[Breakpoint] = field(default_factory=list[Breakpoint])

    def take_notes(self) -> list[str]:
        """The lines; those who noted them have had a hit."""
        for each in self.noted_by:
            each.hits += 1
        return self.logs


@dataclass(slots=True)
class Interval:
    """What going back through an interval meets: its last stop, and the lines noted after it.

    passed: the lines by step, ascending; the first ones, which are met last.
    times: how often those who noted them did, also where the line was not kept.
    """

    stop: Match | None = None
    passed: list[list[str]] = field(default_factory=list[list[str]])
    times: Counter[Breakpoint] = field(default_factory=Counter[Breakpoint])

    def add(self, match: Match) -> None:
        """The next match of the interval."""
        if match.breakpoints:
            self.stop, self.passed, self.times = match, [], Counter()
            return
        self.times.update(match.noted_by)
        if len(self.passed) < MOST_LOGS:
            self.passed.append(match.logs)

    def take_notes(self) -> list[str]:
        """The lines as they are met; those who noted them have had their hits."""
        for each, times in self.times.items():
            each.hits += times
        at_stop = [] if self.stop is None else self.stop.take_notes()
        return [line for lines in reversed(self.passed) for line in lines] + at_stop


class Matcher:
    """Decides at engine stops; counts how often each breakpoint's place or effect applied."""

    def __init__(
        self,
        timeline: Timeline,
        breakpoints: Sequence[Breakpoint],
        counts: Mapping[int, int],
        firsts: Mapping[Address, int],
        low: int,
        high: int | None = None,
    ):
        """Of the stops in ``low`` < step ≤ ``high``; None has no end.

        counts: by breakpoint id, how often it applied up to ``low``.
        firsts: see ``Past``; up to ``high``.
        """
        self.breakpoints = breakpoints
        self.stops = union([each.stops_after(firsts, low, high) for each in breakpoints])
        self._past = Past(timeline.output, dict(firsts))
        self._counts = dict(counts)

    def next_tick(self, step: int) -> int:
        """The next step to look at because of its number."""
        ticks = (each.next_tick(step) for each in self.breakpoints)
        return min((tick for tick in ticks if tick is not None), default=FAR)

    def applies(self, breakpoint: Breakpoint, machine: Machine) -> bool:
        """Whether its place and effect match."""
        return breakpoint.applies(machine, self._past)

    def match(self, machine: Machine) -> Match | None:
        """The breakpoints that apply at the machine's state, or None."""
        match = Match(machine.steps)
        for each in self.breakpoints:
            if not self.applies(each, machine):
                continue
            self._counts[each.id] += 1
            hits = self._counts[each.id]
            if each.holds(machine, hits):
                line = each.log_line(machine, hits)
                if line is None:
                    match.breakpoints.append(each)
                else:
                    match.noted_by.append(each)
                    match.logs.append(line)
        return match if match.breakpoints or match.logs else None
