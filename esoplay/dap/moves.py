"""The client's moves through time, which a pause or a change of breakpoints can interrupt.

A move is interrupted when a message waits, and resumed after the message was answered. A run
consists of slices; an interruption discards only the current slice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from esoplay.debugging.debugger import Debugger, Direction, Granularity, Reason, Stop, Ticker

_FIRST_BUDGET = 20_000
"""The number of steps that ``run`` makes before its first report; doubled after each report."""

MoveResult = Literal["stopped", "interrupted"]


def run(
    debugger: Debugger,
    direction: Direction,
    has_message: Callable[[], bool],
    report: Callable[[], None],
) -> tuple[MoveResult, Stop]:
    """Continue until the run stops or ``has_message`` returns True.

    report: called from time to time, to send output.
    """
    reverse = direction == "backwards"
    logs: tuple[str, ...] = ()
    budget = _FIRST_BUDGET
    while True:
        start_step = debugger.step
        stop = debugger.resume(
            reverse=reverse, budget=budget, ticker=lambda _done, _total: not has_message()
        )
        logs += stop.logs
        report()
        kinds = {reason.kind for reason in stop.reasons}
        if not kinds & {"budget", "cancelled"}:
            return "stopped", Stop(stop.step, stop.reasons, logs)
        if has_message():
            return "interrupted", Stop(stop.step, stop.reasons, logs)
        if debugger.step == start_step and "cancelled" not in kinds:
            return "stopped", Stop(
                stop.step, (Reason("end", "the program cannot run any further"),), logs
            )
        budget *= 2


class GranularStep:
    """A move by one unit, such as a line or a loop; a breakpoint can end it early.

    With breakpoints, the target of the step is searched in stretches of doubling length, because
    the target may be far past the first breakpoint, or may not exist. A breakpoint at the start
    does not end the step, so stepping over a loop from its beginning runs all iterations.
    """

    def __init__(self, debugger: Debugger, granularity: Granularity, direction: Direction):
        self._debugger = debugger
        self._granularity: Granularity = granularity
        self._reverse = direction == "backwards"
        self._place = debugger.timeline.machine.location
        self._start = self._searched = debugger.step
        self._budget = _FIRST_BUDGET

    def __call__(self, has_message: Callable[[], bool]) -> tuple[MoveResult, Stop]:
        """Run the step; if a message interrupts it, call this again to continue the step."""

        def ticker(_done: int, _total: int) -> bool:
            return not has_message()

        logs: tuple[str, ...] = ()
        while True:
            watched = bool(self._debugger.breakpoints)
            self._debugger.seek(self._start)
            stop = self._debugger.step_by(
                1,
                reverse=self._reverse,
                granularity=self._granularity,
                budget=self._budget if watched else None,
                ticker=ticker,
            )
            ended = _move_result(stop)
            if watched and ended == "stopped":
                met = self._search(stop.step, ticker)
                ended = _move_result(met)
                logs += met.logs
                if any(reason.breakpoint is not None for reason in met.reasons):
                    return "stopped", Stop(met.step, met.reasons, logs)
            if ended == "interrupted":
                self._debugger.seek(self._searched)
                return ended, Stop(self._searched, stop.reasons, logs)
            if not any(reason.kind == "budget" for reason in stop.reasons):
                return "stopped", Stop(stop.step, stop.reasons, logs)
            self._budget *= 2

    def _search(self, limit: int, ticker: Ticker) -> Stop:
        """Move to the next breakpoint before ``limit``, or to step ``limit``."""
        logs: tuple[str, ...] = ()
        met = Stop(limit, ())
        self._debugger.seek(self._searched)
        while self._searched != limit:
            left = abs(limit - self._searched)
            met = self._debugger.resume(reverse=self._reverse, budget=left, ticker=ticker)
            logs += met.logs
            self._searched = met.step
            if _move_result(met) == "interrupted" or not self._should_ignore(met, limit):
                break
        return Stop(met.step, met.reasons, logs)

    def _should_ignore(self, stop: Stop, limit: int) -> bool:
        """Return whether the step ignores a stop and continues."""
        if stop.step == limit or self._debugger.timeline.machine.location != self._place:
            return False
        of_places = {one.id for one in self._debugger.breakpoints if one.locations is not None}
        return all(reason.breakpoint in of_places for reason in stop.reasons)


def _move_result(stop: Stop) -> MoveResult:
    cancelled = any(reason.kind == "cancelled" for reason in stop.reasons)
    return "interrupted" if cancelled else "stopped"
