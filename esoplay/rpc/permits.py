"""What a solver may debug, and what it costs.

A debugger shows more than a run does, so it is off where results are to be compared, unless
the operator turned it on: for the session, which its rules then say, or at this server.  Where
it is on, each recording that is begun (opened, forked, or given another input) is a local run of
the session: executed once under the session's limits, logged as begun for debugging, and refused
when no run is left.
"""

from __future__ import annotations

from typing import NamedTuple

from esolangs.limits import Limits
from esoplay.rpc.connection import Connection
from esoplay.rpc.debuggers import DEBUG_LIMITS
from esoplay.rpc.errors import rejected


class Permit(NamedTuple):
    """How a recording is to be made.  ``dialect`` is None where the caller may choose."""

    dialect: str | None
    limits: Limits


def may_debug(connection: Connection) -> bool:
    """Whether the client may debug at all."""
    if connection.solver_session is None or connection.solver_may_debug:
        return True
    return connection.sessions.status(connection.solver_session).state.protocol.debug


def permit_recording(
    connection: Connection, source: bytes, stdin: bytes, language: str | None = None
) -> Permit:
    """Account for one recording that is about to be begun; raises RejectedCommand.

    language: what the caller says the program is written in, None for a recording that exists.
    """
    if connection.solver_session is None:
        return Permit(None, DEBUG_LIMITS)
    state = connection.sessions.status(connection.solver_session).state
    started = state.started
    if not may_debug(connection):
        raise rejected(f"debugging is off in protocol {state.protocol.id}")
    if language not in (None, started.language):
        raise rejected(f"this session is about {started.language}")
    connection.sessions.run(connection.solver_session, source, stdin, debug=True)
    limits = started.limits
    return Permit(
        state.protocol.dialect,
        Limits(
            limits.steps,
            min(limits.output, DEBUG_LIMITS.output),
            min(limits.memory, DEBUG_LIMITS.memory),
        ),
    )
