"""Provenance: the steps that wrote a value, its origin, and the origin of parts of terms."""

from __future__ import annotations

from typing import Any

from esolangs.stops import Slot
from esolangs.view import Location, Term, View, Window, as_json
from esoplay.debugging.debugger import Debugger, Ticker
from esoplay.errors import UsageError
from esoplay.timeline import history as history
from esoplay.timeline import provenance
from esoplay.timeline.history import ValueWrite
from esoplay.timeline.last_writes import Place
from esoplay.timeline.places import address_text, slot_text
from esoplay.timeline.provenance import (
    MAX_TERM_LINKS,
    OutputOrigin,
    TermCreation,
    TermOrigin,
    ValueOrigin,
    shown_term,
)
from esoplay.timeline.states import character_names, has_stacks, shown_stacks, stack_with_key

__all__ = [
    "OutputOrigin",
    "Place",
    "TermCreation",
    "TermOrigin",
    "ValueOrigin",
    "ValueWrite",
    "character_names",
    "check_place",
    "current_term",
    "end_text",
    "last_created_part",
    "location_of_step",
    "next_value_write",
    "origin",
    "origin_as_json",
    "origin_of_output",
    "origin_of_part",
    "place_as_json",
    "place_text",
    "shown_stacks",
    "shown_term",
    "term_origin_as_json",
    "value_write_as_json",
    "value_writes",
]


def value_writes(
    debugger: Debugger,
    place: Place,
    *,
    before: int | None = None,
    limit: int = 1,
    ticker: Ticker | None = None,
) -> list[ValueWrite]:
    """Return the last ``limit`` writes to a cell or stack level, newest first.

    before: the last step to include, by default the current step. Raises MoveCancelled if
    ``ticker`` returns False, and UsageError if the language does not have such places.
    """
    upto = debugger.step if before is None else before
    return history.value_writes_before(
        debugger.timeline, check_place(debugger, place), upto, limit, ticker
    )


def next_value_write(
    debugger: Debugger, place: Place, after: int, ticker: Ticker | None = None
) -> ValueWrite | None:
    """Return the first known write to a cell or stack level after step ``after``, or None.

    Raises MoveCancelled if ``ticker`` returns False, and UsageError if the language does not have
    such places.
    """
    return history.value_write_after(debugger.timeline, check_place(debugger, place), after, ticker)


def check_place(debugger: Debugger, place: Place) -> Place:
    """Check that programs in this language can have ``place``; return it or raise UsageError.

    A cell must exist. For a level of a stack, the language must have stacks; the level need not be
    in use.
    """
    machine = debugger.timeline.machine
    if not isinstance(place, Slot):
        try:
            machine.peek(place)
        except ValueError as error:
            raise UsageError(str(error)) from None
    elif not has_stacks(machine):
        raise UsageError(f"{debugger.program.language.name} has no stacks")
    return place


def origin(debugger: Debugger, place: Place, ticker: Ticker | None = None) -> ValueOrigin:
    """Return the origin of the current value of a cell or stack level.

    Raises MoveCancelled if ``ticker`` returns False, and UsageError if the place does not exist.
    """
    check_place(debugger, place)
    if isinstance(place, Slot):
        some = stack_with_key(debugger.timeline.machine, place.stack)
        if some is not None and place.level >= some.depth:
            kept = "is empty" if not some.depth else f"ends at level {some.depth - 1}"
            raise UsageError(f"there is no {slot_text(place)} now: the stack {kept}")
    return provenance.origin(debugger.timeline, place, debugger.step, ticker)


def origin_of_output(debugger: Debugger, index: int, ticker: Ticker | None = None) -> OutputOrigin:
    """Return the origin of an output byte; ``index`` counts from 0.

    Raises MoveCancelled if ``ticker`` returns False, and UsageError if the byte was not printed or
    tracing needs too much memory.
    """
    try:
        return provenance.output_origin(debugger.timeline, index, ticker)
    except ValueError as error:
        raise UsageError(str(error)) from None


