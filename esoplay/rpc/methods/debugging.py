"""``debug.*``: the time-travelling debugger."""

from __future__ import annotations

from typing import Any

from esolangs.limits import Limits
from esolangs.view import Window
from esoplay.rpc.calls import Call
from esoplay.rpc.encode import (
    VIEW_FIELDS,
    breakpoint_as_json,
    stop_as_json,
    view_as_json,
    write_as_json,
)
from esoplay.rpc.errors import invalid_params, rejected
from esoplay.rpc.methods.shared import (
    LANGUAGE,
    MEANING,
    PROGRAM,
    SEED,
    STDIN,
    read_program,
    read_stdin,
)
from esoplay.rpc.parameters import (
    LARGEST,
    Parameter,
    either,
    flag,
    list_of,
    one_of,
    record,
    text,
    utf8,
    whole,
)
from esoplay.rpc.permits import permit_recording
from esoplay.rpc.table import Method
from esoplay.service.debugging import BreakpointSpec, Debugger

_MAX_BREAKPOINTS = 1_000
_MAX_WINDOW = 4_096
_MAX_WRITES = 1_000


def open_(
    call: Call,
    *,
    language: str,
    program: bytes | None = None,
    program_base64: bytes | None = None,
    path: str | None = None,
    stdin: bytes | None = None,
    stdin_base64: bytes | None = None,
    closed: bool = True,
    dialect: str | None = None,
    options: dict[str, str | int] | None = None,
    seed: int = 0,
    limits: dict[str, int] | None = None,
) -> dict[str, Any]:
    connection = call.connection
    source = read_program(call, program, program_base64, path)
    given = read_stdin(stdin, stdin_base64)
    connection.debuggers.check_room()
    permit = permit_recording(connection, source, given, language)
    if permit.dialect is not None and (options or dialect not in (None, permit.dialect)):
        raise rejected(f"this session's dialect is {permit.dialect}, with its own options")
    debugger = Debugger.open(
        language,
        source,
        stdin=given,
        closed=closed,
        dialect=permit.dialect or dialect or "standard",
        options=options,
        seed=seed,
        limits=_lower(permit.limits, limits or {}),
    )
    name = connection.debuggers.add(debugger)
    return {"debug": name, "view": view_as_json(debugger, debugger.view())}


def step(
    call: Call,
    *,
    debug: str,
    count: int = 1,
    reverse: bool = False,
    granularity: Any = "instruction",
) -> dict[str, Any]:
    debugger = call.connection.debuggers.get(debug)
    stop = debugger.step_by(count, reverse=reverse, granularity=granularity, ticker=call.tick)
    return stop_as_json(debugger, stop)


def continue_(
    call: Call,
    *,
    debug: str,
    reverse: bool = False,
    until: list[BreakpointSpec] | None = None,
    budget: int | None = None,
) -> dict[str, Any]:
    debugger = call.connection.debuggers.get(debug)
    stop = debugger.resume(reverse=reverse, until=until or (), budget=budget, ticker=call.tick)
    return stop_as_json(debugger, stop)


def seek(call: Call, *, debug: str, step: int) -> dict[str, Any]:
    debugger = call.connection.debuggers.get(debug)
    return stop_as_json(debugger, debugger.seek(step, ticker=call.tick))


def view(
    call: Call,
    *,
    debug: str,
    window: dict[str, int] | None = None,
    fields: list[str] | None = None,
) -> dict[str, Any]:
    debugger = call.connection.debuggers.get(debug)
    return view_as_json(debugger, debugger.view(Window(**(window or {}))), fields)


def breakpoints(
    call: Call, *, debug: str, set: list[BreakpointSpec] | None = None
) -> dict[str, Any]:
    debugger = call.connection.debuggers.get(debug)
    if set is not None:
        debugger.set_breakpoints(set)
    return {"breakpoints": [breakpoint_as_json(each) for each in debugger.breakpoints]}


def writes(
    call: Call, *, debug: str, cell: int, before: int | None = None, limit: int = 1
) -> dict[str, Any]:
    debugger = call.connection.debuggers.get(debug)
    found = debugger.writes(cell, before=before, limit=limit)
    return {"writes": [write_as_json(each) for each in found]}


def printed(call: Call, *, debug: str, byte: int) -> dict[str, Any]:
    return {"step": call.connection.debuggers.get(debug).printed(byte)}


def set_(
    call: Call,
    *,
    debug: str,
    cell: int | None = None,
    value: int | None = None,
    stdin: bytes | None = None,
    feed: bytes | None = None,
    close_input: bool = False,
) -> dict[str, Any]:
    debugger = call.connection.debuggers.get(debug)
    if (cell is None) != (value is None):
        raise invalid_params("cell and value go together")
    if (cell, stdin, feed) == (None, None, None) and not close_input:
        raise invalid_params("give cell and value, stdin, feed or close_input")
    if cell is not None or stdin is not None:
        _permit_again(call, debugger, stdin)
    if cell is not None and value is not None:
        debugger.set_cell(cell, value)
    if stdin is not None:
        debugger.set_stdin(stdin)
    if feed is not None:
        debugger.feed(feed)
    if close_input:
        debugger.close_input()
    return {"step": debugger.step, "view": view_as_json(debugger, debugger.view())}


