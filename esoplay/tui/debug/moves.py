"""Moves in time as values, and questions as moves that leave time where it is if cancelled."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from esoplay.debugging.debugger import MoveCancelled, Reason, Stop, Ticker
from esoplay.errors import UsageError
from esoplay.tui.debug.target import DebugTarget


class Move(NamedTuple):
    """Something that may take long.

    name: what the status says while it runs.  slow: it is not worth trying at once, because
    it cannot be cancelled before it is done.  tells: why it stopped is worth saying even
    where time has moved.  after: called on the screen's thread once it has arrived.
    """

    name: str
    run: Callable[[Ticker | None], Stop]
    slow: bool = False
    tells: bool = False
    after: Callable[[], None] | None = None


def question(
    target: DebugTarget,
    title: str,
    run: Callable[[Ticker | None], Stop],
    *,
    slow: bool = False,
    tells: bool = False,
) -> Move:
    """A move that stays where it is when it is cancelled, or asks for what cannot be."""
    debugger = target.debugger

    def asked(ticker: Ticker | None) -> Stop:
        here = debugger.step
        try:
            return run(ticker)
        except MoveCancelled:
            if debugger.step != here:
                debugger.seek(here)
            return Stop(here, (Reason("cancelled", "called off"),))
        except UsageError as error:
            return Stop(here, (Reason("step", str(error)),))

    return Move(title, asked, slow, tells)


def told(target: DebugTarget, text: str) -> Stop:
    """An answer, where time is now."""
    return Stop(target.debugger.step, (Reason("step", text),))
