"""The tools: what each is for, what it takes and which method does its work.

Names and parameters are those of the method, so that docs/json-rpc.md explains them as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from esoplay.rpc.methods import METHODS

Role = Literal["solver", "learner"]

Schema = Mapping[str, Any]
_NOTHING: Schema = MappingProxyType({})


class Tool(NamedTuple):
    """One tool.

    required, optional: parameters with their JSON schemas.  answer: what its result always holds.
    reads: it changes nothing.  repeats: doing it twice is as good as doing it once.
    """

    name: str
    method: str
    title: str
    description: str
    required: Schema = _NOTHING
    optional: Schema = _NOTHING
    answer: Schema = _NOTHING
    reads: bool = False
    repeats: bool = False

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of what it takes."""
        return {
            "type": "object",
            "properties": {**self.required, **self.optional},
            "required": list(self.required),
            "additionalProperties": False,
        }

    @property
    def output_schema(self) -> dict[str, Any]:
        """The JSON schema of what it answers; it may hold more."""
        return {
            "type": "object",
            "properties": dict(self.answer),
            "required": list(self.answer),
        }


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _whole(description: str, least: int = 0) -> Schema:
    return {"type": "integer", "minimum": least, "description": description}


def _flag(description: str) -> Schema:
    return {"type": "boolean", "description": description}


