"""The JSON schemas of a debugger's state, and of what a debugger is told."""

from __future__ import annotations

from esoplay.rpc.mcp.schemas import (
    NUMBER,
    POINT,
    SPAN,
    Schema,
    anything,
    flag,
    many,
    record,
    taken,
    text,
    text_or_none,
    whole,
    whole_or_none,
    words,
)
from esoplay.timeline.breakpoint_spec import FIELDS, BreakpointField, FieldKind

DEBUG: Schema = {"debug": text("the debugger's id, which debug_open gave")}
CELL: Schema = {
    "description": "a cell's number, or [x, y] on a plane",
    "anyOf": [{"type": "integer"}, POINT],
}
SLOT = taken(
    {
        "stack": whole("the stack's key in the view; 0 unless said"),
        "level": whole("from the bottom"),
    },
    "a place on a stack",
)


def _breakpoint_field(field: BreakpointField) -> Schema:
    kinds: dict[FieldKind, Schema] = {
        "whole": whole(field.about, field.least),
        "point": POINT,
        "text": text(field.about),
        "cell": CELL,
        "slot": SLOT,
        "output": {"anyOf": [whole(), text()]},
        "choice": words(*field.choices),
        "flag": flag(field.about),
    }
    return {**kinds[field.kind], "description": field.about}


BREAKPOINT = taken(
    {field.name: _breakpoint_field(field) for field in FIELDS},
    "where to stop; several members must all apply",
)
WINDOW = taken(
    {
        "cells": whole("of a tape", 1),
        "first": {"type": "integer", "description": "of these cells"},
        "depth": whole("entries of stacks and tables", 1),
        "width": whole("of a plane", 1),
        "height": whole("of a plane", 1),
        "corner": {**POINT, "description": "the left upper one"},
    },
    "how much to tell; it follows the pointer unless first or corner is given",
)
BUDGET: Schema = {"budget": whole("steps at most", 1)}

VIEW_PARTS: Schema = {
    "step": whole("steps executed so far"),
    "status": words("running", "stopped", "halted", "needs_input", "faulted", "limited"),
    "location": anything("the next instruction: where it stands, and what it will do"),
    "panels": many(
        record({"panel": text("its kind"), "name": text()}), "tape, stacks, plane, term and so on"
    ),
    "output_length": whole("bytes printed so far"),
    "input_position": whole("bytes read so far"),
    "memory": whole("cells in use"),
    "fault": {"type": ["object", "null"], "description": "what went wrong"},
    "limit": text_or_none("the limit that ended the run"),
}
VIEW_AT_TIMES: Schema = {
    "output": text("printed so far, at most the last 64 KiB"),
    "output_base64": text("the same, where it is no UTF-8"),
    "input": text("read so far, at most the last 64 KiB"),
    "input_base64": text("the same, where it is no UTF-8"),
    "registers": anything("what conditions may name, with values"),
    "places": anything("names of places in the program, with addresses"),
    "source": record(
        {"name": text(), "line": whole_or_none(), "label": text()},
        "the line of the generator, where there is a source map",
    ),
}
VIEW: Schema = {"view": record(VIEW_PARTS, "the state", VIEW_AT_TIMES)}
STEP: Schema = {"step": whole("steps executed so far")}
STOP: Schema = {
    **DEBUG,
    **STEP,
    "stopped": many(
        record(
            {
                "kind": text(
                    "step, breakpoint, start, end, fault, limit, needs_input, budget or cancelled"
                ),
                "text": text(),
            },
            at_times={
                "breakpoint": whole("the breakpoint's id"),
                "until": whole("the number in until, from 0"),
            },
        ),
        "why it stopped",
    ),
    **VIEW,
}
LOGS: Schema = {"logs": many(text(), "what log breakpoints noted")}
WRITE = record(
    {"step": whole(), "span": SPAN},
    at_times={
        "old": NUMBER,
        "new": NUMBER,
        "value": NUMBER,
        "slot": anything("where it was put"),
        "instruction": text(),
        "position": POINT,
        "from": {"type": ["object", "null"], "description": "where it was copied from"},
    },
)
