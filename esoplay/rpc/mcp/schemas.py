"""Definition of tools, and JSON schemas of their parameters and results."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from esoplay.timeline.breakpoint_spec import FIELDS, BreakpointField, FieldKind

Schema = Mapping[str, Any]
"""JSON schema of one value, or schemas by name."""

NOTHING: Schema = MappingProxyType({})


def text(description: str = "") -> Schema:
    """Return the schema of a string."""
    return _described({"type": "string"}, description)


def integer(description: str = "", least: int = 0) -> Schema:
    """Return the schema of an integer."""
    return _described({"type": "integer", "minimum": least}, description)


def integer_or_null(description: str = "") -> Schema:
    """Return the schema of an integer or null."""
    return _described({"type": ["integer", "null"]}, description)


def text_or_null(description: str = "") -> Schema:
    """Return the schema of a string or null."""
    return _described({"type": ["string", "null"]}, description)


def boolean(description: str = "") -> Schema:
    """Return the schema of a boolean."""
    return _described({"type": "boolean"}, description)


def enumeration(*choices: str, description: str = "") -> Schema:
    """Return the schema of an enumeration."""
    return _described({"type": "string", "enum": list(choices)}, description)


def array(item: Schema, description: str = "") -> Schema:
    """Return the schema of a list."""
    return _described({"type": "array", "items": item}, description)


def record(fields: Schema, description: str = "", optional: Schema = NOTHING) -> Schema:
    """Return the schema of an object; members in ``at_times`` are optional."""
    schema: Schema = {
        "type": "object",
        "properties": {**fields, **optional},
        "required": list(fields),
    }
    return _described(schema, description)


def input_record(fields: Schema, description: str) -> Schema:
    """Return the schema of a tool's parameter: an object with optional members."""
    schema: Schema = {"type": "object", "properties": fields, "additionalProperties": False}
    return _described(schema, description)


def any_record(description: str) -> Schema:
    """Return the schema of an object with arbitrary members."""
    return {"type": "object", "description": description}


def _described(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description} if description else schema


NUMBER: Schema = {
    "description": "a number; as text where it has more than 256 bits, null where there is none",
    "type": ["integer", "string", "null"],
}
POINT: Schema = {
    "type": "array",
    "items": {"type": "integer"},
    "minItems": 2,
    "maxItems": 2,
}
SPAN = array({"type": "integer"}, "bytes of the program, from and to")

PROGRAM: Schema = {
    "program": text("the program's text; give this or program_base64"),
    "program_base64": text("the program's bytes in base64, instead of its text"),
}
STDIN: Schema = {
    "stdin": text("what the program reads; nothing unless said"),
    "stdin_base64": text("the same as bytes in base64, instead of text"),
}
LANGUAGE: Schema = {"language": text("brainfuck, befunge-98, whitespace, unlambda or shakespeare")}
DIALECT: Schema = {"dialect": text("standard or benchmark; standard unless said")}
OPTIONS: Schema = {"options": any_record('single options of the dialect, such as {"eof": -1}')}
PROBLEM: Schema = {"problem": text("the problem's id, such as E01")}

FAULT = record(
    {
        "kind": text(),
        "message": text(),
        "line": integer(),
        "column": integer(),
        "offset": integer("bytes into the program"),
        "step": integer("steps executed before it"),
    },
    "what went wrong, and where",
)
TRUNCATION: Schema = {
    "output_truncated": boolean("true where not all that was printed is shown; see shown_output"),
    "output_bytes": integer("how many bytes were printed, where not all are shown"),
}
SHOWN = 16 << 10
"""Default number of output bytes in a result."""

SHOWN_OUTPUT: Schema = {
    "shown_output": integer(f"bytes of output to show, at most; {SHOWN} unless given")
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
        description="how it ended",
    ),
    "error_type": enumeration("ok", "compile_error", "runtime_error", "timeout"),
    "exit_code": integer(),
    "stdout": text("what it printed"),
    "stderr": text("what went wrong, in one line; empty if nothing did"),
    "steps": integer("steps executed"),
    "input_used": integer("bytes of the input that were read"),
    "memory": integer("most memory used, in cells"),
}
"""Result of one run."""

CAUSE = record({"kind": text("a stable word"), "text": text("what differs, and the likely cause")})
"""Cause of a failed test whose output is shown."""

ONLY_CLASS = record({"name": text(), "description": text(), "message": text("both in words")})
"""Edge class that contains all failing tests."""

