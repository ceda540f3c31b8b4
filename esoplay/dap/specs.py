"""What a client's breakpoints ask for, in the words of the debugger."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from esolangs.stops import Address, Slot
from esoplay.dap.requests import Arguments, RequestError, objects_of, required_text, text_of
from esoplay.service.debugging import BreakpointSpec

_HITS = re.compile(r"\s*(==|>=|<=|>|<|%)?\s*(\d{1,15})\s*")


def wanted_in(arguments: Arguments) -> Sequence[Arguments]:
    """The breakpoints that a request names; clients of old sent lines alone."""
    if arguments.get("breakpoints") is None and isinstance(arguments.get("lines"), list):
        return [{"line": line} for line in arguments["lines"]]
    return objects_of(arguments, "breakpoints")


def refined(spec: BreakpointSpec, wanted: Arguments) -> BreakpointSpec:
    """The spec with condition, count and log text of the client's breakpoint."""
    parts = [text for text in (text_of(wanted, "condition"),) if text and text.strip()]
    hits = text_of(wanted, "hitCondition")
    if hits and hits.strip():
        parts.append(hits_condition(hits))
    condition = " and ".join(f"({part})" if len(parts) > 1 else part for part in parts)
    return replace(spec, condition=condition or None, log=text_of(wanted, "logMessage") or None)


def hits_condition(text: str) -> str:
    """The condition on ``hits`` that ``5``, ``>= 5`` or ``% 5`` spells; raises RequestError."""
    match = _HITS.fullmatch(text)
    if match is None:
        raise RequestError(f"a hit condition is such as 5, >= 5 or % 5, not {text!r}")
    relation, number = match.groups()
    if relation == "%":
        return f"hits % {number} == 0"
    return f"hits {relation or '=='} {number}"


def data_id(place: Address | Slot) -> str:
    """What the client calls a cell or a slot between asking about it and watching it."""
    if isinstance(place, Slot):
        return f"slot {place.stack} {place.level}"
    parts = place if isinstance(place, tuple) else (place,)
    return "cell " + " ".join(map(str, parts))


def data_in(wanted: Arguments) -> BreakpointSpec:
    """What a data breakpoint watches; raises RequestError."""
    text = required_text(wanted, "dataId")
    kind, *numbers = text.split()
    try:
        parts = list(map(int, numbers))
    except ValueError:
        parts = []
    access = text_of(wanted, "accessType") or "write"
    if kind == "slot" and len(parts) == 2 and access == "write":
        return BreakpointSpec(slot=Slot(*parts))
    if kind != "cell" or not parts:
        raise RequestError(f"there is nothing called {text!r} to watch for {access}s")
    cell: Address = tuple(parts) if len(parts) > 1 else parts[0]
    if access == "write":
        return BreakpointSpec(cell=cell)
    if access == "read":
        return BreakpointSpec(read=cell)
    raise RequestError("watch for writes, or for reads: one breakpoint cannot do both")
