"""``debug.origin`` and ``debug.writes``: which steps put values into places, and from where."""

from __future__ import annotations

from typing import Any

from esolangs.stops import Address, Slot
from esolangs.view import Window
from esoplay.rpc.connection import Call
from esoplay.rpc.errors import invalid_params
from esoplay.rpc.methods.shared import DEBUG
from esoplay.rpc.methods.travel import WINDOW
from esoplay.rpc.parameters import Parameter, cell, slot, whole
from esoplay.rpc.table import Method
from esoplay.service import provenance, terms
from esoplay.service.encoding import write_as_json
from esoplay.service.puts import puts

_MAX_WRITES = 1_000


def origin(
    call: Call,
    *,
    debug: str,
    cell: Address | None = None,
    slot: Slot | None = None,
    part: int | None = None,
    window: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The chain of copies that a value came by, or of applications that made a part of a term."""
    debugger = call.connection.debuggers.get(debug)
    if part is not None:
        if cell is not None or slot is not None:
            raise invalid_params("give exactly one of cell, slot, part")
        seen = Window(**(window or {}))
        return terms.term_origin_as_json(terms.origin_of_part(debugger, part, seen, call.tick))
    if window is not None:
        raise invalid_params("a window goes with part")
    place = _place(cell, slot)
    return provenance.origin_as_json(provenance.origin(debugger, place, call.tick))


def writes(
    call: Call,
    *,
    debug: str,
    cell: Address | None = None,
    slot: Slot | None = None,
    before: int | None = None,
    limit: int = 1,
) -> dict[str, Any]:
    """The last writes of a cell, or pushes to a place on a stack, newest first."""
    debugger = call.connection.debuggers.get(debug)
    place = _place(cell, slot)
    if isinstance(place, Slot):
        pushes = puts(debugger, place, before=before, limit=limit, ticker=call.tick)
        return {"writes": [provenance.put_as_json(each) for each in pushes]}
    found = debugger.writes(place, before=before, limit=limit, ticker=call.tick)
    return {"writes": [write_as_json(each) for each in found]}


def _place(cell: Address | None, slot: Slot | None) -> Address | Slot:
    if cell is not None and slot is None:
        return cell
    if slot is not None and cell is None:
        return slot
    raise invalid_params("give exactly one of cell, slot")


PROVENANCE_METHODS = (
    Method(
        "debug.origin",
        origin,
        (
            DEBUG,
            Parameter("cell", cell),
            Parameter("slot", slot),
            Parameter("part", whole()),
            Parameter("window", WINDOW),
        ),
        solver=True,
    ),
    Method(
        "debug.writes",
        writes,
        (
            DEBUG,
            Parameter("cell", cell),
            Parameter("slot", slot),
            Parameter("before", whole()),
            Parameter("limit", whole(1, _MAX_WRITES)),
        ),
        solver=True,
    ),
)
