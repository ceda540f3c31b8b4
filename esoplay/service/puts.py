"""The façade of questions about places, cells or slots: which steps put values there."""

from __future__ import annotations

from esolangs.stops import Slot
from esoplay.errors import UsageError
from esoplay.service.debugging import Debugger, Ticker
from esoplay.timeline import history as asked
from esoplay.timeline.history import Place, Put
from esoplay.timeline.states import characters_of, has_stacks, stacks_of

__all__ = [
    "Place",
    "Put",
    "characters_of",
    "checked_place",
    "next_put",
    "puts",
    "stacks_of",
]


def puts(
    debugger: Debugger,
    place: Place,
    *,
    before: int | None = None,
    limit: int = 1,
    ticker: Ticker | None = None,
) -> list[Put]:
    """The last steps up to ``before`` (default: here) that put a value there, newest first.

    Raises Cancelled, and UsageError where the language can have no such place.
    """
    upto = debugger.step if before is None else before
    return asked.puts_before(debugger.timeline, checked_place(debugger, place), upto, limit, ticker)


def next_put(
    debugger: Debugger, place: Place, after: int, ticker: Ticker | None = None
) -> Put | None:
    """The first step after step ``after``, in known history, that put a value there.

    Raises Cancelled, and UsageError where the language can have no such place.
    """
    return asked.put_after(debugger.timeline, checked_place(debugger, place), after, ticker)


def checked_place(debugger: Debugger, place: Place) -> Place:
    """The place; UsageError where the language can have no such one."""
    machine = debugger.timeline.machine
    if not isinstance(place, Slot):
        try:
            machine.peek(place)
        except ValueError as error:
            raise UsageError(str(error)) from None
    elif not has_stacks(machine):
        raise UsageError(f"{debugger.program.language.name} has no stacks")
    return place
