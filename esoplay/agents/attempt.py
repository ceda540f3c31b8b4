"""Play one session: start a server and an agent, stop both at the end, and verify the result."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from esolangs.wording import format_count
from esoplay.agents.activity import read_activity
from esoplay.agents.agent_workspace import (
    TOOLS_SOCKET,
    Isolation,
    mcp_command,
    prepare_workspace,
    remove_temporary,
)
from esoplay.agents.mcp_relay import ToolServer
from esoplay.agents.notes import create_attempt_folder, write_result, write_start
from esoplay.agents.processes import SOCKET, SessionServer, SupervisedCommand, child_environment
from esoplay.agents.records import STORE, WORKSPACE, AttemptOutcome, AttemptStart, End, GridCell
from esoplay.agents.solvers import Solver
from esoplay.agents.usage import UsageFile
from esoplay.agents.verdicts import SessionFollower, finalize_attempt
from esoplay.benchmark.sessions import Sessions
from esoplay.errors import StoreError, UnknownSession
from esoplay.sessions.state import SessionState

CLOSE_GRACE_SECONDS = 60.0
"""Maximum seconds for an agent to finish after its session is closed."""
_POLL_SECONDS = 0.1


class StopSignal:
    """Flag that stops all agents of a run.

    It does not use a lock, so that a signal handler can set it: if the interrupted code held the
    lock, the handler would wait forever.
    """

    def __init__(self) -> None:
        self._set = False

    def set(self) -> None:
        self._set = True

    def is_set(self) -> bool:
        return self._set


@dataclass(frozen=True, slots=True)
class PlannedSession:
    """One session to play.

    protocol, changes, pack, time_limit: arguments of ``Sessions.init``. isolation: None if the
    operator accepted that the solver sees other processes. version: version of the solver's agent,
    if it has a manifest.
    """

    cell: GridCell
    solver: Solver
    protocol: str
    pack: str | None
    problems: tuple[str, ...] | None
    definition: str
    changes: Mapping[str, Any] = field(default_factory=dict[str, Any])
    time_limit: float | None = None
    isolation: Isolation | None = None
    version: str | None = None


class OutcomeNotSaved(StoreError):
    """Raised when the result of a session cannot be written; the next run finalizes the attempt."""


def play(planned: PlannedSession, run: Path, lock_fd: int, stop: StopSignal) -> AttemptOutcome:
    """Play one session, verify it, and save the files in the attempt's folder.

    lock_fd: see ``SupervisedCommand``. Raises StoreError or UsageError if the session cannot be
    started, and OutcomeNotSaved if its result cannot be written.
    """
    attempt = create_attempt_folder(run / planned.cell.folder)
    solver = planned.solver
    start_time = time.time()
    with (
        tempfile.TemporaryDirectory(prefix="esoplay-") as sockets,
        Sessions.open(attempt / STORE) as sessions,
    ):
        socket = Path(sockets, SOCKET)  # the path of a Unix socket is limited to 107 bytes
        started = sessions.init(
            planned.cell.language,
            planned.protocol,
            changes=planned.changes,
            pack=planned.pack,
            problems=planned.problems,
            time_limit=planned.time_limit,
            solver=solver.name,
            workspace=attempt / WORKSPACE,
            socket=socket,
        )
        isolated = planned.isolation is not None
        start = AttemptStart(
            *(started.session, planned.definition, int(start_time * 1000), sockets, isolated),
            agent=solver.identity(planned.version),
        )
        write_start(attempt, start)
        usage = UsageFile(attempt, started.session, start.time_ms)
        launch = prepare_workspace(attempt, solver, started, socket, planned.isolation)
        if solver.user is not None:
            Path(sockets).chmod(0o711)
        server = SessionServer(
            *(started.session, attempt / STORE, socket, attempt, lock_fd, solver.user),
            isolated=isolated,
        )
        try:
            with (
                closing(SessionFollower(attempt / STORE, started.session)) as follower,
                ExitStack() as tools,
            ):
                if isolated and solver.client == "mcp":
                    command = mcp_command(started.session, attempt / STORE)
                    path = socket.with_name(TOOLS_SOCKET)
                    tools.enter_context(closing(ToolServer(path, command, child_environment())))
                agent = SupervisedCommand(
                    launch.command,
                    cwd=launch.workspace,
                    environment=launch.environment,
                    stdout=attempt / "stdout.log",
                    stderr=attempt / "stderr.log",
                    max_bytes=solver.bounds.transcript,
                    lock_fd=lock_fd,
                    secrets=launch.secrets,
                    grace_seconds=solver.bounds.grace,
                    run_as=launch.run_as,
                    sandbox=launch.sandbox,
                )
                try:
                    end, why = _await_end(agent, server, follower, usage, solver, stop)
                finally:
                    agent.stop()
        finally:
            server.stop()
            remove_temporary(attempt)
            attempt.chmod(0o700)  # the next agent of the same user must not find solutions here
    seconds = time.time() - start_time
    try:
        shell = started.protocol.shell
        activity, remarks = read_activity(attempt, solver, start, usage, shell=shell)
        result = finalize_attempt(
            attempt,
            started.session,
            end,
            why,
            pack=planned.pack,
            usage=usage,
            seconds=seconds,
            notes=[*_notes(agent, server, solver.bounds.transcript), *remarks],
            cancelled=stop.is_set,
        )
        result = replace(result, isolated=isolated, agent=activity)
        write_result(attempt, result)
    except StoreError as error:
        raise OutcomeNotSaved(str(error)) from error
    return result


def _await_end(
    agent: SupervisedCommand,
    server: SessionServer,
    follower: SessionFollower,
    usage: UsageFile,
    solver: Solver,
    stop: StopSignal,
) -> tuple[End, str]:
    """Wait until the agent exits or must be stopped; return how it ended, with details."""
    deadline = time.monotonic() + solver.bounds.time
    cut: tuple[End, str] | None = None
    closed = False
    try:
        while cut is None and not agent.ended.wait(_POLL_SECONDS):
            usage.read_lines()
            state = follower.read_state()
            if state.closed and not closed:
                closed = True
                deadline = min(deadline, time.monotonic() + CLOSE_GRACE_SECONDS)
            cut = _stop_reason(follower, state, server, solver, deadline, stop)
    except (StoreError, UnknownSession) as error:
        cut = "tampered", str(error)
    end = agent.stop()
    if cut is not None:
        return cut
    if agent.failure is not None:
        return "not started", agent.failure
    if not end or end.get("keeper_killed"):
        return "died", "its supervisor was killed"
    if end["signal"] is not None and not end["stopped"]:
        return "died", f"ended by signal {end['signal']}"
    if end["exit_code"] == 0 or end["stopped"]:
        return "gave up", "exit status 0"
    return "died", f"exit status {end['exit_code']}"


def _stop_reason(
    follower: SessionFollower,
    state: SessionState,
    server: SessionServer,
    solver: Solver,
    deadline: float,
    stop: StopSignal,
) -> tuple[End, str] | None:
    """Return the reason to stop the agent now, or None."""
    turns = solver.bounds.turns
    if stop.is_set():
        return "interrupted", "the run was stopped"
    if time.monotonic() > deadline:
        return "timed out", f"after {solver.bounds.time:,} s"
    if turns is not None and follower.moves >= turns and state.grading is None:
        return "out of turns", f"after {format_count(follower.moves, 'move')}"
    if not server.restart_if_ended():
        return (
            "died",
            (
                "the session's server ended and was not restarted; "
                f"attempts to start it: {server.starts}"
            ),
        )
    return None


def _notes(agent: SupervisedCommand, server: SessionServer, max_bytes: int) -> list[str]:
    """Return remarks on an agent and its server, for the result of the attempt."""
    notes: list[str] = []
    if server.starts > 1:
        times = format_count(server.starts - 1, "time")
        notes.append(f"the session's server was killed and restarted {times}")
    if unended := agent.final_report.get("unended"):
        notes.append(
            "number of the solver's processes that run as other users and could not be ended: "
            f"{unended}"
        )
    if running := agent.final_report.get("left_behind"):
        notes.append(f"number of leftover processes that were ended: {running}")
    long = [
        name
        for name in ("stdout", "stderr")
        if agent.final_report.get(f"{name}_bytes", 0) > max_bytes
    ]
    if long:
        notes.append(f"transcripts truncated at {max_bytes:,} bytes: {' and '.join(long)}")
    return notes
