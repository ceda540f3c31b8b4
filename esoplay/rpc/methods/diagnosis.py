"""``debug.diagnose`` and ``debug.compare``: why a run went as it did, and where two part."""

from __future__ import annotations

from typing import Any

from esoplay.rpc.connection import Call, permit_recording
from esoplay.rpc.errors import invalid_params, rejected
from esoplay.rpc.methods.shared import DEBUG, MEANING, PROGRAM, STDIN, read_program, read_stdin
from esoplay.rpc.parameters import Parameter, flag, whole
from esoplay.rpc.table import Method
from esoplay.service.comparing import BUDGET, compare, comparison_as_json, other_run
from esoplay.service.doctor import MOST_STEPS, diagnose, diagnosis_as_json


def diagnose_(
    call: Call, *, debug: str, bound: int | None = None, quick: bool = False
) -> dict[str, Any]:
    """Findings about known history, the gravest first."""
    debugger = call.connection.debuggers.get(debug)
    found = diagnose(debugger, bound=bound, quick=quick, ticker=call.tick)
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
    """Where the run parts from one with another program, input, dialect or options."""
    connection = call.connection
    debugger = connection.debuggers.get(debug)
    source = given = None
    if (program, program_base64, path) != (None, None, None):
        source = read_program(call, program, program_base64, path)
    if (stdin, stdin_base64) != (None, None):
        given = read_stdin(stdin, stdin_base64)
    if source is None and given is None and dialect is None and not options:
        raise invalid_params("give what is other: a program, stdin, dialect or options")
    if keep:
        connection.debuggers.check_room()
    permit = permit_recording(
        connection,
        debugger.program.source if source is None else source,
        debugger.input if given is None else given,
        debugger.program.language.id,
    )
    if permit.dialect is not None and (options or dialect not in (None, permit.dialect)):
        raise rejected(f"this session's dialect is {permit.dialect}, with its own options")
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
        (DEBUG, Parameter("bound", whole(1, MOST_STEPS)), Parameter("quick", flag)),
        solver=True,
    ),
    Method(
        "debug.compare",
        compare_,
        (
            DEBUG,
            *PROGRAM,
            *STDIN,
            *MEANING,
            Parameter("budget", whole(1)),
            Parameter("keep", flag),
        ),
        solver=True,
    ),
)
