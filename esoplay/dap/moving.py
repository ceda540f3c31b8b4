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


def step(
    debugger: Debugger,
    granularity: Granularity,
    direction: Direction,
    waits: Callable[[], bool],
) -> tuple[Ended, Stop]:
    """One step of a granularity; where a message interrupts it, it has to be made again."""
    stop = debugger.step_by(
        1,
        reverse=direction == "back",
        granularity=granularity,
        ticker=lambda _done, _total: not waits(),
    )
    return _ended(stop), stop


def seek(debugger: Debugger, step: int, waits: Callable[[], bool]) -> tuple[Ended, Stop]:
    """To a step, or as near as the run gets; as ``step`` where a message interrupts it."""
    stop = debugger.seek(step, lambda _done, _total: not waits())
    return _ended(stop), stop


def _ended(stop: Stop) -> Ended:
    cancelled = any(reason.kind == "cancelled" for reason in stop.reasons)
    return "interrupted" if cancelled else "stopped"
