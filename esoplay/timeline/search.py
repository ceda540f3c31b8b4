"""Moves to the next breakpoint that applies, forwards and backwards.

A backward search scans history forwards from each checkpoint, latest interval first, and uses the
last stop of an interval. Both directions therefore find the same stops.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from esolangs.machine import FINAL, Machine
from esolangs.stops import Address, StopSet
from esolangs.wording import format_count
from esoplay.timeline.breakpoints import Breakpoint, TimelineContext, build_filter, union
from esoplay.timeline.first_occurrences import cached_first_arrivals
from esoplay.timeline.reached_locations import stop_locations
from esoplay.timeline.stops import (
    MAX_SCAN_STEPS,
    NO_STOPS,
    TICK_SECONDS,
    Reason,
    Stop,
    ending_reason,
    last_stop,
    stopped_machines,
)
from esoplay.timeline.timeline import (
    FAR,
    MoveCancelled,
    Ticker,
    TimeBudget,
    TimeLimitReached,
    Timeline,
    remove_time_limit,
    tick,
)

if TYPE_CHECKING:
    from esoplay.timeline.source_steps import MachineFollower


# Effects of breakpoints at a stop of the engine: a stop, a log line, or nothing

MAX_LOGS = 1000
"""The maximum number of log lines of a move; earlier lines are dropped."""


@dataclass(slots=True)
class Match:
    step: int
    breakpoints: list[Breakpoint] = field(default_factory=list[Breakpoint])
    logs: list[str] = field(default_factory=list[str])
    log_breakpoints: list[Breakpoint] = field(default_factory=list[Breakpoint])

    def take_logs(self) -> list[str]:
        """Return the log lines, and count a hit for each breakpoint that wrote one."""
        for each in self.log_breakpoints:
            each.hits += 1
        return self.logs


@dataclass(slots=True)
class ReverseSearchResult:
    """The result of a reverse search: the last stop and the log lines after it.

    ``logs`` contains the lines, sorted by step; if there are too many, the last ones are dropped.
    ``log_counts`` counts the lines of each breakpoint, including dropped lines.
    """

    stop: Match | None = None
    logs: list[list[str]] = field(default_factory=list[list[str]])
    log_counts: Counter[Breakpoint] = field(default_factory=Counter[Breakpoint])

    def add(self, match: Match) -> None:
        """Add a match, whose step is after the steps of all matches added before."""
        if match.breakpoints:
            self.stop, self.logs, self.log_counts = match, [], Counter()
            return
        self.log_counts.update(match.log_breakpoints)
        if len(self.logs) < MAX_LOGS:
            self.logs.append(match.logs)

    def take_logs(self) -> list[str]:
        """Return the log lines, newest step first; add all logged matches to the hit counts."""
        for each, times in self.log_counts.items():
            each.hits += times
        at_stop = [] if self.stop is None else self.stop.take_logs()
        return [line for lines in reversed(self.logs) for line in lines] + at_stop


class StopMatcher:
    """A matcher of breakpoints at stops of the engine; it counts the matches of each breakpoint."""

    def __init__(
        self,
        timeline: Timeline,
        breakpoints: Sequence[Breakpoint],
        counts: Mapping[int, int],
        first_arrivals: Mapping[Address, int],
        low: int,
        high: int | None = None,
    ):
        """Match stops in ``low`` < step ≤ ``high``, or all after ``low`` if ``high`` is None.

        ``counts`` maps breakpoint ids to the number of matches up to ``low``. ``first_arrivals`` is
        as in ``TimelineContext``, up to ``high``.
        """
        self.breakpoints = breakpoints
        self._context = TimelineContext(timeline.output, dict(first_arrivals))
        self._counts = dict(counts)
        self._line_followers = _line_followers(timeline, breakpoints, low)
        others = [each for each in breakpoints if each.id not in self._line_followers]
        self._fixed_stops = union([each.stops_after(first_arrivals, low, high) for each in others])
        # An edit changes a state after the engine has evaluated the filter there.
        if self._fixed_stops != NO_STOPS and not timeline.recording.edits:
            self._fixed_stops = self._fixed_stops._replace(filter=build_filter(breakpoints))
        self._cached_union: tuple[list[StopSet], StopSet] = [], self._fixed_stops

    @property
    def stops(self) -> StopSet:
        """The stops that the engine has to watch for next."""
        if not self._line_followers:
            return self._fixed_stops
        sets = [self._fixed_stops, *(follower.stops for follower in self._line_followers.values())]
        if self._fixed_stops == StopSet() and len(sets) == 2:
            return sets[1]
        before, joined = self._cached_union
        if len(before) != len(sets) or any(a is not b for a, b in zip(before, sets, strict=True)):
            joined = union(sets)
            self._cached_union = sets, joined
        return joined

    def next_checked_step(self, step: int) -> int:
        """Return the next step after ``step`` to check even if the engine does not stop, or FAR.

        At all other steps, breakpoints are checked only if the engine stops.
        """
        ticks = (each.next_checked_step(step) for each in self.breakpoints)
        others = (each.next_checked_step(step) for each in self._line_followers.values())
        return min((tick for tick in (*ticks, *others) if tick is not None), default=FAR)

    def applies(self, breakpoint: Breakpoint, machine: Machine) -> bool:
        """Return whether a breakpoint's location and effect match; call it once at each stop."""
        follower = self._line_followers.get(breakpoint.id)
        if follower is not None and not follower.is_line_start(machine):
            return False
        return breakpoint.applies(machine, self._context)

    def match(self, machine: Machine) -> Match | None:
        """Return the breakpoints that apply in the machine's state, or None."""
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
                    match.log_breakpoints.append(each)
                    match.logs.append(line)
        return match if match.breakpoints or match.logs else None


