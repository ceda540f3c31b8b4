"""Moves about places: to the steps that put values there, and to where a value comes from."""

from __future__ import annotations

from esolangs.numbers import shown
from esolangs.source import locate
from esolangs.stops import Slot
from esoplay.debugging.debugger import CellWrite, Stop, Ticker, address_text
from esoplay.debugging.provenance import Place, Put, end_text, next_put, origin, puts
from esoplay.tui.debug.moves import question, told
from esoplay.tui.debug.place_text import instruction_text, place_text, source_text
from esoplay.tui.debug.target import Driver, Move

CHAIN_LISTED = 50
"""Links of a chain of copies that the log gets, the ones nearest to the origin."""


def to_put(driver: Driver, place: Place, *, reverse: bool) -> Move:
    """Go to the previous or next step that put a value into a place."""
    name, debugger = place_text(place, driver.moment.view), driver.debugger

    def run(ticker: Ticker | None) -> Stop:
        here = debugger.step
        if reverse:
            earlier = puts(debugger, place, before=here - 1, ticker=ticker) if here else []
            found = next(iter(earlier), None)
        else:
            found = next_put(debugger, place, here, ticker)
        if found is not None:
            return debugger.seek(found.step, ticker)
        done = "push" if isinstance(place, Slot) else "write"
        missing = f"earlier {done}{_initial(driver, place)}" if reverse else f"later {done} so far"
        return told(driver, f"no {missing}: {name}")

    return question(driver, f"looking for writes of {name}", run, slow=not driver.history_is_short)


def list_puts(driver: Driver, place: Place, limit: int) -> Move:
    """Log the last steps up to here that put a value into a place."""
    name, debugger = place_text(place, driver.moment.view), driver.debugger

    def run(ticker: Ticker | None) -> Stop:
        if isinstance(place, Slot):
            kind, never = "pushes", "never pushed"
            pushes = puts(debugger, place, limit=limit, ticker=ticker)
            lines = [
                (f"{name}: {_put_text(driver, put)}{_place_of(driver, put)}", put.step)
                for put in pushes
            ]
        else:
            kind, never = "writes", "never written"
            writes = debugger.writes(place, limit=limit, ticker=ticker)
            lines = [
                (
                    f"{name}: {shown(each.old)} → {shown(each.new)}{_place_of(driver, each)}",
                    each.step,
                )
                for each in writes
            ]
        for line, step in reversed(lines):
            driver.log_line(line, step)
        nothing = f"{never} so far{_initial(driver, place)}"
        return told(driver, f"{name}: {f'its {kind} are in the log' if lines else nothing}")

    return question(driver, f"listing writes of {name}", run, slow=not driver.history_is_short)


def to_origin(driver: Driver, place: Place) -> Move:
    """Log how the value of a place got there, and go to the step that made it."""
    view, debugger = driver.moment.view, driver.debugger
    name = place_text(place, view)

    def run(ticker: Ticker | None) -> Stop:
        found = origin(debugger, place, ticker)
        end = end_text(found, view)
        said = end if end.startswith(name) else f"{name}: {end}"
        if found.links:
            stop = debugger.seek(found.links[-1].step, ticker)
            if stop.step != found.links[-1].step:
                return stop
        for put in found.links[-CHAIN_LISTED:]:
            driver.log_line(f"{place_text(put.place, view)}: {_put_text(driver, put)}", put.step)
        driver.log_line(said, debugger.step)
        return told(driver, said)

    return question(
        driver,
        f"looking where {name} comes from",
        run,
        slow=not driver.history_is_short,
        tells=True,
    )


def _put_text(driver: Driver, put: Put) -> str:
    done = "pushed" if isinstance(put.place, Slot) else "written"
    value = "" if put.value is None else f"{put.value} "
    source = source_text(put, driver.moment.view)
    return f"{value}{done} by {instruction_text(put)}{source}"


def _place_of(driver: Driver, put: Put | CellWrite) -> str:
    """``, at 3:4``: where the instruction stands, in a plane by its cell."""
    if isinstance(put.location, tuple):
        return f", at {address_text(put.location)}"
    line, column = locate(driver.debugger.program.source, put.span[0])
    return f", at {line}:{column}"


def _initial(driver: Driver, place: Place) -> str:
    """The value of a cell that was never written, where it is always the same."""
    return "" if driver.on_a_plane or isinstance(place, Slot) else ", its initial value is 0"
