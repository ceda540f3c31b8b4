"""``run`` and ``grade``: one program, outside any session."""

from __future__ import annotations

from math import inf
from typing import Any

from esolangs.limits import MEBIBYTE, UNLIMITED, Limits
from esoplay.grading.seeds import parse_seed
from esoplay.rpc.answers import Base64, Spool, Stored, Text, is_utf8
from esoplay.rpc.connection import Call
from esoplay.rpc.methods.shared import (
    LANGUAGE,
    LIMITS,
    MEANING,
    PACK,
    PROBLEM,
    PROGRAM,
    SEED,
    STDIN,
    read_program,
    read_stdin,
)
from esoplay.rpc.parameters import Parameter, one_of, text
from esoplay.rpc.table import Method
from esoplay.service.advice import outcome_as_json
from esoplay.service.grading import grade_source
from esoplay.service.problems import get_installed
from esoplay.service.programs import run as run_program

MAX_OUTPUT = 16 * MEBIBYTE
"""Bytes of output that an answer carries: the limit of a run whatever else is asked for."""


def run(
    call: Call,
    *,
    language: str,
    program: bytes | None = None,
    program_base64: bytes | None = None,
    path: str | None = None,
    stdin: bytes | None = None,
    stdin_base64: bytes | None = None,
    dialect: str = "standard",
    options: dict[str, str | int] | None = None,
    seed: int = 0,
    limits: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Run a program; without limits it may run for ever, and be cancelled."""
    source = read_program(call, program, program_base64, path)
    asked = limits or {}
    steps = asked.get("steps")
    printed = Spool()
    outcome = run_program(
        language,
        source,
        dialect=dialect,
        options=options,
        stdin=read_stdin(stdin, stdin_base64),
        limits=Limits(
            steps=UNLIMITED if steps is None else steps,
            output=min(asked.get("output", MAX_OUTPUT), MAX_OUTPUT),
            memory=asked.get("memory", Limits().memory),
        ),
        seed=seed,
        time_limit=asked.get("time", inf),
        write=printed.write,
        worker=call.connection.worker,
        progress=lambda done: call.progress(done, steps),
        cancelled=lambda: call.is_cancelled,
    )
    result = outcome_as_json(outcome) | {"stdout": Text(Stored(printed))}
    if is_utf8(printed):
        return result
    members = list(result.items())
    after = list(result).index("memory") + 1  # where ``Outcome.as_json`` has it
    return dict([*members[:after], ("stdout_base64", Base64(Stored(printed))), *members[after:]])


def grade(
    call: Call,
    *,
    problem: str,
    language: str,
    program: bytes | None = None,
    program_base64: bytes | None = None,
    path: str | None = None,
    dialect: str = "standard",
    options: dict[str, str | int] | None = None,
    compare: Any = "exact",
    seed: str | None = None,
    pack: str | None = None,
) -> dict[str, Any]:
    """The verdict on a program, under the practice seed unless another is given."""
    get_installed(pack)  # a folder is not taken
    report = grade_source(
        problem,
        language,
        read_program(call, program, program_base64, path),
        seed=None if seed is None else parse_seed(seed),
        dialect=dialect,
        options=options,
        compare=compare,
        pack=pack,
        worker=call.connection.worker,
        progress=call.progress,
        cancelled=lambda: call.is_cancelled,
    )
    return report.as_json()


PROGRAM_METHODS = (
    Method("run", run, (LANGUAGE, *PROGRAM, *STDIN, *MEANING, SEED, LIMITS)),
    Method(
        "grade",
        grade,
        (
            PROBLEM,
            LANGUAGE,
            *PROGRAM,
            *MEANING,
            Parameter("compare", one_of("exact", "strip")),
            Parameter("seed", text),
            PACK,
        ),
    ),
)
