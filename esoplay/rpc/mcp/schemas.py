"""The JSON schemas that tools are described by, and those that several of them share."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

Schema = Mapping[str, Any]
"""Of one value; or of several, by name."""

NOTHING: Schema = MappingProxyType({})


def text(description: str = "") -> Schema:
    """A string."""
    return _described({"type": "string"}, description)


def whole(description: str = "", least: int = 0) -> Schema:
    """A whole number."""
    return _described({"type": "integer", "minimum": least}, description)


def whole_or_none(description: str = "") -> Schema:
    """A whole number, or null for none."""
    return _described({"type": ["integer", "null"]}, description)


def text_or_none(description: str = "") -> Schema:
    """A string, or null for none."""
    return _described({"type": ["string", "null"]}, description)


def flag(description: str = "") -> Schema:
    """True or false."""
    return _described({"type": "boolean"}, description)


def words(*choices: str, description: str = "") -> Schema:
    """One of some words."""
    return _described({"type": "string", "enum": list(choices)}, description)


def many(item: Schema, description: str = "") -> Schema:
    """A list."""
    return _described({"type": "array", "items": item}, description)


def record(fields: Schema, description: str = "", at_times: Schema = NOTHING) -> Schema:
    """An object with these members, of which those ``at_times`` may be missing."""
    schema: Schema = {
        "type": "object",
        "properties": {**fields, **at_times},
        "required": list(fields),
    }
    return _described(schema, description)


def taken(fields: Schema, description: str) -> Schema:
    """An object for a tool to take, with some of these members and no others."""
    schema: Schema = {"type": "object", "properties": fields, "additionalProperties": False}
    return _described(schema, description)


def anything(description: str) -> Schema:
    """An object whose members are the caller's to know."""
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
SPAN = many({"type": "integer"}, "bytes of the program, from and to")

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
OPTIONS: Schema = {"options": anything('single options of the dialect, such as {"eof": -1}')}
PROBLEM: Schema = {"problem": text("the problem's id, such as E01")}

FAULT = record(
    {
        "kind": text(),
        "message": text(),
        "line": whole(),
        "column": whole(),
        "offset": whole("bytes into the program"),
        "step": whole("steps executed before it"),
    },
    "what went wrong, and where",
)
OUTCOME: Schema = {
    "language": text(),
    "dialect": text(),
    "options": anything("all options of the language"),
    "status": words(
        "ok",
        "parse_error",
        "fault",
        "step_limit",
        "output_limit",
        "memory_limit",
        "time_limit",
        description="how it ended",
    ),
    "error_type": words("ok", "compile_error", "runtime_error", "timeout"),
    "exit_code": whole(),
    "stdout": text("what it printed"),
    "stderr": text("what went wrong, in one line; empty if nothing did"),
    "steps": whole("steps executed"),
    "input_used": whole("bytes of the input that were read"),
    "memory": whole("most memory used, in cells"),
}
"""How one run went."""

OUTCOME_AT_TIMES: Schema = {
    "stdout_base64": text("what it printed, where that is no UTF-8"),
    "fault": FAULT,
    "limit": record({"kind": text(), "value": {"type": "number"}}, "the limit that was reached"),
    "warnings": many(text()),
    "advice": text("what to try"),
}
