"""What breakpoints make of the stops of an engine: a stop, a line noted, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from esolangs.machine import Machine
from esolangs.stops import Address, StopSet
from esoplay.timeline.breakpoints import Breakpoint, Past, union
from esoplay.timeline.timeline import FAR, Timeline

if TYPE_CHECKING:
    from esoplay.timeline.source_steps import Follower

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
        self._past = Past(timeline.output, dict(firsts))
        self._counts = dict(counts)
        self._followers = _followers(timeline, breakpoints, low)
        others = [each for each in breakpoints if each.id not in self._followers]
        self._fixed = union([each.stops_after(firsts, low, high) for each in others])
        self._joined: tuple[list[StopSet], StopSet] = [], self._fixed

    @property
    def stops(self) -> StopSet:
        """What the engine has to watch for until its next stop."""
        if not self._followers:
            return self._fixed
        sets = [self._fixed, *(follower.stops for follower in self._followers.values())]
        if self._fixed == StopSet() and len(sets) == 2:
            return sets[1]
        before, joined = self._joined
        if len(before) != len(sets) or any(a is not b for a, b in zip(before, sets, strict=True)):
            joined = union(sets)
            self._joined = sets, joined
        return joined

    def next_tick(self, step: int) -> int:
        """The next step to look at because of its number."""
        ticks = (each.next_tick(step) for each in self.breakpoints)
        others = (each.next_tick(step) for each in self._followers.values())
        return min((tick for tick in (*ticks, *others) if tick is not None), default=FAR)

    def applies(self, breakpoint: Breakpoint, machine: Machine) -> bool:
        """Whether its place and effect match; to be asked once at each stop."""
        follower = self._followers.get(breakpoint.id)
        if follower is not None and not follower.begun(machine):
            return False
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


def _followers(
    timeline: Timeline, breakpoints: Sequence[Breakpoint], step: int
) -> dict[int, Follower]:
    """Those who tell when a line of the source is begun, for the breakpoints that ask."""
    asking = [(each, each.lines) for each in breakpoints if each.lines is not None]
    if not asking:
        return {}
    from esoplay.timeline.source_steps import LineFollower

    return {
        each.id: LineFollower(timeline, lines, step, each.spec.source_line or 0)
        for each, lines in asking
    }