def _line_followers(
    timeline: Timeline, breakpoints: Sequence[Breakpoint], step: int
) -> dict[int, MachineFollower]:
    """Return an observer of line starts for each breakpoint on a source line, by breakpoint id."""
    asking = [(each, each.lines) for each in breakpoints if each.lines is not None]
    if not asking:
        return {}
    from esoplay.timeline.source_steps import LineFollower

    return {
        each.id: LineFollower(timeline, lines, step, each.spec.source_line or 0)
        for each, lines in asking
    }


# Hits: how often breakpoints applied up to a step, for ``hits`` in a condition or a log text


def count_hits_up_to(
    timeline: Timeline,
    breakpoints: Sequence[Breakpoint],
    query_steps: Sequence[int],
    ticker: Ticker | None,
) -> dict[int, dict[int, int]]:
    """Count the matches of each breakpoint up to each of ``query_steps``, which ascend.

    The result is 0 for breakpoints whose condition and log text do not use ``hits``.
    """
    counts = {step: dict.fromkeys((each.id for each in breakpoints), 0) for step in query_steps}
    for each in breakpoints:
        if not each.uses_hits:
            continue
        if each.needs_filter:
            for step, total in _filtered_counts(timeline, each, query_steps, ticker):
                counts[step][each.id] = total
            continue
        for step, total in _scanned_counts(timeline, each, query_steps, ticker):
            if step in counts:
                counts[step][each.id] = total
    return counts


def _scanned_counts(
    timeline: Timeline, breakpoint: Breakpoint, query_steps: Sequence[int], ticker: Ticker | None
) -> Iterator[tuple[int, int]]:
    """Yield each of ``query_steps`` with the number of matches up to it, counted by the engine.

    Also yields the steps of some checkpoints with the numbers of matches up to them.
    """
    total = here = 0
    machine: Machine | None = None
    locations = stop_locations(timeline, [breakpoint.location_stops])
    between = [] if locations is None else timeline.checkpoints.steps_between(1, query_steps[-1])
    for step in sorted({*query_steps, *between}):
        if locations is not None and not locations.may_be_reached(here, step):
            machine = None
        else:
            machine = machine or timeline.machine_at(here)
            for segment_end in timeline.segment_ends(here, step):
                while machine.steps < segment_end:
                    before = machine.steps
                    total += machine.scan(
                        min(MAX_SCAN_STEPS, segment_end - before), breakpoint.stops
                    ).total
                    if machine.steps == before:
                        break
                    tick(ticker, machine.steps, query_steps[-1])
                timeline.apply_edits(machine)
        yield step, total
        here = step


def _filtered_counts(
    timeline: Timeline, breakpoint: Breakpoint, query_steps: Sequence[int], ticker: Ticker | None
) -> Iterator[tuple[int, int]]:
    """Yield each of ``query_steps`` with the number of matches of the breakpoint up to it.

    Location and effect are checked at every stop of the engine; the condition is not checked.
    """
    high = query_steps[-1]
    first_arrivals = find_first_arrivals(timeline, [breakpoint], high, ticker)
    matcher = StopMatcher(timeline, [breakpoint], {}, first_arrivals, 0, high)
    steps = [
        machine.steps
        for machine in stopped_machines(
            timeline, lambda: matcher.stops, 0, high, ticker, matcher.next_checked_step
        )
        if matcher.applies(breakpoint, machine)
    ]
    yield from ((step, bisect_right(steps, step)) for step in query_steps)


def find_first_arrivals(
    timeline: Timeline, breakpoints: Sequence[Breakpoint], step: int, ticker: Ticker | None
) -> Mapping[Address, int]:
    """Return the first arrival at each instruction up to ``step``; {} if no breakpoint needs it."""
    if not any(each.spec.new for each in breakpoints):
        return {}
    return cached_first_arrivals(timeline).arrivals_until(timeline, step, ticker)


