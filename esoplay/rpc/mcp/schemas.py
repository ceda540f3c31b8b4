"""Definition of MCP tools, and JSON schemas of their parameters and results."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from esoplay.timeline.breakpoint_spec import FIELDS, BreakpointField, FieldKind

Schema = Mapping[str, Any]
"""JSON schema of one value, or a mapping of names to schemas."""

NOTHING: Schema = MappingProxyType({})


def text(description: str = "") -> Schema:
    """Return the schema of a string."""
    return _with_description({"type": "string"}, description)


def integer(description: str = "", minimum: int = 0) -> Schema:
    """Return the schema of an integer."""
    return _with_description({"type": "integer", "minimum": minimum}, description)


def integer_or_null(description: str = "") -> Schema:
    """Return the schema of an integer or null."""
    return _with_description({"type": ["integer", "null"]}, description)


def text_or_null(description: str = "") -> Schema:
    """Return the schema of a string or null."""
    return _with_description({"type": ["string", "null"]}, description)


def boolean(description: str = "") -> Schema:
    """Return the schema of a boolean."""
    return _with_description({"type": "boolean"}, description)


def enumeration(*choices: str, description: str = "") -> Schema:
    """Return the schema of an enumeration."""
    return _with_description({"type": "string", "enum": list(choices)}, description)


def array(item: Schema, description: str = "") -> Schema:
    """Return the schema of a list."""
    return _with_description({"type": "array", "items": item}, description)


def record(fields: Schema, description: str = "", optional: Schema = NOTHING) -> Schema:
    """Return the schema of an object with ``fields``; members in ``optional`` can be missing."""
    schema: Schema = {
        "type": "object",
        "properties": {**fields, **optional},
        "required": list(fields),
    }
    return _with_description(schema, description)


def input_record(fields: Schema, description: str) -> Schema:
    """Return the schema of a tool's parameter: an object with optional members."""
    schema: Schema = {"type": "object", "properties": fields, "additionalProperties": False}
    return _with_description(schema, description)


def any_record(description: str) -> Schema:
    """Return the schema of an object with arbitrary members."""
    return {"type": "object", "description": description}


def _with_description(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description} if description else schema


NUMBER: Schema = {
    "description": "a number; a string if it has more than 256 bits; null if missing",
    "type": ["integer", "string", "null"],
}
POINT: Schema = {
    "type": "array",
    "items": {"type": "integer"},
    "minItems": 2,
    "maxItems": 2,
}
SPAN = array({"type": "integer"}, "start and end offset in the program, in bytes")

PROGRAM: Schema = {
    "program": text("program as text"),
    "program_base64": text("program in base64"),
}
STDIN: Schema = {
    "stdin": text("input; default: empty"),
    "stdin_base64": text("input in base64"),
}
LANGUAGE: Schema = {"language": text("brainfuck, befunge-98, whitespace, unlambda or shakespeare")}
LANGUAGE_ID: Schema = {"language": text("as in run")}
DIALECT: Schema = {"dialect": text("standard (default) or benchmark")}
OPTIONS: Schema = {"options": any_record('dialect options to change, such as {"eof": -1}')}
PROBLEM: Schema = {"problem": text("the problem's id, such as E01")}

FAULT = record(
    {
        "kind": text(),
        "message": text(),
        "line": integer(),
        "column": integer(),
        "offset": integer("byte offset in the program"),
        "step": integer("steps executed before the fault"),
    },
    "what went wrong, and where",
)
TRUNCATION: Schema = {
    "output_truncated": boolean("true if the output is cut; see shown_output"),
    "output_bytes": integer("number of bytes printed, if the output is cut"),
}
DEFAULT_SHOWN_BYTES = 16 << 10
"""Default number of output bytes in a result."""

