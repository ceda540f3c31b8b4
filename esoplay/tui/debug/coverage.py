"""How much of a program was executed, as a move that tells it."""

from __future__ import annotations

from esoplay.service import heat as service
from esoplay.service.debugging import Stop, Ticker
from esoplay.tui.debug.asking import question, told
from esoplay.tui.debug.driver import Driver, Move


def tell_coverage(driver: Driver, *, everything: bool, named: int) -> Move:
    """Say how many instructions were executed up to here, or in all of known history."""

    def run(ticker: Ticker | None) -> Stop:
        found = service.coverage(driver.debugger, named, everything=everything, ticker=ticker)
        words = service.coverage_words(found)
        driver.log_line(words)
        return told(driver, words)

    return question(driver, "counting executions", run)
