"""From line to line of a source, where one line consists of many statements.

A line *starts* where one is begun and the one begun before it is another, or there was none.  So
the statements of a function that a line calls are passed over, and what is met backwards is what
was met forwards, reversed.
"""

from __future__ import annotations

from esoplay.debugging.debugger import Debugger, Reason, Stop, Ticker
from esoplay.debugging.source_maps import last_line, line_here

_CANCELLED = Reason("cancelled", "cancelled")


def other_line(
    debugger: Debugger, count: int, *, reverse: bool = False, ticker: Ticker | None = None
) -> Stop:
    """``count`` times to where a line starts.  Called off, time is where it was."""
    began = debugger.step
    move = _before if reverse else _next
    stop = Stop(began, ())
    for _ in range(count):
        here = debugger.step
        stop = move(debugger, ticker)
        if any(reason.kind == "cancelled" for reason in stop.reasons):
            debugger.seek(began)
            return Stop(began, (_CANCELLED,))
        if debugger.step == here:
            break
    return stop


def _next(debugger: Debugger, ticker: Ticker | None) -> Stop:
    before = _line(debugger) or last_line(debugger)
    while True:
        here = debugger.step
        stop = debugger.step_by(1, granularity="source", ticker=ticker)
        line = _line(debugger)
        if _ended(stop, here, debugger) or line != before:
            return stop
        before = line


def _before(debugger: Debugger, ticker: Ticker | None) -> Stop:
    here = debugger.step
    stop = debugger.step_by(1, reverse=True, granularity="source", ticker=ticker)
    while not _ended(stop, here, debugger):
        here, line = debugger.step, _line(debugger)
        earlier = debugger.step_by(1, reverse=True, granularity="source", ticker=ticker)
        if any(reason.kind == "cancelled" for reason in earlier.reasons):
            return earlier
        if _ended(earlier, here, debugger) or _line(debugger) != line:
            return debugger.seek(here)
        stop = earlier
    return stop


def _line(debugger: Debugger) -> int | None:
    here = line_here(debugger)
    return None if here is None else here.line


def _ended(stop: Stop, here: int, debugger: Debugger) -> bool:
    """Time has not moved, or got to an end of history where no line is begun."""
    kinds = {reason.kind for reason in stop.reasons}
    return debugger.step == here or not kinds <= {"step"}