def run_forward(
    timeline: Timeline,
    breakpoints: Sequence[Breakpoint],
    budget: int | None = None,
    ticker: Ticker | None = None,
) -> Stop:
    """Run to the first stop or to the end, but for at most ``budget`` steps.

    Raises MoveCancelled, after restoring the position, if ``ticker`` returns False, and
    TimeLimitReached, at the step reached, when its time limit expires.
    """
    start_step = timeline.step
    target = FAR if budget is None else start_step + budget
    enabled_breakpoints = [each for each in breakpoints if each.applies_in("forwards")]
    counts = count_hits_up_to(
        timeline, enabled_breakpoints, [start_step], remove_time_limit(ticker)
    )[start_step]
    first_arrivals = find_first_arrivals(
        timeline, enabled_breakpoints, start_step, remove_time_limit(ticker)
    )
    known = {at: step for at, step in first_arrivals.items() if step <= start_step}
    matcher = StopMatcher(timeline, enabled_breakpoints, counts, known, start_step)
    logs: list[str] = []
    ticked = time.monotonic()
    try:
        while timeline.step < target:
            checked_step = matcher.next_checked_step(timeline.step)
            stops = matcher.stops
            watched = stops if stops != NO_STOPS else None
            status = timeline.advance(min(target, checked_step), watched)
            if status == "stopped" or timeline.step == checked_step:
                match = matcher.match(timeline.machine)
                if match is not None:
                    logs += match.take_logs()
                    del logs[:-MAX_LOGS]
                if match is not None and match.breakpoints:
                    return Stop(timeline.step, _record_hits(match.breakpoints), tuple(logs))
            if status in FINAL or status == "needs_input":
                return Stop(timeline.step, (ending_reason(timeline),), tuple(logs))
            if time.monotonic() - ticked > TICK_SECONDS:
                ticked = time.monotonic()
                tick(ticker, timeline.step - start_step, target - start_step)
    except MoveCancelled:
        timeline.seek(start_step)
        raise
    if timeline.step == timeline.end:
        timeline.seek(timeline.step)
        return Stop(timeline.step, (ending_reason(timeline),), tuple(logs))
    return Stop(
        timeline.step,
        (Reason("budget", f"{format_count(budget or 0, 'step')} executed"),),
        tuple(logs),
    )


_TIMED_CHUNK = 20_000
"""The steps per chunk of a reverse move that has a time limit and evaluates conditions."""


def run_backward(
    timeline: Timeline,
    breakpoints: Sequence[Breakpoint],
    budget: int | None = None,
    ticker: Ticker | None = None,
) -> Stop:
    """Move back to the last stop or to the start, but by at most ``budget`` steps.

    Raises MoveCancelled, without moving, if ``ticker`` returns False.
    """
    start_step = high = timeline.step
    floor = 0 if budget is None else max(0, start_step - budget)
    enabled_breakpoints = [each for each in breakpoints if each.applies_in("backwards")]
    # Start before the floor, so that a stop at the floor is found even at a checkpoint.
    lows = [timeline.checkpoints.nearest_before(max(0, floor - 1)).steps]
    lows += [low for low in timeline.checkpoints.steps_between(floor, start_step) if low > lows[0]]
    if isinstance(ticker, TimeBudget) and any(
        each.needs_processing for each in enabled_breakpoints
    ):
        ends = [*lows[1:], start_step]
        lows = [
            at for low, end in zip(lows, ends, strict=True) for at in range(low, end, _TIMED_CHUNK)
        ]
    counts = count_hits_up_to(timeline, enabled_breakpoints, lows, remove_time_limit(ticker))
    first_arrivals = find_first_arrivals(
        timeline, enabled_breakpoints, start_step, remove_time_limit(ticker)
    )
    locations = stop_locations(timeline, [each.location_stops for each in enabled_breakpoints])
    logs: list[str] = []
    for low in reversed(lows):
        upto = min(high, start_step - 1)
        # A move must check at least one step before it times out, so that repeated moves make
        # progress. Step ``high`` and the first step are not checked.
        timed = ticker if high < start_step - 1 else remove_time_limit(ticker)
        try:
            found = ReverseSearchResult()
            if locations is None or locations.may_be_reached(low, upto):
                found = _matches(
                    timeline,
                    enabled_breakpoints,
                    low,
                    upto,
                    counts[low],
                    first_arrivals,
                    floor,
                    timed,
                )
            logs += found.take_logs()
            del logs[:-MAX_LOGS]
            if found.stop is not None:
                timeline.seek(found.stop.step)
                return Stop(found.stop.step, _record_hits(found.stop.breakpoints), tuple(logs))
            high = low
            tick(ticker if high < start_step - 1 else timed, start_step - low, start_step - floor)
        except TimeLimitReached:
            floor = max(floor, high + 1)
            break
    timeline.seek(floor)
    if floor:
        words = f"{format_count(start_step - floor, 'step')} undone"
        return Stop(floor, (Reason("budget", words),), tuple(logs))
    first = [
        each
        for each in enabled_breakpoints
        if start_step and each.applies_at_start(timeline.machine)
    ]
    if first:
        return Stop(0, _record_hits(first), tuple(logs))
    return Stop(0, (Reason("start", "start of history"),), tuple(logs))


