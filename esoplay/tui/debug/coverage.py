"""How much of a program was executed, as a move that tells it."""

from __future__ import annotations

from esoplay.service import heat as service
from esoplay.service.debugging import Cancelled, Reason, Stop, Ticker
from esoplay.tui.debug.driver import Driver, Move


def tell_coverage(driver: Driver, *, everything: bool, named: int) -> Move:
    """Say how many instructions were executed up to here, or in all of known history."""

    def run(ticker: Ticker | None) -> Stop:
        step = driver.debugger.step
        try:
            told = service.coverage(driver.debugger, named, everything=everything, ticker=ticker)
        except Cancelled:
            return Stop(step, (Reason("cancelled", "cancelled"),))
        words = service.coverage_words(told)
        driver.note(words)
        return Stop(step, (Reason("step", words),))

    return Move("counting executions", run)
