"""Moves about places: to the steps that put values there, and to where a value comes from."""

from __future__ import annotations

from esolangs.numbers import shown
from esolangs.stops import Slot
from esoplay.service.debugging import Reason, Stop, Ticker
from esoplay.service.provenance import end_text, origin
from esoplay.service.puts import Place, Put, next_put, puts
from esoplay.tui.debug.driver import Driver, Move
from esoplay.tui.debug.place_text import instruction_text, place_text, source_text

CHAIN_LISTED = 50
"""Links of a chain of copies that the log gets, the ones nearest to the origin."""


def to_put(driver: Driver, place: Place, *, reverse: bool) -> Move:
    """Go to the previous or next step that put a value into a place."""
    name, debugger = place_text(place), driver.debugger

    def run(ticker: Ticker | None) -> Stop:
        here = debugger.step
        if reverse:
            found = next(iter(puts(debugger, place, before=here - 1)), None) if here else None
        else:
            found = next_put(debugger, place, here)
        if found is not None:
            return debugger.seek(found.step, ticker)
        done = "write" if not isinstance(place, Slot) else "push"
        missing = f"earlier {done}{_initial(driver, place)}" if reverse else f"later {done} so far"
        return Stop(here, (Reason("step", f"no {missing}: {name}"),))

    return Move(f"looking for writes of {name}", run, slow=not driver.history_is_short)


def list_puts(driver: Driver, place: Place, limit: int) -> Move:
    """Note the last steps up to here that put a value into a place in the log."""
    name, debugger = place_text(place), driver.debugger

    def run(ticker: Ticker | None) -> Stop:
        if isinstance(place, Slot):
            found = puts(debugger, place, limit=limit, ticker=ticker)
            for put in reversed(found):
                driver.note(f"{name}: {_told(put, place)}", put.step)
        else:
            found = debugger.writes(place, limit=limit, ticker=ticker)
            for write in reversed(found):
                driver.note(f"{name}: {shown(write.old)} → {shown(write.new)}", write.step)
        kind = "pushes" if isinstance(place, Slot) else "writes"
        never = "never pushed" if isinstance(place, Slot) else "never written"
        nothing = f"{never} so far{_initial(driver, place)}"
        said = f"its {kind} are in the log" if found else nothing
        return Stop(debugger.step, (Reason("step", f"{name}: {said}"),))

    return Move(f"listing writes of {name}", run, slow=not driver.history_is_short)


def to_origin(driver: Driver, place: Place) -> Move:
    """Note how the value of a place got there in the log, and go to the step that made it."""
    name, debugger = place_text(place), driver.debugger

    def run(ticker: Ticker | None) -> Stop:
        found = origin(debugger, place, ticker)
        for put in found.links[-CHAIN_LISTED:]:
            driver.note(f"{place_text(put.place)}: {_told(put, place)}", put.step)
        said = f"{name}: {end_text(found)}"
        driver.note(said, found.step)
        if not found.links:
            return Stop(debugger.step, (Reason("step", said),))
        stop = debugger.seek(found.links[-1].step, ticker)
        told = stop.reasons if stop.step != found.links[-1].step else (Reason("step", said),)
        return Stop(stop.step, told)

    title = f"looking where {name} comes from"
    return Move(title, run, slow=not driver.history_is_short, tells=True)


def _told(put: Put, place: Place) -> str:
    done = "written" if not isinstance(put.place, Slot) else "pushed"
    value = "" if put.value is None else f"{put.value} "
    beside = place if isinstance(place, Slot) else None
    return f"{value}{done} by {instruction_text(put)}{source_text(put, beside)}"


def _initial(driver: Driver, place: Place) -> str:
    """The value of a cell that was never written, where it is always the same."""
    return "" if driver.on_a_plane or isinstance(place, Slot) else ", its initial value is 0"
