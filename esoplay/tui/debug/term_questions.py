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
from esoplay.tui.debug.moves import Move, question, told
from esoplay.tui.debug.place_text import short, term_end_text
from esoplay.tui.debug.target import DebugTarget


def to_made(target: DebugTarget, part: int) -> Move:
    """Go to where the part was just made, and select what was made there."""
    debugger, window = target.debugger, target.sight.window

    def run(ticker: Ticker | None) -> Stop:
        found = origin_of_part(debugger, part, window, ticker, longest=1)
        name = short(found.text)
        if not found.links:
            return told(target, f"{name} stands in the source, at {found.line}:{found.column}")
        step = found.links[0].step
        if step == debugger.step:
            text = f"the last step made {name}; p leads to what it was made of"
            return told(target, text)
        stop = debugger.seek(step, ticker)
        if stop.step == step:
            target.part_choice.choose(part_made_here(debugger, window, ticker), window)
        return stop

    return question(target, "looking what made a term", run)


def to_application(target: DebugTarget, part: int) -> Move:
    """Log what made the part, and go to the application that did, which is selected."""
    debugger, window = target.debugger, target.sight.window

    def run(ticker: Ticker | None) -> Stop:
        found = origin_of_part(debugger, part, window, ticker)
        if not found.links:
            target.part_choice.learn(found)
            return told(target, term_end_text(found))
        step = found.links[0].step - 1
        stop = debugger.seek(step, ticker)
        if stop.step != step:
            return stop
        _log_chain(target, found)
        term = term_here(debugger, window)
        redex = term.parts.index(term.redex) if term.redex in term.parts else None
        target.part_choice.choose(redex, window)
        return told(target, f"the next step makes {short(found.text)}")

    return question(target, "looking what made a term", run, tells=True)


def list_makers(target: DebugTarget, part: int) -> Move:
    """Log what made the part, back to the source."""
    debugger, window = target.debugger, target.sight.window

    def run(ticker: Ticker | None) -> Stop:
        found = origin_of_part(debugger, part, window, ticker)
        _log_chain(target, found)
        said = (
            f"what made {short(found.text)} is in the log" if found.links else term_end_text(found)
        )
        return told(target, said)

    return question(target, "looking what made a term", run)


def _log_chain(target: DebugTarget, origin: TermOrigin) -> None:
    """The chain in the log, the oldest link first."""
    target.log_line(term_end_text(origin))
    for making in reversed(origin.links):
        target.log_line(_making_text(making), making.step)
    target.log_line(f"so it made {short(origin.text)}")


def _making_text(making: Making) -> str:
    return f"{short(making.instruction)} applied in {short(making.application)}"
