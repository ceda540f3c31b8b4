"""Requests about a launched program: moves and queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from esolangs.stops import Slot
from esoplay.dap.breakpoints import data_id
from esoplay.dap.console import ConsoleCompletion
from esoplay.dap.console import evaluate as evaluate_expression
from esoplay.dap.protocol import (
    Arguments,
    RequestError,
    integer_argument,
    object_argument,
    required_integer,
    required_text,
    text_argument,
)
from esoplay.dap.session import Session
from esoplay.dap.variables import value_text
from esoplay.debugging.debugger import Direction, Granularity
from esoplay.debugging.source_maps import set_variable as set_named

Answer = dict[str, Any]
Move = Callable[[Session, Arguments], Callable[[], None]]
"""A function that checks a request and returns the move to make after the response."""

Query = Callable[[Session, Arguments], Answer]


def _resume(direction: Direction) -> Move:
    return lambda session, _arguments: partial(session.resume, direction)


def _step(granularity: Granularity, direction: Direction) -> Move:
    return lambda session, arguments: partial(
        session.step, granularity, direction, text_argument(arguments, "granularity")
    )


def breakpoint_locations(session: Session, arguments: Arguments) -> Answer:
    """Return where breakpoints can be set in the given lines; [] for an unknown file."""
    role = session.run.sources.role(object_argument(arguments, "source"))
    line = required_integer(arguments, "line")
    last = integer_argument(arguments, "endLine") or line
    found = [] if role is None else session.run.breakpoints.locations(role, line, last)
    return {"breakpoints": found}


def stack_trace(session: Session, arguments: Arguments) -> Answer:
    """Return the requested frames, innermost first."""
    start, levels = (
        integer_argument(arguments, "startFrame") or 0,
        integer_argument(arguments, "levels") or 0,
    )
    frames, total = session.run.frames.trace(max(0, start), levels)
    return {"stackFrames": frames, "totalFrames": total}


def scopes(session: Session, _arguments: Arguments) -> Answer:
    """Return the scopes of the state, such as its panels; they are the same for all frames."""
    return {"scopes": session.run.variables.scopes()}


def variables(session: Session, arguments: Arguments) -> Answer:
    """Return the children of a scope or a variable."""
    reference = required_integer(arguments, "variablesReference")
    start, count = (
        integer_argument(arguments, "start") or 0,
        integer_argument(arguments, "count") or 0,
    )
    return {"variables": session.run.variables.children(reference, start, count)}


def exception_info(session: Session, _arguments: Arguments) -> Answer:
    """Return the fault or limit that stopped the program."""
    return session.fault()


def loaded_sources(session: Session, _arguments: Arguments) -> Answer:
    """Return the program, and the source that it was generated from."""
    return {"sources": session.run.sources.as_json}


def source(session: Session, arguments: Arguments) -> Answer:
    """Return the text of a source that is not in a file."""
    return {"content": session.run.sources.text(integer_argument(arguments, "sourceReference"))}


def evaluate(session: Session, arguments: Arguments) -> Answer:
    """Return the value of an expression; in the console, run text after a colon as a command."""
    text = required_text(arguments, "expression").strip()
    if text_argument(arguments, "context") == "repl" and text.startswith(":"):
        result = session.command(text[1:])
    else:
        result = evaluate_expression(session.run.debugger, text)
    return {"result": result, "variablesReference": 0}


def completions(session: Session, arguments: Arguments) -> Answer:
    """Return the completions of the word before the cursor in the console."""
    text = text_argument(arguments, "text")
    if text is None:
        raise RequestError("text is missing")
    data = text.encode()
    places = session.numbering.places(data)
    line = integer_argument(arguments, "line")
    row = 0 if line is None else places.row(line)
    if row is None:
        raise RequestError(f"the text has no line {line}")
    cursor = places.offset(row, required_integer(arguments, "column"))
    word, found = session.completions(data[places.bounds(row)[0] : cursor].decode())
    start = places.place(cursor - len(word.encode()))[1]
    replaced = {"start": start, "length": places.place(cursor)[1] - start}
    return {"targets": [{**_completion(each), **replaced} for each in found]}


def _completion(completion: ConsoleCompletion) -> dict[str, Any]:
    if not completion.help:
        return {"label": completion.word}
    return {"label": completion.word, "type": "function", "detail": completion.help}


def data_breakpoint_info(session: Session, arguments: Arguments) -> Answer:
    """Return the ``dataId`` of a variable, its description and the possible access types."""
    name = required_text(arguments, "name")
    reference = integer_argument(arguments, "variablesReference")
    item = None if reference is None else session.run.variables.find(reference, name)
    if item is None or item.place is None:
        return {"dataId": None, "description": f"{name} is neither a cell nor a slot of a stack"}
    kinds = ["write"]
    if (
        not isinstance(item.place, Slot)
        and session.run.debugger.program.cell_readers(item.place) is not None
    ):
        kinds.append("read")
    return {
        "dataId": data_id(item.place),
        "description": name,
        "accessTypes": kinds,
        "canPersist": True,
    }


def set_variable(session: Session, arguments: Arguments) -> Answer:
    """Set a cell or a source variable, and discard later history."""
    name, text = required_text(arguments, "name"), required_text(arguments, "value")
    item = session.run.variables.find(required_integer(arguments, "variablesReference"), name)
    if item is None:
        raise RequestError(f"no variable {name} in this state")
    value = _value(text)
    if item.source_name:
        set_named(session.run.debugger, item.source_name, value)
    elif item.place is not None and not isinstance(item.place, Slot):
        session.run.debugger.set_cell(item.place, value)
    else:
        raise RequestError(f"{name} cannot be changed; only cells and source variables can")
    session.send_changed_state()
    return {"value": value_text(value)}


def _value(text: str) -> int:
    """Parse an integer or a character in quotes. Raises RequestError for other text."""
    text = text.strip()
    if len(text) == 3 and text[0] == text[2] and text[0] in "'\"":
        return ord(text[1])
    try:
        return int(text.split()[0], 0)
    except (ValueError, IndexError):
        raise RequestError(
            f"invalid value {text!r}; expected a number or a character in quotes"
        ) from None


MOVES: Mapping[str, Move] = {
    "continue": _resume("forwards"),
    "reverseContinue": _resume("backwards"),
    "next": _step("loop", "forwards"),
    "stepIn": _step("instruction", "forwards"),
    "stepOut": _step("finish", "forwards"),
    "stepBack": _step("instruction", "backwards"),
}

QUERIES: Mapping[str, Query] = {
    "breakpointLocations": breakpoint_locations,
    "completions": completions,
    "dataBreakpointInfo": data_breakpoint_info,
    "stackTrace": stack_trace,
    "scopes": scopes,
    "variables": variables,
    "setVariable": set_variable,
    "evaluate": evaluate,
    "exceptionInfo": exception_info,
    "loadedSources": loaded_sources,
    "source": source,
}
