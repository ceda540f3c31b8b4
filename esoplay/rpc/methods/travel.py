"""``debug.*``: moves through a recording, and the state at a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from typing import Annotated, Any

from msgspec import Meta

from esolangs.view import Window
from esoplay.debugging.debugger import MAX_OUTPUT_BYTES, BreakpointSpec, Debugger
from esoplay.debugging.descriptions import (
    VIEW_FIELDS,
    breakpoint_as_json,
    reason_as_json,
    stop_as_json,
    view_as_json,
)
from esoplay.debugging.watches import MAX_WATCHES, shared_watches, watch_as_json
from esoplay.errors import ConditionError
from esoplay.rpc.connection import Call
from esoplay.rpc.parameters import (
    MAX_INTEGER,
    Parameter,
    ParameterCheck,
    any_of,
    boolean,
    bounded_integer,
    cell,
    check,
    list_of,
    one_of,
    point,
    record,
    slot,
    text,
)
from esoplay.rpc.protocol import invalid_params
from esoplay.rpc.table import DEBUG, Method
from esoplay.timeline.breakpoint_spec import FIELDS, BreakpointField, FieldKind
from esoplay.timeline.stops import Reason, Stop

DEFAULT_STEPS = 100_000_000
DEFAULT_SECONDS = 10.0
"""Default limit of a move in seconds; a move also stops after ``DEFAULT_STEPS`` steps."""

_MAX_BREAKPOINTS = 1_000
_MAX_WINDOW = 4_096
_MAX_SIDE = 512  # cells per side of a plane; 512 × 512 cells are a few megabytes of JSON


def step(
    call: Call,
    *,
    debug: str,
    count: int = 1,
    reverse: bool = False,
    granularity: Any = "instruction",
    budget: int | None = None,
    window: dict[str, Any] | None = None,
    fields: list[str] | None = None,
) -> dict[str, Any]:
    """Move forwards or backwards by ``count`` units of ``granularity``, such as lines."""
    debugger = call.connection.debuggers.get(debug)
    seconds = DEFAULT_SECONDS if budget is None else inf
    if granularity == "instruction":
        wanted = debugger.step + (-count if reverse else count)
        stop = debugger.seek(wanted, call.tick, budget=budget, seconds=seconds)
    else:
        stop = debugger.step_by(
            count,
            reverse=reverse,
            granularity=granularity,
            budget=DEFAULT_STEPS if budget is None else budget,
            ticker=call.tick,
            seconds=seconds,
        )
    return _answer(debugger, stop, budget, window, fields)


def continue_(
    call: Call,
    *,
    debug: str,
    reverse: bool = False,
    until: list[BreakpointSpec] | None = None,
    budget: int | None = None,
    window: dict[str, Any] | None = None,
    fields: list[str] | None = None,
) -> dict[str, Any]:
    """Continue to a breakpoint or to a condition in ``until``, within a budget."""
    debugger = call.connection.debuggers.get(debug)
    _check_conditions(debugger, "until", until or ())
    stop = debugger.resume(
        reverse=reverse,
        until=until or (),
        budget=DEFAULT_STEPS if budget is None else budget,
        ticker=call.tick,
        seconds=DEFAULT_SECONDS if budget is None else inf,
    )
    return _answer(debugger, stop, budget, window, fields)


def seek(
    call: Call,
    *,
    debug: str,
    step: int,
    budget: int | None = None,
    window: dict[str, Any] | None = None,
    fields: list[str] | None = None,
) -> dict[str, Any]:
    """Move to a step, or as close as the budget allows."""
    debugger = call.connection.debuggers.get(debug)
    seconds = DEFAULT_SECONDS if budget is None else inf
    stop = debugger.seek(step, call.tick, budget=budget, seconds=seconds)
    return _answer(debugger, stop, budget, window, fields)


def _answer(
    debugger: Debugger,
    stop: Stop,
    budget: int | None,
    window: dict[str, Any] | None,
    fields: list[str] | None,
) -> dict[str, Any]:
    """Return the result of a move; if the default limits ended it, explain how to continue."""
    first = stop.reasons[0]
    if budget is None and first.kind == "budget":
        text = f"the default budget is used up at step {stop.step}: {first.text}; call again to "
        stop = replace(stop, reasons=(Reason("budget", f"{text}continue"),))
    return stop_as_json(debugger, stop, Window(**(window or {})), fields)


def view(
    call: Call,
    *,
    debug: str,
    window: dict[str, Any] | None = None,
    fields: list[str] | None = None,
) -> dict[str, Any]:
    """Return the state at the current step, with the part of memory that ``window`` selects."""
    debugger = call.connection.debuggers.get(debug)
    return view_as_json(debugger, debugger.view(Window(**(window or {}))), fields)


def breakpoints(
    call: Call, *, debug: str, set: list[BreakpointSpec] | None = None
) -> dict[str, Any]:
    """Return all breakpoints; if ``set`` is present, it replaces them first."""
    debugger = call.connection.debuggers.get(debug)
    if set is not None:
        _check_conditions(debugger, "set", set)
        debugger.set_breakpoints(set)
    return {"breakpoints": [breakpoint_as_json(each) for each in debugger.breakpoints]}


def _check_conditions(debugger: Debugger, name: str, specs: Sequence[BreakpointSpec]) -> None:
    """Raise the error of an invalid condition, with its position in the request."""
    for at, spec in enumerate(specs):
        try:
            debugger.check_breakpoint(spec)
        except ConditionError as error:
            path = f"{name}[{at}]" if spec.condition is None else f"{name}[{at}].condition"
            raise ConditionError(f"{path}: {error.message}", error.column) from None


def printed(call: Call, *, debug: str, byte: int, budget: int | None = None) -> dict[str, Any]:
    """Return the step that printed an output byte, or null if none did."""
    debugger = call.connection.debuggers.get(debug)
    return _find_step(call, debugger, lambda: debugger.find_print_step(byte), budget)


def read(call: Call, *, debug: str, byte: int, budget: int | None = None) -> dict[str, Any]:
    """Return the step that read an input byte, or null if none did."""
    debugger = call.connection.debuggers.get(debug)
    return _find_step(call, debugger, lambda: debugger.find_read_step(byte), budget)


def _find_step(
    call: Call,
    debugger: Debugger,
    find: Callable[[], int | None],
    budget: int | None,
) -> dict[str, Any]:
    """Search for a step with ``find``; return it as the result of the method, or null.

    If known history does not contain the step, version 2 extends the history by running the
    program. If the step is still not found, ``stopped`` in the result has the reason.
    """
    step, stop = find(), None
    if step is None and call.connection.version > 1:
        steps = DEFAULT_STEPS if budget is None else budget
        seconds = DEFAULT_SECONDS if budget is None else inf
        step, stop = debugger.find_ahead(find, steps, call.tick, seconds)
        call.raise_if_cancelled()
    data: dict[str, Any] = {"step": step}
    return data if stop is None else {**data, "stopped": [reason_as_json(stop.reasons[0])]}


@check(Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_OUTPUT_BYTES})])
def _match_bytes(value: str, path: str) -> bytes:
    data = value.encode()
    if not 0 < len(data) <= MAX_OUTPUT_BYTES:
        raise invalid_params(
            f"{path} must be the index of a byte, or a string of 1 to {MAX_OUTPUT_BYTES} bytes"
        )
    return data


_CHECKS: dict[FieldKind, Callable[[BreakpointField], ParameterCheck]] = {
    "whole": lambda field: bounded_integer(field.minimum),
    "point": lambda field: point,
    "text": lambda field: text,
    "cell": lambda field: cell,
    "slot": lambda field: slot,
    "output": lambda field: any_of(
        bounded_integer(), _match_bytes, expected="the index of a byte, or a string"
    ),
    "choice": lambda field: one_of(*field.choices),
    "flag": lambda field: boolean,
}
_breakpoint_fields = record(
    *(Parameter(field.name, _CHECKS[field.kind](field)) for field in FIELDS)
)


@check(_breakpoint_fields.kind)
def _breakpoint(value: Any, path: str) -> BreakpointSpec:
    fields = _breakpoint_fields(value, path)
    if not fields.keys() - {"log", "enabled", "direction", "new"} and not fields.get("new"):
        raise invalid_params(
            f"{path} needs at least one of offset, position, place, instruction, source_line, "
            "cell, slot, read, output, effect, step, every, new and condition"
        )
    return BreakpointSpec(**fields)


_GRANULARITIES = ("instruction", "loop", "finish", "line", "source")
_REVERSE = Parameter("reverse", boolean)
_BUDGET_PARAMETERS = (Parameter("budget", bounded_integer(1)),)
WINDOW = record(
    Parameter("cells", bounded_integer(1, _MAX_WINDOW)),
    Parameter("first", bounded_integer(-MAX_INTEGER)),
    Parameter("depth", bounded_integer(1, _MAX_WINDOW)),
    Parameter("width", bounded_integer(1, _MAX_SIDE)),
    Parameter("height", bounded_integer(1, _MAX_SIDE)),
    Parameter("corner", point),
    Parameter("lines", bounded_integer(1, _MAX_WINDOW)),
)

_SHOWN_VIEW = (
    Parameter("window", WINDOW),
    Parameter("fields", list_of(one_of(*VIEW_FIELDS), len(VIEW_FIELDS))),
)
"""Parameters that select the part of a state to return."""

TRAVEL_METHODS = (
    Method(
        "debug.step",
        step,
        (
            DEBUG,
            Parameter("count", bounded_integer(1)),
            _REVERSE,
            Parameter("granularity", one_of(*_GRANULARITIES)),
            Parameter("budget", bounded_integer(1)),
        ),
        solver_may_call=True,
        added_parameters=_SHOWN_VIEW,
        compact_part="view",
    ),
    Method(
        "debug.continue",
        continue_,
        (
            DEBUG,
            _REVERSE,
            Parameter("until", list_of(_breakpoint, _MAX_BREAKPOINTS)),
            Parameter("budget", bounded_integer(1)),
        ),
        solver_may_call=True,
        added_parameters=_SHOWN_VIEW,
        compact_part="view",
    ),
    Method(
        "debug.seek",
        seek,
        (
            DEBUG,
            Parameter("step", bounded_integer(), required=True),
            Parameter("budget", bounded_integer(1)),
        ),
        solver_may_call=True,
        added_parameters=_SHOWN_VIEW,
        compact_part="view",
    ),
    Method(
        "debug.view",
        view,
        (DEBUG, *_SHOWN_VIEW),
        solver_may_call=True,
        compact_part="state",
    ),
    Method(
        "debug.breakpoints",
        breakpoints,
        (DEBUG, Parameter("set", list_of(_breakpoint, _MAX_BREAKPOINTS))),
        solver_may_call=True,
    ),
    Method(
        "debug.printed",
        printed,
        (DEBUG, Parameter("byte", bounded_integer(), required=True)),
        solver_may_call=True,
        added_parameters=_BUDGET_PARAMETERS,
    ),
    Method(
        "debug.read",
        read,
        (DEBUG, Parameter("byte", bounded_integer(), required=True)),
        solver_may_call=True,
        added_parameters=_BUDGET_PARAMETERS,
    ),
)


# ``debug.watch``: the values of expressions at the current step.


def watch(
    call: Call,
    *,
    debug: str,
    add: list[str] | None = None,
    change: dict[str, Any] | None = None,
    delete: list[int] | None = None,
) -> dict[str, Any]:
    """Delete, change and add watches; return all watches with their values."""
    debugger = call.connection.debuggers.get(debug)
    watches = shared_watches(debugger)
    changed = {} if change is None else {change["id"]: change["expression"]}
    watches.edit(delete=delete or (), change=changed, add=add or ())
    return {
        "step": debugger.step,
        "watches": [watch_as_json(each) for each in watches.values(debugger)],
    }


WATCH_METHODS = (
    Method(
        "debug.watch",
        watch,
        (
            DEBUG,
            Parameter("add", list_of(text, MAX_WATCHES)),
            Parameter(
                "change",
                record(
                    Parameter("id", bounded_integer(1), required=True),
                    Parameter("expression", text, required=True),
                ),
            ),
            Parameter("delete", list_of(bounded_integer(1), MAX_WATCHES)),
        ),
        solver_may_call=True,
    ),
)
