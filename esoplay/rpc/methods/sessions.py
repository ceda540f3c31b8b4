"""``session.*``: benchmark sessions.

A session logs a request completely or not at all, so a started request runs to its end. The
exception is grading in a session that does not count submissions: it reports progress and can be
cancelled.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from esoplay.benchmark.sessions import PROTOCOLS, resolve_protocol
from esoplay.errors import RejectedCommand
from esoplay.grading.seeds import parse_seed
from esoplay.packs.catalogue import get_installed_pack
from esoplay.rpc.connection import Call
from esoplay.rpc.parameters import (
    Parameter,
    any_of,
    boolean,
    bounded_integer,
    list_of,
    mapping_of,
    seconds,
    short_text,
    text,
)
from esoplay.rpc.table import (
    LANGUAGE,
    PROBLEM,
    PROGRAM,
    SESSION,
    SHOWN_OUTPUT,
    STDIN,
    Method,
    read_program,
    stdin_from_parameters,
)
from esoplay.running.run import SHOWN_OUTPUT as SHOWN_OF_RUN
from esoplay.running.run import TIME_LIMIT, cut_output
from esoplay.sessions.hosts import HOSTS
from esoplay.sessions.machine import MAX_ARGUMENTS


def init(
    call: Call,
    *,
    language: str,
    protocol: str = "primary",
    changes: dict[str, Any] | None = None,
    pack: str | None = None,
    problems: list[str] | None = None,
    time_limit: float | None = None,
    workspace: str | None = None,
    seed: str | None = None,
    solver: str | None = None,
) -> dict[str, Any]:
    """Create a session; the seed is random if neither the request nor the server has one."""
    connection = call.connection
    if pack is not None:
        get_installed_pack(pack)
    started = connection.sessions.init(
        language,
        protocol,
        changes=changes,
        pack=pack,
        problems=problems,
        time_limit=time_limit,
        workspace=None if workspace is None else Path(workspace),
        seed=None if seed is None else parse_seed(seed),
        seed_file=connection.seed_file,
        solver=solver,
    )
    return started.as_json()


def list_(call: Call) -> dict[str, Any]:
    """Return all sessions of the store."""
    return {"sessions": [one.as_json() for one in call.connection.sessions.list()]}


def protocols(call: Call, *, protocol: str | None = None) -> dict[str, Any]:
    """Return all protocols, or only the one with the name ``protocol``."""
    rows = PROTOCOLS.values() if protocol is None else [resolve_protocol(protocol)]
    return {"protocols": [asdict(row) for row in rows]}


def fetch(call: Call, *, session: str | None = None, problem: str | None = None) -> dict[str, Any]:
    """Return the current problem, or the requested problem.

    At the end of the session, version 2 returns the counts of the session instead of an error.
    """
    connection = call.connection
    chosen = connection.session(session)
    try:
        return connection.sessions.fetch(chosen, problem).as_json()
    except RejectedCommand:
        status = connection.sessions.status(chosen)
        if connection.version == 1 or problem is not None or not status.has_ended:
            raise
        return status.end_as_json()


def run(
    call: Call,
    *,
    session: str | None = None,
    program: bytes | None = None,
    program_base64: bytes | None = None,
    path: str | None = None,
    stdin: bytes | None = None,
    stdin_base64: bytes | None = None,
    arguments: list[str] | None = None,
    request_id: str | None = None,
    shown_output: int = SHOWN_OF_RUN,
) -> dict[str, Any]:
    """Run a program on the solver's input; the run is logged, and counted if runs are limited."""
    chosen = call.connection.session(session)
    source = read_program(call, program, program_base64, path)
    given = stdin_from_parameters(stdin, stdin_base64)
    answer = call.connection.sessions.run(
        chosen, source, given, arguments=arguments or (), request_id=request_id
    )
    cut_output(answer.outcome, shown_output)
    return answer.as_json()


def submit(
    call: Call,
    *,
    problem: str,
    session: str | None = None,
    program: bytes | None = None,
    program_base64: bytes | None = None,
    path: str | None = None,
    request_id: str | None = None,
) -> dict[str, Any]:
    """Grade a submission with the hidden tests."""
    chosen = call.connection.session(session)
    answer = call.connection.sessions.submit(
        chosen,
        problem,
        read_program(call, program, program_base64, path),
        request_id=request_id,
        progress=call.progress,
        cancelled=lambda: call.is_cancelled,
    )
    return answer.as_json()


def status(call: Call, *, session: str | None = None) -> dict[str, Any]:
    """Return the state of the session and of each problem."""
    chosen = call.connection.session(session)
    return call.connection.sessions.status(chosen).as_json()


def skip(call: Call, *, session: str | None = None) -> dict[str, Any]:
    """Skip the current problem, if the protocol allows it."""
    chosen = call.connection.session(session)
    return call.connection.sessions.skip(chosen).as_json()


def export(call: Call, *, session: str | None = None) -> dict[str, Any]:
    """Return the complete log, with the programs that it refers to."""
    chosen = call.connection.session(session)
    return call.connection.sessions.export(chosen).as_json()


_VALUE = any_of(
    text,
    boolean,
    bounded_integer(),
    list_of(text, maximum=len(HOSTS)),
    expected="a string, an integer, a boolean or an array of strings",
)

REQUEST_ID = Parameter("request_id", short_text(200))
ARGUMENTS = Parameter("arguments", list_of(text, maximum=MAX_ARGUMENTS))

SESSION_METHODS = (
    Method(
        "session.init",
        init,
        (
            LANGUAGE,
            Parameter("protocol", text),
            Parameter("changes", mapping_of(_VALUE)),
            Parameter("pack", text),
            Parameter("problems", list_of(text, maximum=1000)),
            Parameter("time_limit", seconds(TIME_LIMIT)),
            Parameter("workspace", text),
            Parameter("seed", text),
            Parameter("solver", text),
        ),
    ),
    Method("session.list", list_),
    Method("session.protocols", protocols, (Parameter("protocol", text),)),
    Method(
        "session.fetch",
        fetch,
        (SESSION, Parameter("problem", text)),
        solver_may_call=True,
        compact_part="known",
    ),
    Method(
        "session.run",
        run,
        (SESSION, *PROGRAM, *STDIN, ARGUMENTS, REQUEST_ID, SHOWN_OUTPUT),
        solver_may_call=True,
        compact_part="known",
    ),
    Method(
        "session.submit",
        submit,
        (SESSION, PROBLEM, *PROGRAM, REQUEST_ID),
        solver_may_call=True,
        compact_part="known",
    ),
    Method("session.status", status, (SESSION,), solver_may_call=True, compact_part="status"),
    Method("session.skip", skip, (SESSION,), solver_may_call=True, compact_part="known"),
    Method("session.export", export, (SESSION,)),
)
