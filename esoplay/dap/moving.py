"""Moves through time as a client asks for them, which a pause or a change may interrupt.

All are called off at once when a message waits, and go on when it was answered.  A run is made
in slices: what was travelled in the slices before stays travelled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from esoplay.service.debugging import Debugger, Granularity, Reason, Stop

_FIRST = 20_000
"""Steps of the first slice; each further one is twice as long, so that what has to be counted
anew in each slice is counted few times."""

Direction = Literal["on", "back"]
Ended = Literal["stopped", "interrupted"]


def run(
    debugger: Debugger,
    direction: Direction,
    waits: Callable[[], bool],
    told: Callable[[], None],
) -> tuple[Ended, Stop]:
    """Continue until something stops the run, or ``waits`` says that a message is there.

    told: called after each slice, to tell of output.
    """
    reverse = direction == "back"
    logs: tuple[str, ...] = ()
    size = _FIRST
    while True:
        began = debugger.step
        stop = debugger.resume(
            reverse=reverse, budget=size, ticker=lambda _done, _total: not waits()
        )
        logs += stop.logs
        told()
        kinds = {reason.kind for reason in stop.reasons}
        if not kinds & {"budget", "cancelled"}:
            return "stopped", Stop(stop.step, stop.reasons, logs)
        if waits():
            return "interrupted", Stop(stop.step, stop.reasons, logs)
        if debugger.step == began and "cancelled" not in kinds:
            return "stopped", Stop(stop.step, (Reason("end", "nothing more can be done"),), logs)
        size *= 2


class Step:
    """One step of a granularity, or less: it ends at a breakpoint on its way.

    Where there are breakpoints it is made in stretches, each twice as long as the one before, as
    it may end far behind the first of them, or never.
    """

    def __init__(self, debugger: Debugger, granularity: Granularity, direction: Direction):
        self._debugger = debugger
        self._granularity: Granularity = granularity
        self._reverse = direction == "back"
        self._began = self._searched = debugger.step
        self._size = _FIRST

    def __call__(self, waits: Callable[[], bool]) -> tuple[Ended, Stop]:
        """Make it; to be called again where a message interrupts it."""

        def ticker(_done: int, _total: int) -> bool:
            return not waits()

        logs: tuple[str, ...] = ()
        while True:
            watched = bool(self._debugger.breakpoints)
            self._debugger.seek(self._began)
            stop = self._debugger.step_by(
                1,
                reverse=self._reverse,
                granularity=self._granularity,
                budget=self._size if watched else None,
                ticker=ticker,
            )
            reached, ended = stop.step, _ended(stop)
            if watched and ended == "stopped" and reached != self._searched:
                self._debugger.seek(self._searched)
                met = self._debugger.resume(
                    reverse=self._reverse, budget=abs(reached - self._searched), ticker=ticker
                )
                ended = _ended(met)
                logs += met.logs
                if any(reason.breakpoint is not None for reason in met.reasons):
                    return "stopped", Stop(met.step, met.reasons, logs)
            if ended == "interrupted":
                self._debugger.seek(self._searched)
                return ended, Stop(self._searched, stop.reasons, logs)
            self._searched = reached
            if not any(reason.kind == "budget" for reason in stop.reasons):
                return "stopped", Stop(reached, stop.reasons, logs)
            self._size *= 2


def seek(debugger: Debugger, step: int, waits: Callable[[], bool]) -> tuple[Ended, Stop]:
    """To a step, or as near as the run gets; where a message interrupts it nothing was done."""
    stop = debugger.seek(step, lambda _done, _total: not waits())
    return _ended(stop), stop


def _ended(stop: Stop) -> Ended:
    cancelled = any(reason.kind == "cancelled" for reason in stop.reasons)
    return "interrupted" if cancelled else "stopped"
