"""Moves about a part of a term: to the step that made it, and to what that was made of."""

from __future__ import annotations

from esoplay.debugging.debugger import Stop, Ticker
from esoplay.debugging.provenance import (
    Making,
    TermOrigin,
    origin_of_part,
    part_made_here,
    term_here,
)
from esoplay.tui.debug.moves import question, told
from esoplay.tui.debug.place_text import short, term_end_text
from esoplay.tui.debug.target import Driver, Move


def to_made(driver: Driver, part: int) -> Move:
    """Go to where the part was just made, and select what was made there."""
    debugger, window = driver.debugger, driver.sight.window

    def run(ticker: Ticker | None) -> Stop:
        found = origin_of_part(debugger, part, window, ticker, longest=1)
        name = short(found.text)
        if not found.links:
            return told(driver, f"{name} stands in the source, at {found.line}:{found.column}")
        step = found.links[0].step
        if step == debugger.step:
            text = f"the last step made {name}; p leads to what it was made of"
            return told(driver, text)
        stop = debugger.seek(step, ticker)
        if stop.step == step:
            driver.part_choice.choose(part_made_here(debugger, window, ticker), window)
        return stop

    return question(driver, "looking what made a term", run)


def to_application(driver: Driver, part: int) -> Move:
    """Log what made the part, and go to the application that did, which is selected."""
    debugger, window = driver.debugger, driver.sight.window

    def run(ticker: Ticker | None) -> Stop:
        found = origin_of_part(debugger, part, window, ticker)
        if not found.links:
            driver.part_choice.learn(found)
            return told(driver, term_end_text(found))
        step = found.links[0].step - 1
        stop = debugger.seek(step, ticker)
        if stop.step != step:
            return stop
        _log_chain(driver, found)
        term = term_here(debugger, window)
        redex = term.parts.index(term.redex) if term.redex in term.parts else None
        driver.part_choice.choose(redex, window)
        return told(driver, f"the next step makes {short(found.text)}")

    return question(driver, "looking what made a term", run, tells=True)


def list_makers(driver: Driver, part: int) -> Move:
    """Log what made the part, back to the source."""
    debugger, window = driver.debugger, driver.sight.window

    def run(ticker: Ticker | None) -> Stop:
        found = origin_of_part(debugger, part, window, ticker)
        _log_chain(driver, found)
        said = (
            f"what made {short(found.text)} is in the log" if found.links else term_end_text(found)
        )
        return told(driver, said)

    return question(driver, "looking what made a term", run)


def _log_chain(driver: Driver, origin: TermOrigin) -> None:
    """The chain in the log, the oldest link first."""
    driver.log_line(term_end_text(origin))
    for making in reversed(origin.links):
        driver.log_line(_making_text(making), making.step)
    driver.log_line(f"so it made {short(origin.text)}")


def _making_text(making: Making) -> str:
    return f"{short(making.instruction)} applied in {short(making.application)}"