SHOWN_OUTPUT: Schema = {
    "shown_output": integer(f"bytes of output to show; default: {DEFAULT_SHOWN_BYTES}")
}
OUTCOME: Schema = {
    "language": text(),
    "dialect": text(),
    "options": any_record("all options of the language"),
    "status": enumeration(
        "ok",
        "parse_error",
        "fault",
        "step_limit",
        "output_limit",
        "memory_limit",
        "work_limit",
        "time_limit",
        description="how the run ended",
    ),
    "error_type": enumeration("ok", "compile_error", "runtime_error", "timeout"),
    "exit_code": integer(),
    "stdout": text("the output"),
    "stderr": text("the error, in one line; empty if none"),
    "steps": integer("steps executed"),
    "input_used": integer("bytes of the input that were read"),
    "memory": integer("peak memory use, in cells"),
}
"""Schemas of the members of one run's result, by name."""

CAUSE = record(
    {"kind": text("a stable identifier"), "text": text("what differs, and the likely cause")}
)
"""Schema of the cause of a failed test whose output is shown."""

FAILING_CLASS = record(
    {"name": text(), "description": text(), "message": text("name and description as a sentence")}
)
"""Schema of the edge class (a group of tests) that contains all failing tests."""

_DIALECT: dict[str, Schema] = {
    "dialect": text(),
    "tests": enumeration(
        "tests", "examples", description="what the program was graded on in this dialect"
    ),
    "causes": array(
        record({"option": text(), "text": text("what each dialect does")}),
        "each of these differences makes the program fail",
    ),
    "message": text("the result as text"),
}
OTHER_DIALECT = record(_DIALECT, "if it failed: the dialect in which it passes, and why")
FAILS_IN_DIALECT = record(_DIALECT, "if it passed: the dialect in which it fails, and why")

OPTIONAL_OUTCOME: Schema = {
    "work": integer("units of work on large numbers and many cells"),
    "stdout_base64": text("the output in base64, if it is not UTF-8"),
    **TRUNCATION,
    "fault": FAULT,
    "limit": record({"kind": text(), "value": {"type": "number"}}, "the limit that was reached"),
    "warnings": array(text()),
    "advice": text("what to try"),
}


# The JSON schemas of a debugger's state and of its parameters.

DEBUG: Schema = {"debug": text("id from debug_open")}
CELL: Schema = {
    "description": "a cell's number, or [x, y] on a plane",
    "type": ["integer", "array"],
    "items": {"type": "integer"},
}
SLOT = input_record(
    {
        "stack": integer("stack's key in the view; default: 0"),
        "level": integer("level, counted from the bottom"),
    },
    "an entry of a stack",
)


def _breakpoint_field(field: BreakpointField) -> Schema:
    kinds: dict[FieldKind, Schema] = {
        "whole": integer(field.description, field.minimum),
        "point": POINT,
        "text": text(field.description),
        "cell": CELL,
        "slot": SLOT,
        "output": {"anyOf": [integer(), text()]},
        "choice": enumeration(*field.choices),
        "flag": boolean(field.description),
    }
    return {**kinds[field.kind], "description": field.description}


BREAKPOINT = input_record(
    {field.name: _breakpoint_field(field) for field in FIELDS},
    "stops where all members match",
)
WINDOW = input_record(
    {
        "cells": integer("tape cells", 1),
        "first": {"type": "integer", "description": "first cell"},
        "depth": integer("entries of stacks and tables", 1),
        "width": integer("columns of a plane", 1),
        "height": integer("rows of a plane", 1),
        "corner": {**POINT, "description": "top-left corner"},
        "lines": integer("lines of a drawing", 1),
    },
    "what to return; around the pointer unless first or corner is given",
)
# The list of tools describes these members once, at debug_view.
SHOWN_VIEW: Schema = {
    "window": any_record(""),
    "fields": {"type": "array"},
}
BUDGET: Schema = {"budget": integer("maximum steps; default: 10^8 or 10 s", 1)}

