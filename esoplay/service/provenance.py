"""Where a value comes from: a cell's, or one on a stack; with what is told of it as JSON."""

from __future__ import annotations

from typing import Any

from esolangs.stops import Slot
from esolangs.view import View, as_json
from esoplay.errors import UsageError
from esoplay.service.debugging import Debugger, Ticker
from esoplay.service.puts import Place, Put, characters_of, checked_place
from esoplay.timeline import provenance
from esoplay.timeline.places import address_text, slot_text
from esoplay.timeline.provenance import Origin
from esoplay.timeline.states import stack_of

__all__ = [
    "Origin",
    "end_text",
    "origin",
    "origin_as_json",
    "place_as_json",
    "place_text",
    "put_as_json",
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


def place_text(place: Place, view: View | None = None) -> str:
    """``cell 3``, ``level 3`` or ``level 3 of stack 1``.

    With a view of a play, cells and stacks have the names of the characters they belong to.
    """
    names = {} if view is None else characters_of(view)
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