def fork(call: Call, *, debug: str) -> dict[str, Any]:
    debuggers = call.connection.debuggers
    debugger = debuggers.get(debug)
    debuggers.check_room()
    _permit_again(call, debugger)
    forked = debugger.fork()
    return {"debug": debuggers.add(forked), "view": view_as_json(forked, forked.view())}


def close(call: Call, *, debug: str) -> dict[str, Any]:
    call.connection.debuggers.remove(debug)
    return {"closed": True}


def _permit_again(call: Call, debugger: Debugger, stdin: bytes | None = None) -> None:
    given = debugger.input if stdin is None else stdin
    permit_recording(call.connection, debugger.program.source, given)


def _lower(limits: Limits, asked: dict[str, int]) -> Limits:
    """The limits that were asked for, as far as they are allowed."""
    return Limits(
        min(asked.get("steps", limits.steps), limits.steps),
        min(asked.get("output", limits.output), limits.output),
        min(asked.get("memory", limits.memory), limits.memory),
    )


def _one_byte(value: object, path: str) -> bytes:
    data = utf8(value, path)
    if len(data) != 1:
        raise invalid_params(f"{path} is the number of a byte, or one ASCII character")
    return data


_breakpoint_fields = record(
    Parameter("offset", whole()),
    Parameter("cell", whole(-LARGEST)),
    Parameter("output", either(whole(), _one_byte, what="a byte's number or one character")),
    Parameter("condition", text),
    Parameter("effect", one_of("write", "output", "input")),
    Parameter("log", text),
    Parameter("enabled", flag),
)


def _breakpoint(value: object, path: str) -> BreakpointSpec:
    fields = _breakpoint_fields(value, path)
    if not fields.keys() & {"offset", "cell", "output", "condition", "effect"}:
        raise invalid_params(f"{path} needs offset, cell, output, condition or effect")
    return BreakpointSpec(**fields)


_DEBUG = Parameter("debug", text, required=True)
_REVERSE = Parameter("reverse", flag)
_LIMITS = record(
    Parameter("steps", whole()), Parameter("output", whole()), Parameter("memory", whole())
)
_WINDOW = record(
    Parameter("cells", whole(1, _MAX_WINDOW)),
    Parameter("first", whole(-LARGEST)),
    Parameter("depth", whole(1, _MAX_WINDOW)),
)

METHODS = (
    Method(
        "debug.open",
        open_,
        (
            LANGUAGE,
            *PROGRAM,
            *STDIN,
            *MEANING,
            SEED,
            Parameter("closed", flag),
            Parameter("limits", _LIMITS),
        ),
        solver=True,
    ),
    Method(
        "debug.step",
        step,
        (
            _DEBUG,
            Parameter("count", whole(1)),
            _REVERSE,
            Parameter("granularity", one_of("instruction", "loop", "finish", "line")),
        ),
        solver=True,
    ),
    Method(
        "debug.continue",
        continue_,
        (
            _DEBUG,
            _REVERSE,
            Parameter("until", list_of(_breakpoint, _MAX_BREAKPOINTS)),
            Parameter("budget", whole(1)),
        ),
        solver=True,
    ),
    Method("debug.seek", seek, (_DEBUG, Parameter("step", whole(), required=True)), solver=True),
    Method(
        "debug.view",
        view,
        (
            _DEBUG,
            Parameter("window", _WINDOW),
            Parameter("fields", list_of(one_of(*VIEW_FIELDS), len(VIEW_FIELDS))),
        ),
        solver=True,
    ),
    Method(
        "debug.breakpoints",
        breakpoints,
        (_DEBUG, Parameter("set", list_of(_breakpoint, _MAX_BREAKPOINTS))),
        solver=True,
    ),
    Method(
        "debug.writes",
        writes,
        (
            _DEBUG,
            Parameter("cell", whole(-LARGEST), required=True),
            Parameter("before", whole()),
            Parameter("limit", whole(1, _MAX_WRITES)),
        ),
        solver=True,
    ),
    Method(
        "debug.printed", printed, (_DEBUG, Parameter("byte", whole(), required=True)), solver=True
    ),
    Method(
        "debug.set",
        set_,
        (
            _DEBUG,
            Parameter("cell", whole(-LARGEST)),
            Parameter("value", whole(-LARGEST)),
            Parameter("stdin", utf8),
            Parameter("feed", utf8),
            Parameter("close_input", flag),
        ),
        solver=True,
    ),
    Method("debug.fork", fork, (_DEBUG,), solver=True),
    Method("debug.close", close, (_DEBUG,), solver=True),
)
