"""What a debugger tells, as JSON: the same for every front end that speaks it."""

from __future__ import annotations

import base64
from typing import Any

from esolangs.numbers import shown
from esolangs.view import View, as_json
from esoplay.service.debugging import Breakpoint, CellWrite, Debugger, Reason, Stop
from esoplay.timeline.breakpoint_spec import spec_as_json
from esoplay.timeline.source_steps import span_here

SHOWN_OUTPUT = 1 << 16
"""Bytes of output or input that a view carries at most: the last ones before now."""

VIEW_FIELDS = (*View._fields, "output", "input", "registers", "places", "source")


def bytes_as_json(name: str, data: bytes) -> dict[str, str]:
    """``{name: text}``, or ``{name_base64: …}`` when the bytes are no UTF-8."""
    try:
        return {name: data.decode()}
    except UnicodeDecodeError:
        return {name + "_base64": base64.b64encode(data).decode("ascii")}


def view_as_json(debugger: Debugger, view: View, fields: list[str] | None = None) -> dict[str, Any]:
    """A view; what is no part of every view only when ``fields`` ask for it.

    That is ``output`` and ``input`` (the tail of each before now), ``registers`` (what
    conditions may name, with their values) and ``places`` (names and addresses).  ``source``, the
    line of the generator's source, is part of every view where a source map is open.
    """
    if fields is None:
        return {**as_json(view), **_source(debugger)}
    data: dict[str, Any] = {}
    for field in fields:
        match field:
            case "output":
                printed = debugger.output[: view.output_length]
                data |= bytes_as_json("output", printed[-SHOWN_OUTPUT:])
            case "input":
                read = debugger.input[: view.input_position]
                data |= bytes_as_json("input", read[-SHOWN_OUTPUT:])
            case "registers":
                values = debugger.registers()
                data["registers"] = {name: shown(value) for name, value in values.items()}
            case "places":
                places = debugger.program.places()
                data["places"] = {name: as_json(at) for name, at in places.items()}
            case "source":
                data |= _source(debugger)
            case _:
                data[field] = as_json(getattr(view, field))
    return data


def _source(debugger: Debugger) -> dict[str, Any]:
    """The line that is executed next, where a source map is open."""
    lines = debugger.source_lines
    if lines is None:
        return {}
    here = span_here(debugger.timeline, lines)
    line, label = (None, "") if here is None else (here.line, here.label)
    return {"source": {"name": lines.source_map.name, "line": line, "label": label}}


def stop_as_json(debugger: Debugger, stop: Stop) -> dict[str, Any]:
    """Where a move ended, why, and what log points said on the way."""
    data: dict[str, Any] = {
        "step": stop.step,
        "stopped": [_reason(reason) for reason in stop.reasons],
        "view": view_as_json(debugger, debugger.view()),
    }
    if stop.logs:
        data["logs"] = list(stop.logs)
    return data


def _reason(reason: Reason) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": reason.kind, "text": reason.text}
    if reason.breakpoint is None:
        return data
    if reason.breakpoint > 0:
        return {**data, "breakpoint": reason.breakpoint}
    # Nobody set this one: it belongs to the move, which numbers its conditions -1, -2, …
    data["text"] = reason.text.partition(": ")[2]
    return {**data, "until": -1 - reason.breakpoint} if reason.breakpoint else data


def breakpoint_as_json(breakpoint: Breakpoint) -> dict[str, Any]:
    """A breakpoint as it was set, with its number and how often it was hit."""
    data: dict[str, Any] = {"id": breakpoint.id, "hits": breakpoint.hits, "enabled": True}
    return data | spec_as_json(breakpoint.spec, _text)


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def write_as_json(write: CellWrite) -> dict[str, Any]:
    """One write of a cell; very large numbers are told as text."""
    old, new = shown(write.old), shown(write.new)
    data = {"step": write.step, "old": old, "new": new, "span": list(write.span)}
    if isinstance(write.location, tuple):
        data["position"] = list(write.location)
    return data
