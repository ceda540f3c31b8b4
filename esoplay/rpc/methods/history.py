"""Methods that query a whole run, such as ``debug.origin``, ``heat`` and ``compare``."""

from __future__ import annotations

from typing import Any

from esolangs.stops import Address, Slot
from esolangs.view import Window
from esoplay.debugging import heat as execution_heat
from esoplay.debugging import provenance, source_maps
from esoplay.debugging.analysis import (
    BUDGET,
    MAX_STEPS,
    compare,
    comparison_as_json,
    diagnose,
    diagnosis_as_json,
    other_run,
)
from esoplay.debugging.descriptions import cell_write_as_json
from esoplay.debugging.provenance import value_writes
from esoplay.rpc.connection import Call, permit_recording
from esoplay.rpc.methods.travel import WINDOW
from esoplay.rpc.parameters import Parameter, boolean, bounded_integer, cell, one_of, slot
from esoplay.rpc.protocol import invalid_params, rejected_error
from esoplay.rpc.table import (
    DEBUG,
    DIALECT_AND_OPTIONS,
    PROGRAM,
    STDIN,
    Method,
    read_program,
    stdin_from_parameters,
)

_MAX_WRITES = 1_000


def origin(
    call: Call,
    *,
    debug: str,
    cell: Address | None = None,
    slot: Slot | None = None,
    part: int | None = None,
    window: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return where a value came from: the writes that copied it, back to its origin.

    part: a part of a term in ``window``; the result is then the applications that made this part.
    """
    debugger = call.connection.debuggers.get(debug)
    if part is not None:
        if cell is not None or slot is not None:
            raise invalid_params("expected exactly one of `cell`, `slot` and `part`")
        seen = Window(**(window or {}))
        return provenance.term_origin_as_json(
            provenance.origin_of_part(debugger, part, seen, call.tick)
        )
    if window is not None:
        raise invalid_params("`window` requires `part`")
    place = _place(cell, slot)
    return provenance.origin_as_json(provenance.origin(debugger, place, call.tick))


def writes(
    call: Call,
    *,
    debug: str,
    cell: Address | None = None,
    slot: Slot | None = None,
    before: int | None = None,
    limit: int = 1,
) -> dict[str, Any]:
    """Return the last writes to a cell or stack slot, newest first."""
    debugger = call.connection.debuggers.get(debug)
    place = _place(cell, slot)
    if isinstance(place, Slot):
        pushes = value_writes(debugger, place, before=before, limit=limit, ticker=call.tick)
        return {"writes": [provenance.value_write_as_json(each) for each in pushes]}
    found = debugger.writes(place, before=before, limit=limit, ticker=call.tick)
    return {"writes": [cell_write_as_json(each) for each in found]}


def _place(cell: Address | None, slot: Slot | None) -> Address | Slot:
    if cell is not None and slot is None:
        return cell
    if slot is not None and cell is None:
        return slot
    raise invalid_params("expected exactly one of `cell` and `slot`")


PROVENANCE_METHODS = (
    Method(
        "debug.origin",
        origin,
        (
            DEBUG,
            Parameter("cell", cell),
            Parameter("slot", slot),
            Parameter("part", bounded_integer()),
            Parameter("window", WINDOW),
        ),
        solver_may_call=True,
    ),
    Method(
        "debug.writes",
        writes,
        (
            DEBUG,
            Parameter("cell", cell),
            Parameter("slot", slot),
            Parameter("before", bounded_integer()),
            Parameter("limit", bounded_integer(1, _MAX_WRITES)),
        ),
        solver_may_call=True,
    ),
)


# ``debug.coverage`` and ``debug.heat``: how often instructions were executed.

_MAX_ROWS = 10_000
_DEFAULT_ROWS = 100


def coverage(
    call: Call,
    *,
    debug: str,
    all: bool = False,
    by: str = "instruction",
    limit: int = _DEFAULT_ROWS,
) -> dict[str, Any]:
    """Return the coverage and the unexecuted code.

    all: count the whole known history, not only the steps up to the current one.
    """
    debugger = call.connection.debuggers.get(debug)
    if by == "source":
        counted = source_maps.line_heat(debugger, whole_history=all, ticker=call.tick)
        return source_maps.coverage_as_json(counted, limit)
    covered = execution_heat.coverage(debugger, limit, whole_history=all, ticker=call.tick)
    return execution_heat.coverage_as_json(covered)


def heat(
    call: Call,
    *,
    debug: str,
    all: bool = False,
    by: str = "instruction",
    limit: int = _DEFAULT_ROWS,
) -> dict[str, Any]:
    """Return the instructions or lines that were executed most often."""
    debugger = call.connection.debuggers.get(debug)
    if by == "source":
        counted = source_maps.line_heat(debugger, whole_history=all, ticker=call.tick)
        return source_maps.heat_as_json(counted, limit)
    counts = execution_heat.heat(debugger, whole_history=all, ticker=call.tick)
    data: dict[str, Any] = {"step": counts.step, "most": counts.max_count}
    if by == "line":
        rows = execution_heat.hottest_lines(counts, debugger.program, limit)
        return {**data, "lines": [execution_heat.line_as_json(row) for row in rows]}
    spots = execution_heat.hottest_instructions(counts, debugger.program, limit)
    return {
        **data,
        "instructions": [execution_heat.instruction_as_json(spot, counts) for spot in spots],
    }


_ALL_PARAMETER = Parameter("all", boolean)
_LIMIT = Parameter("limit", bounded_integer(0, _MAX_ROWS))

COUNT_METHODS = (
    Method(
        "debug.coverage",
        coverage,
        (DEBUG, _ALL_PARAMETER, Parameter("by", one_of("instruction", "source")), _LIMIT),
        solver_may_call=True,
    ),
    Method(
        "debug.heat",
        heat,
        (DEBUG, _ALL_PARAMETER, Parameter("by", one_of("instruction", "line", "source")), _LIMIT),
        solver_may_call=True,
    ),
)


# ``debug.diagnose`` and ``debug.compare``: faults of a run, and differences between two runs.


def diagnose_(
    call: Call, *, debug: str, bound: int | None = None, quick: bool = False
) -> dict[str, Any]:
    """Return the problems found in the known history of a run, most severe first."""
    debugger = call.connection.debuggers.get(debug)
    found = diagnose(debugger, bound=bound, brief=quick, ticker=call.tick)
    return diagnosis_as_json(found)


def compare_(
    call: Call,
    *,
    debug: str,
    program: bytes | None = None,
    program_base64: bytes | None = None,
    path: str | None = None,
    stdin: bytes | None = None,
    stdin_base64: bytes | None = None,
    dialect: str | None = None,
    options: dict[str, str | int] | None = None,
    budget: int = BUDGET,
    keep: bool = False,
) -> dict[str, Any]:
    """Return the first differences from a run with another program, input, dialect or options."""
    connection = call.connection
    debugger = connection.debuggers.get(debug)
    source = given = None
    if (program, program_base64, path) != (None, None, None):
        source = read_program(call, program, program_base64, path)
    if (stdin, stdin_base64) != (None, None):
        given = stdin_from_parameters(stdin, stdin_base64)
    if source is None and given is None and dialect is None and not options:
        raise invalid_params(
            "nothing to compare; expected another program, stdin, dialect or options"
        )
    if keep:
        connection.debuggers.check_room()
    permit = permit_recording(
        connection,
        debugger.program.source if source is None else source,
        debugger.input if given is None else given,
        debugger.program.language.id,
    )
    if permit.dialect is not None and (options or dialect not in (None, permit.dialect)):
        raise rejected_error(
            f"the session sets the dialect {permit.dialect} and its options; "
            "omit `dialect` and `options`"
        )
    other = other_run(debugger, source=source, stdin=given, dialect=dialect, options=options)
    found = compare(debugger, other, budget=budget, ticker=call.tick)
    answer = comparison_as_json(found)
    if keep:
        answer["other"] = connection.debuggers.add(other)
    return answer


DIAGNOSIS_METHODS = (
    Method(
        "debug.diagnose",
        diagnose_,
        (DEBUG, Parameter("bound", bounded_integer(1, MAX_STEPS)), Parameter("quick", boolean)),
        solver_may_call=True,
    ),
    Method(
        "debug.compare",
        compare_,
        (
            DEBUG,
            *PROGRAM,
            *STDIN,
            *DIALECT_AND_OPTIONS,
            Parameter("budget", bounded_integer(1)),
            Parameter("keep", boolean),
        ),
        solver_may_call=True,
    ),
)