_SESSION = {"session": _text("the session's id; may be left out where the server is for one")}
_PROGRAM = {
    "program": _text("the program's text"),
    "program_base64": _text("the program's bytes in base64, instead of its text"),
}
_STDIN = {"stdin": _text("what the program reads")}
_REQUEST_ID = {
    "request_id": _text("a name of your own: asking again by the same one gives the same answer")
}
_LANGUAGE = {"language": _text("brainfuck, befunge-98, whitespace, unlambda or shakespeare")}
_DIALECT = {"dialect": _text("standard or benchmark; standard unless said")}
_DEBUG = {"debug": _text("the id that debug_open gave")}
_CELL = {
    "description": "a cell's number, or [x, y] on a plane",
    "anyOf": [
        {"type": "integer"},
        {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
    ],
}
_BREAKPOINT = {
    "type": "object",
    "description": 'such as {"offset": 5}, {"cell": 3}, {"output": 2}, {"condition": '
    '"cell[3] == 10"}, {"instruction": "."} or {"source_line": 7}; see docs/json-rpc.md',
}
_STOP = {"step": {"type": "integer"}, "view": {"type": "object"}}

_SESSIONS = (
    Tool(
        "fetch",
        "session.fetch",
        "Fetch the next problem",
        "The next problem of the session: statement, examples and what is left. The problem that "
        "is active is told again.",
        optional={**_SESSION, "problem": _text("a problem by its id, where the rules allow that")},
        answer={"session": {"type": "string"}, "problem": {"type": "string"}},
        repeats=True,
    ),
    Tool(
        "run",
        "session.run",
        "Run a program",
        "Run a program on an input of your own, under the limits of the session. It may count as "
        "a local run.",
        optional={**_SESSION, **_PROGRAM, **_STDIN, **_REQUEST_ID},
        answer={"session": {"type": "string"}, "status": {"type": "string"}},
    ),
    Tool(
        "submit",
        "session.submit",
        "Submit a solution",
        "Have the hidden tests grade a program. Submissions are counted; look at what is left.",
        required={"problem": _text("the id of the active problem")},
        optional={**_SESSION, **_PROGRAM, **_REQUEST_ID},
        answer={"session": {"type": "string"}, "solved": {"type": "boolean"}},
    ),
    Tool(
        "status",
        "session.status",
        "How the session stands",
        "What was solved, what is active and what is left.",
        optional=_SESSION,
        answer={"session": {"type": "string"}},
        reads=True,
        repeats=True,
    ),
    Tool(
        "skip",
        "session.skip",
        "Skip the active problem",
        "Give the active problem up, where the rules allow that.",
        optional=_SESSION,
        answer={"session": {"type": "string"}},
    ),
)

_PRACTICE = (
    Tool(
        "list_problems",
        "problem.list",
        "All problems",
        "The problems with ids, titles and tiers.",
        answer={"problems": {"type": "array"}},
        reads=True,
        repeats=True,
    ),
    Tool(
        "get_problem",
        "problem.get",
        "One problem",
        "Statement and examples of a problem.",
        required={"problem": _text("its id, such as E01")},
        reads=True,
        repeats=True,
    ),
    Tool(
        "run",
        "run",
        "Run a program",
        "Run a program; its output, steps and how it ended.",
        required=_LANGUAGE,
        optional={**_PROGRAM, **_STDIN, **_DIALECT},
        answer={"status": {"type": "string"}, "steps": {"type": "integer"}},
        reads=True,
        repeats=True,
    ),
    Tool(
        "grade",
        "grade",
        "Grade a solution",
        "What the practice tests of a problem say of a program, test by test.",
        required={"problem": _text("its id, such as E01"), **_LANGUAGE},
        optional={**_PROGRAM, **_DIALECT},
        answer={"solved": {"type": "boolean"}, "passed": {"type": "integer"}},
        reads=True,
        repeats=True,
    ),
)

_EVERYBODY = (
    Tool(
        "card",
        "language.card",
        "Reference card",
        "What a language means: commands, memory model, patterns, pitfalls.",
        required=_LANGUAGE,
        answer={"card": {"type": "string"}},
        reads=True,
        repeats=True,
    ),
    Tool(
        "debug_open",
        "debug.open",
        "Open the debugger",
        "Open a program at step 0. Close it when you are done: few can be open at a time.",
        required=_LANGUAGE,
        optional={
            **_PROGRAM,
            **_STDIN,
            **_DIALECT,
            "source_map": {"type": "object", "description": "the map back to the generator"},
        },
        answer={"debug": {"type": "string"}, "view": {"type": "object"}},
    ),
    Tool(
        "debug_step",
        "debug.step",
        "Step",
        "Steps of a size, on or back in time.",
        required=_DEBUG,
        optional={
            "count": _whole("how many", 1),
            "reverse": _flag("back in time"),
            "granularity": {
                "enum": ["instruction", "loop", "finish", "line", "source"],
                "description": "one step; over a construct; out of one; a line; a line of the "
                "generator, where there is a source map",
            },
            "budget": _whole("steps at most", 1),
        },
        answer=_STOP,
    ),
    Tool(
        "debug_continue",
        "debug.continue",
        "Continue",
        "Go on, or back, to the next stop: a breakpoint, one of the conditions given here, or the "
        "end of history.",
        required=_DEBUG,
        optional={
            "reverse": _flag("back in time"),
            "until": {"type": "array", "items": _BREAKPOINT},
            "budget": _whole("steps at most", 1),
        },
        answer=_STOP,
    ),
    Tool(
        "debug_seek",
        "debug.seek",
        "Go to a step",
        "Go to any step, past or to come, or as near as the run gets.",
        required={**_DEBUG, "step": _whole("steps executed")},
        answer=_STOP,
        repeats=True,
    ),
    Tool(
        "debug_view",
        "debug.view",
        "Look at the state",
        "The state at the present step, bounded by a window.",
        required=_DEBUG,
        optional={"window": {"type": "object", "description": "cells, first, depth, corner, …"}},
        answer={"step": {"type": "integer"}},
        reads=True,
        repeats=True,
    ),
    Tool(
        "debug_breakpoints",
        "debug.breakpoints",
        "Breakpoints",
        "Replace all breakpoints by a list, or tell them.",
        required=_DEBUG,
        optional={"set": {"type": "array", "items": _BREAKPOINT}},
        answer={"breakpoints": {"type": "array"}},
        repeats=True,
    ),
    Tool(
        "debug_printed",
        "debug.printed",
        "Who printed a byte",
        "The step that printed a byte of the output, in the history run so far.",
        required={**_DEBUG, "byte": _whole("its number, from 0")},
        answer={"step": {"type": ["integer", "null"]}},
        reads=True,
        repeats=True,
    ),
    Tool(
        "debug_writes",
        "debug.writes",
        "Who wrote a cell",
        "The last steps that put a value into a cell or a place on a stack.",
        required=_DEBUG,
        optional={
            "cell": _CELL,
            "slot": {"type": "object", "description": "a place on a stack: stack and level"},
            "before": _whole("up to this step; to here unless said"),
            "limit": _whole("how many", 1),
        },
        reads=True,
        repeats=True,
    ),
    Tool(
        "debug_set",
        "debug.set",
        "Change the state or the input",
        "Change a cell, a variable of the generator, or what the program reads. What came after "
        "is forgotten.",
        required=_DEBUG,
        optional={
            "cell": _CELL,
            "variable": _text("a variable of the source map"),
            "value": {"type": "integer"},
            "stdin": _text("all of the input anew"),
            "feed": _text("more input, where it is open"),
        },
    ),
    Tool(
        "debug_variables",
        "debug.variables",
        "Variables of the generator",
        "The variables of the source by name, where there is a source map.",
        required=_DEBUG,
        optional={"names": _text("a part of the names wanted")},
        reads=True,
        repeats=True,
    ),
    Tool(
        "debug_why",
        "debug.diagnose",
        "Why the run ended, or does not",
        "Facts on how the run ended, or why it goes on for ever, and what to try.",
        required=_DEBUG,
        reads=True,
        repeats=True,
    ),
    Tool(
        "debug_close",
        "debug.close",
        "Close a debugger",
        "Forget a debugger and its history.",
        required=_DEBUG,
        repeats=True,
    ),
)


def tools_of(role: Role) -> Sequence[Tool]:
    """What a role may use: the session's solver, or somebody who practises without one."""
    tools = (*(_SESSIONS if role == "solver" else _PRACTICE), *_EVERYBODY)
    assert all(tool.method in METHODS for tool in tools)
    return tools
