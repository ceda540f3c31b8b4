"""Moves about variables of the source: to the steps that gave them another value.

A program may move a value out of its cells and back only to read it.  So what counts is the value
where lines of the source are begun: a variable was given its value in the last line ahead of
which it had another one.
"""

from __future__ import annotations

from esoplay.debugging.debugger import Debugger, MoveCancelled, Reason, Stop, Ticker
from esoplay.debugging.provenance import next_put, puts
from esoplay.debugging.source_maps import last_line, line_here, variables
from esoplay.tui.debug.moves import Move, question, told
from esoplay.tui.debug.sourced import VariableRow
from esoplay.tui.debug.target import DebugTarget

_AT_ONCE = 16
"""Cells that are looked for on the screen's own thread; the rest takes a thread."""


def to_change(target: DebugTarget, entry: VariableRow, *, reverse: bool) -> Move:
    """Go to the write that gave a variable the value it has, or the next that gives it another."""
    debugger, start = target.debugger, target.moment.step

    def run(ticker: Ticker | None) -> Stop:
        if debugger.step != start:  # called off after some of the way
            debugger.seek(start)
        try:
            if entry.cells:
                find = _given if reverse else _taken
            else:
                find = _given_by_line if reverse else _taken_by_line
            found = find(debugger, entry, ticker)
        except MoveCancelled:
            debugger.seek(start)
            raise
        if found is not None:
            return debugger.seek(found)
        debugger.seek(start)
        missing = "had this value from the start" if reverse else "gets no other value so far"
        return told(target, f"{entry.name} {missing}")

    name = f"looking for where {entry.name} changes"
    slow = not target.history_is_short or len(entry.cells) > _AT_ONCE
    return question(target, name, run, slow=slow)


def _given(debugger: Debugger, entry: VariableRow, ticker: Ticker | None) -> int | None:
    """The last step before this one that wrote the value, behind all that put it back only."""
    if _last_write(debugger, entry, debugger.step, ticker) == debugger.step:
        _by_line(debugger, ticker, reverse=True)  # this is such a write: from before its line on
    value, at = _value(debugger, entry), debugger.step
    while at > 0:
        step = _last_write(debugger, entry, at, ticker)
        if step is None:
            return None
        debugger.seek(step, ticker)
        _by_line(debugger, ticker, reverse=True)
        if _value(debugger, entry) != value:
            return step
        at = debugger.step
    return None


def _taken(debugger: Debugger, entry: VariableRow, ticker: Ticker | None) -> int | None:
    """The step ahead that is the last to write the cells in the line that changes the value."""
    value = _value(debugger, entry)
    while True:
        later = [next_put(debugger, cell, debugger.step, ticker) for cell in entry.cells]
        steps = [each.step for each in later if each is not None]
        if not steps:
            return None
        debugger.seek(min(steps), ticker)
        _by_line(debugger, ticker, reverse=False)
        if _value(debugger, entry) != value:
            return _last_write(debugger, entry, debugger.step, ticker)


def _given_by_line(debugger: Debugger, entry: VariableRow, ticker: Ticker | None) -> int | None:
    """Of a variable in no cell: the first state with this value, as lines are begun."""
    value, start = _value(debugger, entry), debugger.step
    while True:
        at = debugger.step
        if not _by_line(debugger, ticker, reverse=True):
            return None
        before = _value(debugger, entry)
        if before != value and None not in before:
            if at != start:
                return at
            value = before  # this is such a state: from before its line on


def _taken_by_line(debugger: Debugger, entry: VariableRow, ticker: Ticker | None) -> int | None:
    """Of a variable in no cell: the next state with another value, as lines are begun."""
    value, moved = _value(debugger, entry), True
    while moved:
        moved = _by_line(debugger, ticker, reverse=False)
        if _value(debugger, entry) != value:
            return debugger.step
    return None


def _last_write(
    debugger: Debugger, entry: VariableRow, before: int, ticker: Ticker | None
) -> int | None:
    found = (puts(debugger, cell, before=before, ticker=ticker)[:1] for cell in entry.cells)
    return max((put.step for each in found for put in each), default=None)


def _by_line(debugger: Debugger, ticker: Ticker | None, *, reverse: bool) -> bool:
    """Whether there was another line to go to."""
    stop = debugger.step_by(1, reverse=reverse, granularity="source", ticker=ticker)
    if any(reason.kind == "cancelled" for reason in stop.reasons):
        raise MoveCancelled
    return stop.reasons[0].kind == "step"


def _value(debugger: Debugger, entry: VariableRow) -> tuple[int | None, ...]:
    return tuple(each.value for each in variables(debugger) if each.name in entry.members)


# From line to line of a source, where one line consists of many statements.
#
# A line *starts* where one is begun and the one begun before it is another, or there was none.  So
# the statements of a function that a line calls are passed over, and what is met backwards is what
# was met forwards, reversed.

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
