"""Moves in time as values, and questions as moves that return to their step if cancelled."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from esoplay.debugging.debugger import MoveCancelled, Reason, Stop, Ticker
from esoplay.errors import UsageError
from esoplay.tui.debug.target import DebugTarget


class Move(NamedTuple):
    """An operation on a program that may take long.

    name: what the status shows while it runs.  slow: run it in a thread from the start, because
    it cannot be cancelled before it ends.  explains: show why it stopped even after a change of
    the step.  after: called on the main thread once it has arrived.
    """

    name: str
    run: Callable[[Ticker | None], Stop]
    slow: bool = False
    explains: bool = False
    after: Callable[[], None] | None = None


def question(
    target: DebugTarget,
    title: str,
    run: Callable[[Ticker | None], Stop],
    *,
    slow: bool = False,
    explains: bool = False,
) -> Move:
    """Return a move that returns to its step if it is cancelled or raises UsageError."""
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

    return Move(title, ask, slow, explains)


def answer(target: DebugTarget, text: str) -> Stop:
    """Return a stop at the current step whose reason is an answer to a question."""
    return Stop(target.debugger.step, (Reason("step", text),))
