"""One attempt at one cell: start a session and its agent, watch, end and judge them."""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path

from esoplay.agents.desk import (
    TOOLS_SOCKET,
    Isolation,
    furnish,
    mcp_command,
    remove_temporary,
)
from esoplay.agents.grid import Solver
from esoplay.agents.mcp_relay import ToolServer
from esoplay.agents.notes import new_attempt, note_begun, note_result
from esoplay.agents.processes import SOCKET, SessionServer, SupervisedCommand, own_environment
from esoplay.agents.records import STORE, WORKSPACE, AttemptOutcome, AttemptStart, End, GridCell
from esoplay.agents.usage import UsageFile
from esoplay.agents.verdicts import SessionFollower, judge
from esoplay.benchmark.sessions import Sessions
from esoplay.errors import StoreError, UnknownSession
from esoplay.sessions.state import SessionState

AFTERWARDS = 60.0
"""Seconds that an agent has for its last words once its session is closed."""
_LOOK = 0.1


class StopSignal:
    """Once set, agents are ended and sessions are cut.

    A plain flag, so that a signal handler may set it: a lock could be taken by the interrupted
    code, and the handler would wait forever.
    """

    def __init__(self) -> None:
        self._set = False

    def set(self) -> None:
        self._set = True

    def is_set(self) -> bool:
        return self._set


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be played.

    protocol, pack, problems: as given at the start of a session.  isolation: None where the
    operator accepted that the solver sees processes outside of it.
    """

    cell: GridCell
    solver: Solver
    protocol: str
    pack: str | None
    problems: tuple[str, ...] | None
    definition: str
    isolation: Isolation | None = None


class UnrecordedOutcome(StoreError):
    """An agent has played, but its result cannot be written; the next run finalizes it."""


def play(order: Order, run: Path, lock: int, stop: StopSignal) -> AttemptOutcome:
    """Play one session and judge it; the attempt's folder has it all.

    lock: see ``SupervisedCommand``.
    Raises StoreError and UsageError where no session could be started, and UnrecordedOutcome.
    """
    attempt = new_attempt(run / order.cell.folder)
    solver = order.solver
    began = time.time()
    with (
        tempfile.TemporaryDirectory(prefix="esoplay-") as sockets,
        Sessions.open(attempt / STORE) as sessions,
    ):
        socket = Path(sockets, SOCKET)  # a path of a socket has 107 bytes at most
        started = sessions.init(
            order.cell.language,
            order.protocol,
            pack=order.pack,
            problems=order.problems,
            solver=solver.name,
            workspace=attempt / WORKSPACE,
            socket=socket,
        )
        isolated = order.isolation is not None
        begun = AttemptStart(
            started.session, order.definition, int(began * 1000), sockets, isolated
        )
        note_begun(attempt, begun)
        usage = UsageFile(attempt, started.session, begun.time_ms)
        desk = furnish(attempt, solver, started, socket, order.isolation)
        if solver.user is not None:
            Path(sockets).chmod(0o711)
        server = SessionServer(
            *(started.session, attempt / STORE, socket, attempt, lock, solver.user),
            isolated=isolated,
        )
        try:
            with (
                closing(SessionFollower(attempt / STORE, started.session)) as watch,
                ExitStack() as tools,
            ):
                if isolated and solver.client == "mcp":
                    command = mcp_command(started.session, attempt / STORE)
                    path = socket.with_name(TOOLS_SOCKET)
                    tools.enter_context(closing(ToolServer(path, command, own_environment())))
                agent = SupervisedCommand(
                    desk.command,
                    cwd=desk.workspace,
                    environment=desk.environment,
                    stdout=attempt / "stdout.log",
                    stderr=attempt / "stderr.log",
                    most=solver.bounds.transcript,
                    lock=lock,
                    secrets=desk.secrets,
                    grace=solver.bounds.grace,
                    person=desk.person,
                    sandbox=desk.sandbox,
                )
                try:
                    end, why = _await_end(agent, server, watch, usage, solver, stop)
                finally:
                    agent.let_go()
        finally:
            server.end()
            remove_temporary(attempt)
            attempt.chmod(0o700)  # who plays next as the same user must not find solutions here
    try:
        result = judge(
            attempt,
            started.session,
            end,
            why,
            pack=order.pack,
            usage=usage,
            seconds=time.time() - began,
            notes=_notes(agent, server, solver.bounds.transcript),
            cancelled=stop.is_set,
        )
        result = replace(result, isolated=isolated)
        note_result(attempt, result)
    except StoreError as error:
        raise UnrecordedOutcome(str(error)) from error
    return result


def _await_end(
    agent: SupervisedCommand,
    server: SessionServer,
    watch: SessionFollower,
    usage: UsageFile,
    solver: Solver,
    stop: StopSignal,
) -> tuple[End, str]:
    """Wait for the agent's end, or bring it about; how it ended, and more in words."""
    deadline = time.monotonic() + solver.bounds.time
    cut: tuple[End, str] | None = None
    closed = False
    try:
        while cut is None and not agent.ended.wait(_LOOK):
            usage.read_lines()
            state = watch.read_state()
            if state.closed and not closed:
                closed = True
                deadline = min(deadline, time.monotonic() + AFTERWARDS)
            cut = _reason(watch, state, server, solver, deadline, stop)
    except (StoreError, UnknownSession) as error:
        cut = "tampered", str(error)
    end = agent.let_go()
    if cut is not None:
        return cut
    if agent.failure is not None:
        return "not started", agent.failure
    if not end or end.get("keeper_killed"):
        return "died", "its supervisor was killed"
    if end["signal"] is not None and not end["let_go"]:
        return "died", f"ended by signal {end['signal']}"
    if end["exit_code"] == 0 or end["let_go"]:
        return "gave up", "it ended with exit status 0"
    return "died", f"it ended with exit status {end['exit_code']}"


def _reason(
    watch: SessionFollower,
    state: SessionState,
    server: SessionServer,
    solver: Solver,
    deadline: float,
    stop: StopSignal,
) -> tuple[End, str] | None:
    """Why the agent has to be ended now; None where it goes on."""
    turns = solver.bounds.turns
    if stop.is_set():
        return "interrupted", "the run was stopped"
    if time.monotonic() > deadline:
        return "timed out", f"after {solver.bounds.time:,} s"
    if turns is not None and watch.moves >= turns and state.grading is None:
        return "out of turns", f"after {watch.moves:,} moves"
    if not server.tend():
        return "died", f"its server was killed again and again: {server.starts}"
    return None


def _notes(agent: SupervisedCommand, server: SessionServer, most: int) -> list[str]:
    """What should be known of an agent beside how its session ended."""
    notes: list[str] = []
    if server.starts > 1:
        notes.append(f"its server was killed, and started again: {server.starts - 1}")
    if unended := agent.end.get("unended"):
        notes.append(f"processes of other users that could not be ended: {unended}")
    if running := agent.end.get("left_behind"):
        notes.append(f"processes that it left running, and that were ended: {running}")
    long = [name for name in ("stdout", "stderr") if agent.end.get(f"{name}_bytes", 0) > most]
    if long:
        notes.append(f"cut at {most:,} bytes: {' and '.join(long)}")
    return notes