def move_to_stop(
    timeline: Timeline,
    stops: StopSet,
    reverse: bool,
    ticker: Ticker | None,
    budget: int | None = None,
) -> bool:
    """Move to the nearest step at which one of ``stops`` applies; return whether one was found.

    Otherwise moves to the end of history, or by ``budget`` steps. Raises MoveCancelled, after
    restoring the position, if ``ticker`` returns False, and TimeLimitReached, at the step reached,
    when its time limit expires.
    """
    start_step = timeline.step
    if not reverse:
        target = FAR if budget is None else start_step + budget
        while True:
            status = timeline.advance(target, stops)
            if status == "stopped":
                return True
            if status in FINAL or status == "needs_input" or timeline.step >= target:
                return False
            try:
                tick(ticker, timeline.step - start_step, FAR)
            except MoveCancelled:
                timeline.seek(start_step)
                raise
    high = start_step - 1
    floor = 0 if budget is None else max(0, start_step - budget)
    locations = stop_locations(timeline, [stops])
    for low in reversed(timeline.checkpoints.steps_between(0, start_step)):
        last = None
        if high > low and (locations is None or locations.may_be_reached(low, high)):
            last = last_stop(timeline, stops, low, high)
        if last is not None and last >= floor:
            timeline.seek(last)
            return True
        high = min(low, high)
        if last is not None or high < floor:
            break
        try:  # the search must check a step before it times out
            tick(
                ticker if high < start_step - 1 else remove_time_limit(ticker),
                start_step - low,
                start_step - floor,
            )
        except TimeLimitReached:
            timeline.seek(high + 1)
            raise
    timeline.seek(floor)
    return False


def _matches(
    timeline: Timeline,
    enabled_breakpoints: Sequence[Breakpoint],
    low: int,
    high: int,
    counts: Mapping[int, int],
    first_arrivals: Mapping[Address, int],
    floor: int,
    ticker: Ticker | None,
) -> ReverseSearchResult:
    """Search the steps after ``low`` up to ``high`` for matches of breakpoints.

    floor: the first step at which a match counts; ``low`` can be an earlier checkpoint.
    """
    found = ReverseSearchResult()
    if all(each.spec.new for each in enabled_breakpoints):  # no match after the last first arrival
        high = max((step for step in first_arrivals.values() if low < step <= high), default=low)
    if not enabled_breakpoints or high <= low:
        return found
    indices = {each.stops.output_index for each in enabled_breakpoints} - {None}
    # An engine watches for one output index; for several it stops at every byte.
    if len(indices) <= 1 and not any(each.needs_processing for each in enabled_breakpoints):
        found.stop = _last_plain_match(timeline, enabled_breakpoints, max(low, floor - 1), high)
        return found
    matcher = StopMatcher(timeline, enabled_breakpoints, counts, first_arrivals, low, high)
    for machine in stopped_machines(
        timeline, lambda: matcher.stops, low, high, ticker, matcher.next_checked_step
    ):
        match = matcher.match(machine)
        if match is not None and match.step >= floor:
            found.add(match)
    return found


def _last_plain_match(
    timeline: Timeline, enabled_breakpoints: Sequence[Breakpoint], low: int, high: int
) -> Match | None:
    """Return the last match in ``low`` < step ≤ ``high``, or None.

    ``needs_processing`` must be false for all breakpoints, so that a scan by the engine finds the
    match.
    """
    stops = union([each.stops for each in enabled_breakpoints])
    last = last_stop(timeline, stops, low, high)
    if last is None:
        return None
    # Start one step earlier, to observe the effects of step ``last``.
    machine = timeline.machine_at(last - 1)
    machine.run(1, stops)
    past = TimelineContext(timeline.output, {})
    return Match(last, [each for each in enabled_breakpoints if each.applies(machine, past)])


def _record_hits(breakpoints: list[Breakpoint]) -> tuple[Reason, ...]:
    """Count a hit of each breakpoint; return the breakpoints as reasons of the stop."""
    for each in breakpoints:
        each.hits += 1
    return _breakpoint_reasons(breakpoints)


def _breakpoint_reasons(breakpoints: list[Breakpoint]) -> tuple[Reason, ...]:
    return tuple(
        Reason("breakpoint", f"breakpoint {each.id}: {each.spec}", each.id) for each in breakpoints
    )