def place_text(place: Place, view: View | None = None) -> str:
    """Return a place as text: ``cell 3``, ``level 3`` or ``level 3 of stack 1``.

    With a view of a play, cells and stacks have the names of their characters.
    """
    names = {} if view is None else character_names(view)
    if not isinstance(place, Slot):
        name = names.get(place) if isinstance(place, int) else None
        return name or f"cell {address_text(place)}"
    if place.stack in names:
        return f"level {place.level} of {names[place.stack]}'s stack"
    return slot_text(place)


def end_text(origin: ValueOrigin, view: View | None = None) -> str:
    """Describe how a chain of copies, traced back in time, ends; ``view``: see ``place_text``."""
    place = place_text(origin.place, view)
    if origin.end == "computed":
        return f"step {origin.step} made the value"
    if origin.end == "read":
        if origin.links[-1].read:
            return f"step {origin.step} read the value from the input"
        return f"step {origin.step} reached the end of the input"
    if origin.end == "edited":
        return f"{place} was set by hand at step {origin.step}"
    if origin.end == "initial":
        return f"{place} was never written: it has its initial value"
    return f"older copies are not listed: go to step {origin.step} and repeat the query for {place}"


def place_as_json(place: Place) -> dict[str, Any]:
    """Return a place as JSON: ``{cell}`` or ``{slot: {stack, level}}``."""
    return {"slot" if isinstance(place, Slot) else "cell": as_json(place)}


def value_write_as_json(write: ValueWrite) -> dict[str, Any]:
    """Return a write of a value as JSON; ``from`` is null if the value was not copied."""
    data: dict[str, Any] = {
        "step": write.step,
        **place_as_json(write.place),
        "value": write.value,
        "instruction": write.instruction,
        "span": list(write.span),
        "from": None if write.copied_from is None else place_as_json(write.copied_from),
    }
    if isinstance(write.location, tuple):
        data["position"] = list(write.location)
    return data


def origin_as_json(origin: ValueOrigin) -> dict[str, Any]:
    """Return the origin of a value as JSON: the value, the links of the chain and its end."""
    end = {"kind": origin.end, "step": origin.step, **place_as_json(origin.place)}
    links = [value_write_as_json(each) for each in origin.links]
    return {"value": origin.value, "links": links, "end": end}


# Terms


def current_term(debugger: Debugger, window: Window | None = None) -> Term:
    """Return the term in the current view. Raises UsageError if the language has no terms."""
    term = shown_term(debugger.view(window))
    if term is None:
        raise UsageError(f"{debugger.program.language.name} has no terms")
    return term


def origin_of_part(
    debugger: Debugger,
    part: int,
    window: Window | None = None,
    ticker: Ticker | None = None,
    max_length: int = MAX_TERM_LINKS,
) -> TermOrigin:
    """Return the origin of a part of the current term; parts are numbered from 0.

    Raises MoveCancelled if ``ticker`` returns False, and UsageError if the part does not exist or
    tracing needs too much memory.
    """
    try:
        return provenance.term_origin(debugger.timeline, part, window, ticker, max_length)
    except ValueError as error:
        raise UsageError(str(error)) from None


def last_created_part(
    debugger: Debugger, window: Window | None = None, ticker: Ticker | None = None
) -> int | None:
    """Return the number of the outermost part of the term that the last step made, or None.

    Raises MoveCancelled if ``ticker`` returns False.
    """
    return provenance.part_of_last_step(debugger.timeline, window, ticker)


def term_origin_as_json(origin: TermOrigin) -> dict[str, Any]:
    """Return the chain of applications that made a part of a term, as JSON."""
    end: dict[str, Any] = {"kind": origin.end}
    if origin.span is not None:
        end |= {"span": list(origin.span), "line": origin.line, "column": origin.column}
    links = [
        {
            "step": each.step,
            "instruction": each.instruction,
            "span": list(each.span),
            "application": each.application,
        }
        for each in origin.links
    ]
    return {"part": origin.part, "text": origin.text, "links": links, "end": end}


_SMALLEST_WINDOW = Window(cells=1, depth=1, width=1, height=1)


def location_of_step(debugger: Debugger, step: int) -> Location:
    """Return the location of the instruction that step ``step`` (from 1) executed.

    The step must be in known history; the debugger does not move.
    """
    return debugger.timeline.machine_at(step - 1).view(_SMALLEST_WINDOW).location
