"""Moves about variables of the source: to the steps that gave them a value."""

from __future__ import annotations

from esoplay.service.debugging import Stop, Ticker
from esoplay.service.puts import next_put, puts
from esoplay.tui.debug.asking import question, told
from esoplay.tui.debug.driver import Driver, Move
from esoplay.tui.debug.sourced import Entry


def to_write(driver: Driver, entry: Entry, *, reverse: bool) -> Move:
    """Go to the previous or next step that wrote any of the cells of a variable."""
    debugger = driver.debugger

    def run(ticker: Ticker | None) -> Stop:
        here = debugger.step
        steps: list[int] = []
        for cell in entry.cells:
            if not reverse:
                later = next_put(debugger, cell, here, ticker)
                steps += [] if later is None else [later.step]
            elif here:
                earlier = puts(debugger, cell, before=here - 1, ticker=ticker)
                steps += [each.step for each in earlier[:1]]
        if steps:
            return debugger.seek(max(steps) if reverse else min(steps), ticker)
        if not entry.cells:
            return told(driver, f"{entry.name} has no cell of its own")
        missing = "no earlier write" if reverse else "no later write so far"
        return told(driver, f"{missing}: {entry.name}")

    name = f"looking for writes of {entry.name}"
    slow = not driver.history_is_short or len(entry.cells) > _AT_ONCE
    return question(driver, name, run, slow=slow)


_AT_ONCE = 16
"""Cells that are looked for on the screen's own thread; the rest takes a thread."""
