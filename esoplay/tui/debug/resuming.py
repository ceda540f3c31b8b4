"""Staying where one was when the program has changed."""

from __future__ import annotations

from esoplay.debugging.analysis import same_until
from esoplay.debugging.debugger import Cancelled, Reason, Stop, Ticker
from esoplay.tui.debug.anchors import Change
from esoplay.tui.debug.target import Driver, Move


def stay(old: Driver, new: Driver, explore: Move) -> Move:
    """Look ahead in a new version, from the step of the old one if all before it is the same."""
    step = old.moment.step
    before, after = old.debugger.program.source, new.debugger.program.source
    if not step or not Change(before, after).is_version:
        return explore

    def run(ticker: Ticker | None) -> Stop:
        if not new.debugger.step:
            try:
                same = same_until(old.debugger, new.debugger, step, ticker)
            except Cancelled:
                return Stop(0, (Reason("cancelled", "called off"),))
            if same == step:
                new.debugger.seek(step, ticker)
        return explore.run(ticker)

    return Move(explore.name, run)
