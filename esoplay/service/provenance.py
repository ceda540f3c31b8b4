"""Where a value comes from: a cell's, or one on a stack; with what is told of it as JSON."""

from __future__ import annotations

from typing import Any

from esolangs.stops import Slot
from esolangs.view import Stage, View, as_json
from esoplay.errors import UsageError
from esoplay.service.debugging import Debugger, Ticker
from esoplay.timeline import provenance
from esoplay.timeline.places import address_text, slot_text
from esoplay.timeline.provenance import Origin
from esoplay.timeline.puts import Place, Put, puts_before
from esoplay.timeline.slots import has_stacks, stack_of, stacks_of

__all__ = [
    "Origin",
    "Place",
    "Put",
    "checked_place",
    "end_text",
    "origin",
    "origin_as_json",
    "place_as_json",
    "place_text",
    "put_as_json",
    "puts",
    "stacks_of",
]


def origin(debugger: Debugger, place: Place, ticker: Ticker | None = None) -> Origin:
    """Where the value came from that stands in a place now.

    Raises Cancelled, and UsageError where there is no such place now.
    """
    checked_place(debugger, place)
    if isinstance(place, Slot):
        some = stack_of(debugger.timeline.machine, place.stack)
        if some is not None and place.level >= some.depth:
            kept = "is empty" if not some.depth else f"ends at level {some.depth - 1}"
            raise UsageError(f"there is no {slot_text(place)} now: the stack {kept}")
    return provenance.origin(debugger.timeline, place, debugger.step, ticker)


def puts(
    debugger: Debugger,
    slot: Slot,
    *,
    before: int | None = None,
    limit: int = 1,
    ticker: Ticker | None = None,
) -> list[Put]:
    """The last steps up to ``before`` (default: here) that put a value there, newest first.

    Raises Cancelled, and UsageError in a language that has no stacks.
    """
    checked_place(debugger, slot)
    upto = debugger.step if before is None else before
    return puts_before(debugger.timeline, slot, upto, limit, ticker)


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


def place_text(place: Place, view: View | None = None) -> str:
    """``cell 3``, ``level 3`` or ``level 3 of stack 1``.

    With a view of a play, cells and stacks have the names of the characters they belong to.
    """
    panels = () if view is None else view.panels
    cast = next((panel.actors for panel in panels if isinstance(panel, Stage)), ())
    names = {actor.stack.key: actor.name for actor in cast}
    if not isinstance(place, Slot):
        name = names.get(place) if isinstance(place, int) else None
        return name or f"cell {address_text(place)}"
    if place.stack in names:
        return f"level {place.level} of {names[place.stack]}'s stack"
    return slot_text(place)


def end_text(origin: Origin, view: View | None = None) -> str:
    """What the chain of copies ends at, in plain words; ``view`` as for ``place_text``."""
    place = place_text(origin.place, view)
    if origin.end == "computed":
        return f"step {origin.step} made the value"
    if origin.end == "read":
        if origin.links[-1].read:
            return f"step {origin.step} read the value from the input"
        return f"step {origin.step} met the end of the input"
    if origin.end == "edited":
        return f"{place} was set by hand at step {origin.step}"
    if origin.end == "initial":
        return f"{place} was never written: it has its initial value"
    return f"further copies lead to {place} at step {origin.step}: ask again from there"


def place_as_json(place: Place) -> dict[str, Any]:
    """``{cell}`` or ``{slot: {stack, level}}``."""
    return {"slot" if isinstance(place, Slot) else "cell": as_json(place)}


def put_as_json(put: Put) -> dict[str, Any]:
    """A step that put a value into a place; ``from`` is null unless it copied it."""
    data: dict[str, Any] = {
        "step": put.step,
        **place_as_json(put.place),
        "value": put.value,
        "instruction": put.instruction,
        "span": list(put.span),
        "from": None if put.source is None else place_as_json(put.source),
    }
    if isinstance(put.location, tuple):
        data["position"] = list(put.location)
    return data


def origin_as_json(origin: Origin) -> dict[str, Any]:
    """The value, the links of the chain and what it ends at."""
    end = {"kind": origin.end, "step": origin.step, **place_as_json(origin.place)}
    links = [put_as_json(each) for each in origin.links]
    return {"value": origin.value, "links": links, "end": end}