VIEW_PARTS: Schema = {
    "step": integer("steps executed so far"),
    "status": enumeration("running", "stopped", "halted", "needs_input", "faulted", "limited"),
    "location": any_record("the next instruction: its position and effect"),
    "panels": array(
        record({"panel": text("kind of panel"), "name": text()}),
        "tape, stacks, plane, term and so on",
    ),
    "output_length": integer("bytes printed so far"),
    "input_position": integer("bytes read so far"),
    "memory": integer("cells in use"),
    "fault": {"type": ["object", "null"], "description": "what went wrong"},
    "limit": text_or_null("the limit that ended the run"),
}
OPTIONAL_VIEW: Schema = {
    "output": text("output so far, at most the last 64 KiB"),
    "output_base64": text("the same in base64, if it is not UTF-8"),
    "output_truncated": boolean("true if more than 64 KiB were printed"),
    "output_bytes": integer("number of bytes printed, if the output is cut"),
    "input": text("input read so far, at most the last 64 KiB"),
    "input_base64": text("the same in base64, if it is not UTF-8"),
    "registers": any_record("names that conditions can use, with values"),
    "places": any_record("names of places in the program, with addresses"),
    "source": record(
        {"name": text(), "line": integer_or_null(), "label": text()},
        "the source line, if there is a source map",
    ),
}
VIEW: Schema = {"view": record(VIEW_PARTS, "the state", OPTIONAL_VIEW)}
STEP: Schema = {"step": integer("steps executed so far")}
_PARTIAL_VIEW = {"view": record({}, "the state", {**VIEW_PARTS, **OPTIONAL_VIEW})}
STOP: Schema = {
    **DEBUG,
    **STEP,
    "stopped": array(
        record(
            {
                "kind": text(
                    "step, breakpoint, start, end, fault, limit, needs_input, budget or cancelled"
                ),
                "text": text(),
            },
            optional={
                "breakpoint": integer("the breakpoint's id"),
                "until": integer("index in until, from 0"),
            },
        ),
        "why it stopped",
    ),
    **_PARTIAL_VIEW,
}
LOGS: Schema = {"logs": array(text(), "messages of log breakpoints")}
WRITE = record(
    {"step": integer(), "span": SPAN},
    optional={
        "old": NUMBER,
        "new": NUMBER,
        "value": NUMBER,
        "slot": any_record("destination slot"),
        "instruction": text(),
        "position": POINT,
        "from": {"type": ["object", "null"], "description": "source of a copied value"},
    },
)


_RESTRICTIONS = {"additionalProperties", "minItems", "maxItems"}
"""Schema keywords that only restrict values; the server itself checks them."""


def _without_restrictions(schema: object) -> object:
    if isinstance(schema, list):
        return [_without_restrictions(item) for item in cast("list[object]", schema)]
    if not isinstance(schema, Mapping):
        return schema
    shortened: dict[str, object] = {}
    for name, value in cast("Mapping[str, object]", schema).items():
        if name == "properties":
            members = cast("Mapping[str, object]", value)
            shortened[name] = {member: _without_restrictions(members[member]) for member in members}
        elif (
            name not in _RESTRICTIONS and value not in ("", []) and (name, value) != ("minimum", 0)
        ):
            shortened[name] = _without_restrictions(value)
    return shortened


# Tools


class Tool(NamedTuple):
    """MCP tool.

    required, optional: JSON schemas of the parameters, by their names in ``method``; see
    docs/json-rpc.md. result, optional_result: required and optional members of the result. budget:
    default limits of a run. default_shown_output: default of the parameter ``shown_output``; None
    for tools without it.
    """

    name: str
    method: str
    description: str
    required: Schema = NOTHING
    optional: Schema = NOTHING
    result: Schema = NOTHING
    optional_result: Schema = NOTHING
    is_read_only: bool = False
    is_idempotent: bool = False
    is_irreversible: bool = False
    budget: Mapping[str, float] = MappingProxyType({})
    default_shown_output: int | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        """Schemas of all parameters, by name."""
        return {**self.required, **self.optional}

    @property
    def input_schema(self) -> dict[str, Any]:
        """JSON schema of the parameters."""
        return {
            "type": "object",
            "properties": self.parameters,
            "required": list(self.required),
            "additionalProperties": False,
        }

    @property
    def listed_schema(self) -> dict[str, Any]:
        """The schema of the parameters as shown in the list of tools: without ``_RESTRICTIONS``.

        A short list saves tokens in each conversation; the server itself checks the restrictions.
        """
        return cast("dict[str, Any]", _without_restrictions(self.input_schema))

    @property
    def output_schema(self) -> dict[str, Any]:
        """JSON schema of the result."""
        return {
            "type": "object",
            "properties": {**self.result, **self.optional_result},
            "required": list(self.result),
        }
