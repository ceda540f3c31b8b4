"""Methods for recordings (such as ``debug.open``), their source maps and their notes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from esolangs.limits import Limits
from esolangs.stops import Address
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.descriptions import view_as_json
from esoplay.debugging.notebook import (
    Notebook,
    as_markdown,
    export,
    make_note,
    note_as_json,
    notebook_title,
    shared_notebook,
)
from esoplay.debugging.source_maps import (
    SourceMap,
    parse_map,
    read_map,
    set_variable,
    source_as_json,
    variables,
)
from esoplay.errors import UsageError
from esoplay.paths import state_folder
from esoplay.rpc.connection import MAX_INPUT_BYTES, Call, permit_recording
from esoplay.rpc.parameters import (
    Parameter,
    ParameterCheck,
    boolean,
    bounded_integer,
    cell,
    integer,
    record,
    text,
    utf8,
)
from esoplay.rpc.protocol import domain_error, invalid_params, rejected_error
from esoplay.rpc.table import (
    DEBUG,
    DIALECT_AND_OPTIONS,
    LANGUAGE,
    PROGRAM,
    SEED,
    STDIN,
    Method,
    read_program,
    stdin_from_parameters,
)

# ``debug.variables``, and the parameters for source maps.

_MAX_VARIABLES = 10_000
_DEFAULT_VARIABLES = 1_000


SOURCE_MAP = (
    Parameter("source_map", ParameterCheck(dict[str, Any])),
    Parameter("source_map_path", text),
)


def requested_map(call: Call, source_map: object | None, path: str | None) -> SourceMap | None:
    """Return the source map of a request, or None; only an operator may use ``path``."""
    if path is not None:
        if not call.connection.is_operator:
            raise rejected_error(
                "`source_map_path` is for the operator; send the map in `source_map`"
            )
        if source_map is not None:
            raise invalid_params("`source_map` cannot be combined with `source_map_path`")
        return read_map(Path(path))
    return None if source_map is None else parse_map(source_map)


def variables_(
    call: Call,
    *,
    debug: str,
    names: str | None = None,
    limit: int = _DEFAULT_VARIABLES,
) -> dict[str, Any]:
    """Return the variables of the source that was compiled to the program, with current values."""
    debugger = call.connection.debuggers.get(debug)
    found = variables(debugger)
    if names is not None:
        found = tuple(each for each in found if each.name.startswith(names))
    return source_as_json(debugger, found, limit)


SOURCE_METHODS = (
    Method(
        "debug.variables",
        variables_,
        (DEBUG, Parameter("names", text), Parameter("limit", bounded_integer(1, _MAX_VARIABLES))),
        solver_may_call=True,
    ),
)


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
    source_map: object | None = None,
    source_map_path: str | None = None,
) -> dict[str, Any]:
    """Open a program in a debugger at step 0, with an optional source map."""
    connection = call.connection
    opened_map = requested_map(call, source_map, source_map_path)
    source = read_program(call, program, program_base64, path)
    if opened_map is not None:
        opened_map.check(source)
    given = stdin_from_parameters(stdin, stdin_base64)
    connection.debuggers.check_room()
    permit = permit_recording(connection, source, given, language)
    if permit.dialect is not None and (options or dialect not in (None, permit.dialect)):
        raise rejected_error(
            f"the session sets the dialect {permit.dialect} and its options; "
            "omit `dialect` and `options`"
        )
    debugger = Debugger.open(
        language,
        source,
        stdin=given,
        closed=closed,
        dialect=permit.dialect or dialect or "standard",
        options=options,
        seed=seed,
        limits=_lower_limits(permit.limits, limits or {}),
        started=0 if connection.solver_session else int(time.time()),
    )
    if opened_map is not None:
        debugger.use_map(opened_map)
    name = connection.debuggers.add(debugger)
    return {"debug": name, "view": view_as_json(debugger, debugger.view())}


def set_(
    call: Call,
    *,
    debug: str,
    cell: Address | None = None,
    variable: str | None = None,
    value: int | None = None,
    stdin: bytes | None = None,
    feed: bytes | None = None,
    close_input: bool = False,
) -> dict[str, Any]:
    """Change a cell, a variable or the input."""
    debugger = call.connection.debuggers.get(debug)
    if cell is not None and variable is not None:
        raise invalid_params("`cell` cannot be combined with `variable`")
    if (cell is None and variable is None) != (value is None):
        raise invalid_params(
            "`value` requires `cell` or `variable`, and each of these requires `value`"
        )
    if (value, stdin, feed) == (None, None, None) and not close_input:
        raise invalid_params(
            "expected `value` with `cell` or `variable`, or `stdin`, `feed` or `close_input`"
        )
    if stdin is not None and (feed is not None or close_input):
        raise invalid_params(
            "`stdin` is the whole input; it cannot be combined with `feed` or `close_input`"
        )
    if feed is not None:
        _check_feed(debugger, feed)
    if value is not None or stdin is not None:
        _permit_new_input(call, debugger, stdin)
    if cell is not None and value is not None:
        debugger.set_cell(cell, value)
    if variable is not None and value is not None:
        set_variable(debugger, variable, value)
    if stdin is not None:
        debugger.set_stdin(stdin, ticker=call.tick)
        call.raise_if_cancelled()
    if feed is not None:
        debugger.feed(feed)
    if close_input:
        debugger.close_input()
    return {"step": debugger.step, "view": view_as_json(debugger, debugger.view())}


def fork(call: Call, *, debug: str) -> dict[str, Any]:
    """Return a new debugger with the same recording and position."""
    debuggers = call.connection.debuggers
    debugger = debuggers.get(debug)
    debuggers.check_room()
    _permit_new_input(call, debugger)
    forked = debugger.fork(call.tick)
    return {"debug": debuggers.add(forked), "view": view_as_json(forked, forked.view())}


def close(call: Call, *, debug: str) -> dict[str, Any]:
    """Close a debugger and discard its history."""
    call.connection.debuggers.remove(debug)
    return {"closed": True}


def _check_feed(debugger: Debugger, feed: bytes) -> None:
    """Raise an error if ``feed`` cannot be added to the input; called before any change."""
    if debugger.is_input_closed:
        raise UsageError("the input of this recording is closed; `stdin` replaces the whole input")
    if len(debugger.input) + len(feed) > MAX_INPUT_BYTES:
        raise domain_error(
            "limit", f"the input of a recording must have at most {MAX_INPUT_BYTES} bytes"
        )


def _permit_new_input(call: Call, debugger: Debugger, stdin: bytes | None = None) -> None:
    given = debugger.input if stdin is None else stdin
    permit_recording(call.connection, debugger.program.source, given)


def _lower_limits(limits: Limits, requested: dict[str, int]) -> Limits:
    """Return the requested limits; each is at most the allowed limit."""
    return Limits(
        min(requested.get("steps", limits.steps), limits.steps),
        min(requested.get("output", limits.output), limits.output),
        min(requested.get("memory", limits.memory), limits.memory),
        min(requested.get("work", limits.work), limits.work),
    )


_LIMITS = record(
    Parameter("steps", bounded_integer()),
    Parameter("output", bounded_integer()),
    Parameter("memory", bounded_integer()),
    Parameter("work", bounded_integer()),
)

RECORDING_METHODS = (
    Method(
        "debug.open",
        open_,
        (
            LANGUAGE,
            *PROGRAM,
            *STDIN,
            *DIALECT_AND_OPTIONS,
            SEED,
            Parameter("closed", boolean),
            Parameter("limits", _LIMITS),
            *SOURCE_MAP,
        ),
        solver_may_call=True,
        compact_part="new_view",
    ),
    Method(
        "debug.set",
        set_,
        (
            DEBUG,
            Parameter("cell", cell),
            Parameter("variable", text),
            Parameter("value", integer),
            Parameter("stdin", utf8),
            Parameter("feed", utf8),
            Parameter("close_input", boolean),
        ),
        solver_may_call=True,
        compact_part="view",
    ),
    Method("debug.fork", fork, (DEBUG,), solver_may_call=True, compact_part="new_view"),
    Method("debug.close", close, (DEBUG,), solver_may_call=True),
)


# ``debug.note`` and ``debug.notebook``: notes on steps of a run.


def note(call: Call, *, debug: str, text: str = "", cell: Address | None = None) -> dict[str, Any]:
    """Add a note on the current step."""
    debugger = call.connection.debuggers.get(debug)
    kept = _notebook(call, debugger).add(make_note(debugger, text, cell))
    return {"note": note_as_json(kept)}


def notebook(
    call: Call,
    *,
    debug: str,
    change: dict[str, Any] | None = None,
    delete: int | None = None,
    markdown: bool = False,
    path: str | None = None,
    overwrite: bool = False,
) -> dict[str, Any]:
    """Change or delete a note if requested; return all notes, optionally also as Markdown."""
    debugger = call.connection.debuggers.get(debug)
    if path is not None and not call.connection.is_operator:
        raise rejected_error(
            "`path` is for the operator; set `markdown` to get the notes in the answer"
        )
    if overwrite and path is None:
        raise invalid_params("`overwrite` requires `path`")
    kept = _notebook(call, debugger)
    if change is not None:
        kept.change(change["id"], change["text"])
    if delete is not None:
        kept.delete(delete)
    title = notebook_title(kept)
    data: dict[str, Any] = {"notes": [note_as_json(each) for each in kept.notes]}
    if path is not None:
        export(kept, Path(path), title, overwrite=overwrite)
        data["written"] = path
    if markdown:
        data["markdown"] = as_markdown(kept, title)
    return data


def _notebook(call: Call, debugger: Debugger) -> Notebook:
    """Return the notes on a debugger's program; for a solver they are not saved to disk."""
    return shared_notebook(debugger, state_folder() if call.connection.is_operator else None)


NOTE_METHODS = (
    Method(
        "debug.note",
        note,
        (DEBUG, Parameter("text", text), Parameter("cell", cell)),
        solver_may_call=True,
    ),
    Method(
        "debug.notebook",
        notebook,
        (
            DEBUG,
            Parameter(
                "change",
                record(
                    Parameter("id", bounded_integer(1), required=True),
                    Parameter("text", text, required=True),
                ),
            ),
            Parameter("delete", bounded_integer(1)),
            Parameter("markdown", boolean),
            Parameter("path", text),
            Parameter("overwrite", boolean),
        ),
        solver_may_call=True,
    ),
)
