"""Moves to the steps that changed a source variable, and moves by source line.

A program may move a value out of its cells temporarily to read it. Therefore values are compared
only where source lines start: a variable got its value in the last line that started with another
value.
"""

from __future__ import annotations

from esoplay.debugging.debugger import Debugger, MoveCancelled, Reason, Stop, Ticker
from esoplay.debugging.provenance import next_value_write, value_writes
from esoplay.debugging.source_maps import current_span, last_line, variables
from esoplay.tui.debug.moves import Move, query_move, stop_with_text
from esoplay.tui.debug.source_position import VariableRow
from esoplay.tui.debug.target import DebugTarget

MAX_MAIN_THREAD_CELLS = 16
"""Maximum number of a variable's cells to search on the main thread; more need a thread."""


def move_to_change(target: DebugTarget, variable: VariableRow, *, reverse: bool) -> Move:
    """Return a move to the next change of a variable or, if ``reverse``, to the previous one."""
    debugger, start = target.debugger, target.snapshot.step

    def run(ticker: Ticker | None) -> Stop:
        if debugger.step != start:  # an earlier attempt was cancelled
            debugger.seek(start)
        try:
            if variable.cells:
                find = _step_of_value if reverse else _step_of_next_value
            else:
                find = _statement_step_of_value if reverse else _statement_step_of_next_value
            found = find(debugger, variable, ticker)
        except MoveCancelled:
            debugger.seek(start)
            raise
        if found is not None:
            return debugger.seek(found)
        debugger.seek(start)
        outcome = (
            "has had this value since the start"
            if reverse
            else "does not change again in the steps known so far"
        )
        return stop_with_text(target, f"{variable.name} {outcome}")

    name = f"looking for where {variable.name} changes"
    slow = not target.is_history_short or len(variable.cells) > MAX_MAIN_THREAD_CELLS
    return query_move(target, name, run, in_thread=slow)


def _step_of_value(debugger: Debugger, variable: VariableRow, ticker: Ticker | None) -> int | None:
    """Return the step of the last write in the latest statement that changed a variable's value.

    Returns None if no statement changed it.  Statements that write the same value again are
    ignored.  If the current step is a write to the variable, the search begins before its
    statement.  The search moves the debugger.
    """
    if _last_write_step(debugger, variable, debugger.step, ticker) == debugger.step:
        # The current step is such a write, so start before its statement.
        _step_by_statement(debugger, ticker, reverse=True)
    value, at = _current_value(debugger, variable), debugger.step
    while at > 0:
        step = _last_write_step(debugger, variable, at, ticker)
        if step is None:
            return None
        debugger.seek(step, ticker)
        _step_by_statement(debugger, ticker, reverse=True)
        if _current_value(debugger, variable) != value:
            return step
        at = debugger.step
    return None


def _step_of_next_value(
    debugger: Debugger, variable: VariableRow, ticker: Ticker | None
) -> int | None:
    """Find the next statement that changes a variable; return the step of its last write."""
    value = _current_value(debugger, variable)
    while True:
        later = [next_value_write(debugger, cell, debugger.step, ticker) for cell in variable.cells]
        steps = [each.step for each in later if each is not None]
        if not steps:
            return None
        debugger.seek(min(steps), ticker)
        _step_by_statement(debugger, ticker, reverse=False)
        if _current_value(debugger, variable) != value:
            return _last_write_step(debugger, variable, debugger.step, ticker)


def _statement_step_of_value(
    debugger: Debugger, variable: VariableRow, ticker: Ticker | None
) -> int | None:
    """Return the step since which a variable without cells has had its value.

    A statement starts at this step.  If it is the current step, return the step since which the
    variable had its previous value.  Return None if there is no such step.  The search moves the
    debugger.
    """
    value, start = _current_value(debugger, variable), debugger.step
    while True:
        at = debugger.step
        if not _step_by_statement(debugger, ticker, reverse=True):
            return None
        before = _current_value(debugger, variable)
        if before != value and None not in before:
            if at != start:
                return at
            value = before  # The current step is such a state, so start before its statement.


def _statement_step_of_next_value(
    debugger: Debugger, variable: VariableRow, ticker: Ticker | None
) -> int | None:
    """Return the next step at which a statement starts and the variable has another value.

    variable: a variable without cells.
    """
    value, moved = _current_value(debugger, variable), True
    while moved:
        moved = _step_by_statement(debugger, ticker, reverse=False)
        if _current_value(debugger, variable) != value:
            return debugger.step
    return None


def _last_write_step(
    debugger: Debugger, variable: VariableRow, before: int, ticker: Ticker | None
) -> int | None:
    found = (
        value_writes(debugger, cell, before=before, ticker=ticker)[:1] for cell in variable.cells
    )
    return max((put.step for each in found for put in each), default=None)


def _step_by_statement(debugger: Debugger, ticker: Ticker | None, *, reverse: bool) -> bool:
    """Move to the next or previous statement of the source; return whether there was one."""
    stop = debugger.step_by(1, reverse=reverse, granularity="source", ticker=ticker)
    if any(reason.kind == "cancelled" for reason in stop.reasons):
        raise MoveCancelled
    return stop.reasons[0].kind == "step"


def _current_value(debugger: Debugger, variable: VariableRow) -> tuple[int | None, ...]:
    return tuple(each.value for each in variables(debugger) if each.name in variable.members)


# Moves by line, for sources with several statements in a line. A line *starts* at the first
# statement, or at a statement on another line than the statement before it. Moves in both
# directions stop at the same steps.

_CANCELLED = Reason("cancelled", "cancelled")


def move_by_lines(
    debugger: Debugger, count: int, *, reverse: bool = False, ticker: Ticker | None = None
) -> Stop:
    """Move by ``count`` line starts; if cancelled, return to the starting step."""
    start = debugger.step
    move = _move_to_previous_line_start if reverse else _move_to_next_line_start
    stop = Stop(start, ())
    for _ in range(count):
        here = debugger.step
        stop = move(debugger, ticker)
        if any(reason.kind == "cancelled" for reason in stop.reasons):
            debugger.seek(start)
            return Stop(start, (_CANCELLED,))
        if debugger.step == here:
            break
    return stop


def _move_to_next_line_start(debugger: Debugger, ticker: Ticker | None) -> Stop:
    before = _current_line(debugger) or last_line(debugger)
    while True:
        here = debugger.step
        stop = debugger.step_by(1, granularity="source", ticker=ticker)
        line = _current_line(debugger)
        if _has_stalled(stop, here, debugger) or line != before:
            return stop
        before = line


def _move_to_previous_line_start(debugger: Debugger, ticker: Ticker | None) -> Stop:
    here = debugger.step
    stop = debugger.step_by(1, reverse=True, granularity="source", ticker=ticker)
    while not _has_stalled(stop, here, debugger):
        here, line = debugger.step, _current_line(debugger)
        earlier = debugger.step_by(1, reverse=True, granularity="source", ticker=ticker)
        if any(reason.kind == "cancelled" for reason in earlier.reasons):
            return earlier
        if _has_stalled(earlier, here, debugger) or _current_line(debugger) != line:
            return debugger.seek(here)
        stop = earlier
    return stop


def _current_line(debugger: Debugger) -> int | None:
    here = current_span(debugger)
    return None if here is None else here.line


def _has_stalled(stop: Stop, start: int, debugger: Debugger) -> bool:
    """Return whether a move did not change the step, or stopped before it was complete."""
    kinds = {reason.kind for reason in stop.reasons}
    return debugger.step == start or not kinds <= {"step"}
