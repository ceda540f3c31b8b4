"""Search for the first wrong byte of the output, and for the step that printed it."""

from __future__ import annotations

from esoplay.debugging.debugger import Debugger, Reason, Stop, Ticker
from esoplay.running.run import GRADING_LIMITS
from esoplay.tui.debug.byte_glyphs import byte_name, format_int
from esoplay.tui.debug.divergence import Divergence, DivergenceKind, first_divergence
from esoplay.tui.debug.moves import Move, query_move
from esoplay.tui.debug.target import DebugTarget

FIRST_SLICE, MAX_SLICE = 1 << 14, 1 << 20
"""Initial and maximum steps between comparisons of the output; the number doubles each time."""
MAX_STEPS = GRADING_LIMITS.steps
"""Steps after which the search for a wrong byte ends: the step limit of a test."""
_SHORT = (DivergenceKind.SHORT, DivergenceKind.NEWLINE_MISSING)


def wrong_byte_move(target: DebugTarget, expected: bytes) -> Move:
    """Return a debugger move that stops before the step that prints the first wrong byte.

    If the output is correct but incomplete, the move goes to the end of the run or, after a fault,
    to the state before the failed instruction.
    """
    debugger = target.debugger

    def run(ticker: Ticker | None) -> Stop:
        divergence, stop = _look_ahead(debugger, expected, ticker)
        if stop is not None:
            return stop
        return _stop_at_byte(debugger, expected, divergence, ticker)

    return query_move(target, "looking for the first wrong byte", run, shows_all_reasons=True)


def _look_ahead(
    debugger: Debugger, expected: bytes, ticker: Ticker | None
) -> tuple[Divergence, Stop | None]:
    """Run to a wrong byte or the end; return the difference, and a stop if the user cancelled."""
    here, size = debugger.step, FIRST_SLICE
    while True:
        complete = debugger.end is not None or debugger.known_steps >= (MAX_STEPS or 0)
        divergence = first_divergence(expected, debugger.output, complete=complete)
        if complete or divergence.kind.is_failure:
            return divergence, None
        known = debugger.known_steps
        stop = debugger.seek(min(known + size, MAX_STEPS or known + size), ticker)
        kinds = {reason.kind for reason in stop.reasons}
        if "cancelled" in kinds:
            debugger.seek(here)
            return divergence, Stop(here, stop.reasons)
        if debugger.known_steps == known and debugger.end is None:  # the program waits for input
            return first_divergence(expected, debugger.output, complete=True), None
        size = min(2 * size, MAX_SLICE)


def _stop_at_byte(
    debugger: Debugger, expected: bytes, divergence: Divergence, ticker: Ticker | None
) -> Stop:
    """Move to the state before the wrong byte was printed, or to the end; describe the result."""
    kind, at = divergence
    output = debugger.output
    printing_step = None if at is None or kind in _SHORT else debugger.find_print_step(at)
    if at is not None and printing_step is not None:
        debugger.seek(max(0, printing_step - 1), ticker)
        wanted = byte_name(expected[at]) if at < len(expected) else "nothing"
        text = f"the next step prints byte {format_int(at)}, {byte_name(output[at])}"
        text += f"; expected {wanted}"
        return Stop(debugger.step, (Reason("step", text),))
    debugger.seek(debugger.known_steps if debugger.end is None else debugger.end, ticker)
    status = debugger.view().status
    if status == "faulted":
        text = "the next instruction fails"
    elif at is None:
        text = "the output is right" if status == "halted" else "the output is right so far"
    else:
        missing = byte_name(expected[at])
        text = f"the output ends here; expected {missing} as byte {format_int(at)}"
    return Stop(debugger.step, (Reason("step", text),))
