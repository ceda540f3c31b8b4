"""Questions as moves: what was found out is said, and called off they leave time where it was."""

from __future__ import annotations

from collections.abc import Callable

from esoplay.debugging.debugger import Cancelled, Reason, Stop, Ticker
from esoplay.errors import UsageError
from esoplay.tui.debug.target import Driver, Move


def question(
    driver: Driver,
    title: str,
    run: Callable[[Ticker | None], Stop],
    *,
    slow: bool = False,
    tells: bool = False,
) -> Move:
    """A move that stays where it is when it is called off, or asks for what cannot be."""
    debugger = driver.debugger

    def asked(ticker: Ticker | None) -> Stop:
        here = debugger.step
        try:
            return run(ticker)
        except Cancelled:
            if debugger.step != here:
                debugger.seek(here)
            return Stop(here, (Reason("cancelled", "called off"),))
        except UsageError as error:
            return Stop(here, (Reason("step", str(error)),))

    return Move(title, asked, slow, tells)


def told(driver: Driver, text: str) -> Stop:
    """An answer, where time is now."""
    return Stop(driver.debugger.step, (Reason("step", text),))
