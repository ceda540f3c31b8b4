"""Moves through a run, and queries, which return to the starting step if cancelled."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from esoplay.debugging.debugger import MoveCancelled, Reason, Stop, Ticker
from esoplay.errors import UsageError
from esoplay.tui.debug.target import DebugTarget


class Move(NamedTuple):
    """An operation of the debugger that may take a long time, such as a replay or a search.

    name: shown in the status while it runs. in_thread: start the operation in a thread. Otherwise
    it starts on the main thread, and starts again in a thread if it exceeds a time limit.
    shows_all_reasons: show all stop reasons even if the step has changed. on_complete: called on
    the main thread when the operation is complete.
    """

    name: str
    run: Callable[[Ticker | None], Stop]
    in_thread: bool = False
    shows_all_reasons: bool = False
    on_complete: Callable[[], None] | None = None


def query_move(
    target: DebugTarget,
    title: str,
    run: Callable[[Ticker | None], Stop],
    *,
    in_thread: bool = False,
    shows_all_reasons: bool = False,
) -> Move:
    """Return a query: a move that returns to the starting step if cancelled.

    A UsageError becomes the reason of the stop.
    """
    debugger = target.debugger

    def ask(ticker: Ticker | None) -> Stop:
        here = debugger.step
        try:
            return run(ticker)
        except MoveCancelled:
            if debugger.step != here:
                debugger.seek(here)
            return Stop(here, (Reason("cancelled", "cancelled"),))
        except UsageError as error:
            return Stop(here, (Reason("step", str(error)),))

    return Move(title, ask, in_thread, shows_all_reasons)


def stop_with_text(target: DebugTarget, text: str) -> Stop:
    """Return a stop at the current step with ``text`` as its reason."""
    return Stop(target.debugger.step, (Reason("step", text),))