_DIALECT: dict[str, Schema] = {
    "dialect": text(),
    "tests": enumeration("tests", "examples", description="what it was graded on there"),
    "causes": array(
        record({"option": text(), "text": text("what each dialect does")}),
        "each of these differences makes the program fail",
    ),
    "message": text("all of it in words"),
}
OTHER_DIALECT = record(_DIALECT, "if it failed: the dialect in which it passes, and why")
FAILS_IN_DIALECT = record(_DIALECT, "if it passed: the dialect in which it fails, and why")

OUTCOME_AT_TIMES: Schema = {
    "work": integer("work on large numbers and many cells"),
    "stdout_base64": text("the output, where it is not UTF-8"),
    **TRUNCATION,
    "fault": FAULT,
    "limit": record({"kind": text(), "value": {"type": "number"}}, "the limit that was reached"),
    "warnings": array(text()),
    "advice": text("what to try"),
}


# The JSON schemas of a debugger's state and of its parameters.

DEBUG: Schema = {"debug": text("the debugger's id, which debug_open gave")}
CELL: Schema = {
    "description": "a cell's number, or [x, y] on a plane",
    "anyOf": [{"type": "integer"}, POINT],
}
SLOT = input_record(
    {
        "stack": integer("the stack's key in the view; 0 unless said"),
        "level": integer("from the bottom"),
    },
    "a place on a stack",
)


def _breakpoint_field(field: BreakpointField) -> Schema:
    kinds: dict[FieldKind, Schema] = {
        "whole": integer(field.description, field.least),
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
    "where to stop; several members must all apply",
)
WINDOW = input_record(
    {
        "cells": integer("of a tape", 1),
        "first": {"type": "integer", "description": "of these cells"},
        "depth": integer("entries of stacks and tables", 1),
        "width": integer("of a plane", 1),
        "height": integer("of a plane", 1),
        "corner": {**POINT, "description": "the left upper one"},
        "lines": integer("of a drawing", 1),
    },
    "how much to return; the window follows the pointer unless first or corner is given",
)
BUDGET: Schema = {"budget": integer("steps at most", 1)}

VIEW_PARTS: Schema = {
    "step": integer("steps executed so far"),
    "status": enumeration("running", "stopped", "halted", "needs_input", "faulted", "limited"),
    "location": any_record("the next instruction: where it stands, and what it will do"),
    "panels": array(
        record({"panel": text("its kind"), "name": text()}), "tape, stacks, plane, term and so on"
    ),
    "output_length": integer("bytes printed so far"),
    "input_position": integer("bytes read so far"),
    "memory": integer("cells in use"),
    "fault": {"type": ["object", "null"], "description": "what went wrong"},
    "limit": text_or_null("the limit that ended the run"),
}
VIEW_AT_TIMES: Schema = {
    "output": text("printed so far, at most the last 64 KiB"),
    "output_base64": text("the same, where it is not UTF-8"),
    "output_truncated": boolean("true where more was printed than the last 64 KiB"),
    "output_bytes": integer("how many bytes were printed, where not all are shown"),
    "input": text("read so far, at most the last 64 KiB"),
    "input_base64": text("the same, where it is not UTF-8"),
    "registers": any_record("what conditions may name, with values"),
    "places": any_record("names of places in the program, with addresses"),
    "source": record(
        {"name": text(), "line": integer_or_null(), "label": text()},
        "the line of the generator, where there is a source map",
    ),
}
VIEW: Schema = {"view": record(VIEW_PARTS, "the state", VIEW_AT_TIMES)}
STEP: Schema = {"step": integer("steps executed so far")}
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
                "until": integer("the number in until, from 0"),
            },
        ),
        "why it stopped",
    ),
    **VIEW,
}
LOGS: Schema = {"logs": array(text(), "what log breakpoints noted")}
WRITE = record(
    {"step": integer(), "span": SPAN},
    optional={
        "old": NUMBER,
        "new": NUMBER,
        "value": NUMBER,
        "slot": any_record("where it was put"),
        "instruction": text(),
        "position": POINT,
        "from": {"type": ["object", "null"], "description": "where it was copied from"},
    },
)


# Tools


class Tool(NamedTuple):
    """MCP tool.

    required, optional: parameters with their JSON schemas. They have the same names in the
    method, see docs/json-rpc.md. answer, at_times: required and optional members of the result.
    reads: whether the tool is read-only. repeats: whether it is idempotent. final: whether it is
    irreversible. budget: default limits of a run. shown: default of ``shown_output``, for tools
    that accept it.
    """

    name: str
    method: str
    title: str
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
    def output_schema(self) -> dict[str, Any]:
        """JSON schema of the result."""
        return {
            "type": "object",
            "properties": {**self.result, **self.optional_result},
            "required": list(self.result),
        }
