"""Run a grid: play its unfinished sessions, several at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Collection, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

from esoplay.agents.activity import read_activity
from esoplay.agents.agent_workspace import (
    TOOLS_SOCKET,
    Isolation,
    check_solver,
    find_agent_version,
    find_isolation,
    find_shell_obstacle,
    find_user,
    remove_temporary,
)
from esoplay.agents.attempt import OutcomeNotSaved, PlannedSession, StopSignal, play
from esoplay.agents.grid import SessionGrid
from esoplay.agents.isolation import Bubblewrap, find_bubblewrap
from esoplay.agents.notes import read_standing, restrict_attempts, write_result, write_run_note
from esoplay.agents.processes import SOCKET
from esoplay.agents.records import AttemptOutcome, AttemptStart, CellStanding, GridCell, RunNote
from esoplay.agents.solvers import Solver
from esoplay.agents.usage import UsageFile
from esoplay.agents.verdicts import finalize_attempt, has_session
from esoplay.errors import EsoplayError, StoreError, UsageError
from esoplay.packs.catalogue import resolve_pack
from esoplay.sessions.protocols import Protocol
from esoplay.sessions.workspace import find_session

_POLL_SECONDS = 0.2


RunEventKind = Literal["started", "ended", "finalized"]


class RunEvent(NamedTuple):
    """Progress of a run: cell ``number`` of ``total`` cells, counted from 1."""

    kind: RunEventKind
    cell: GridCell
    number: int
    total: int
    result: AttemptOutcome | None = None


Notify = Callable[[RunEvent], None]


def list_cells(grid: SessionGrid) -> tuple[GridCell, ...]:
    """Return the cells of a grid, ordered by session number, language, protocol and solver."""
    return tuple(
        GridCell(solver.name, language, protocol.id, number)
        for number in range(1, grid.sessions + 1)
        for language in grid.languages
        for _, protocol in grid.protocols
        for solver in grid.solvers
    )


def read_standings(run: Path, cells: Collection[GridCell]) -> list[CellStanding]:
    """Read the state of the last attempt at each cell from the files in a run's folder.

    A cell is one planned session of a grid.
    """
    return [read_standing(run, cell) for cell in cells]


def remaining_sessions(
    grid: SessionGrid, run: Path, retry: Collection[str] = ()
) -> list[PlannedSession]:
    """Return the sessions of a grid that must still be run.

    These are the sessions that were not started, and those whose standing is in ``retry``.
    Raises UsageError if an attempt was played with another definition of the session.
    """
    solvers = {solver.name: solver for solver in grid.solvers}
    protocols = {protocol.id: (written, protocol) for written, protocol in grid.protocols}
    planned_sessions: list[PlannedSession] = []
    known: dict[tuple[str, str], str] = {}
    for standing in read_standings(run, list_cells(grid)):
        cell = standing.cell
        solver = solvers[cell.solver]
        written, protocol = protocols[cell.protocol]
        definition = _definition(known, grid, cell, protocol)
        again = standing.description in {"not started", *retry}
        cut = standing.start is not None and standing.result is None
        again = again or (cut and "interrupted" in retry)
        if standing.attempt is not None and not again:
            if standing.start is not None and standing.start.definition != definition:
                raise UsageError(
                    f"{grid.file}: {cell} was played with an earlier version of the grid; "
                    "restore that version, or choose another folder with -o"
                )
            continue
        planned_sessions.append(
            PlannedSession(
                *(cell, solver, written, grid.pack, grid.problems, definition),
                changes=grid.changes(protocol),
                time_limit=grid.time_limit,
            )
        )
    return planned_sessions


def find_first_shell_obstacle(
    grid: SessionGrid, planned_sessions: Collection[PlannedSession]
) -> str | None:
    """Return an error message if a protocol forbids the shell but the session's solver has one.

    The message is that of ``find_shell_obstacle`` for the first such session.  Returns None if no
    session is affected.
    """
    protocols = {protocol.id: protocol for _, protocol in grid.protocols}
    found = (
        find_shell_obstacle(each.solver, protocols[each.cell.protocol]) for each in planned_sessions
    )
    return next(filter(None, found), None)


class BubblewrapCache:
    """Cache of the bubblewrap check, which runs once per user."""

    def __init__(self) -> None:
        self._found: dict[str | None, Bubblewrap] = {}

    def for_user(self, user: str | None) -> Bubblewrap:
        """Return the result of the check for a user; None is the user of this process."""
        if user not in self._found:
            self._found[user] = find_bubblewrap(None if user is None else find_user(user))
        return self._found[user]

    def find_unusable(self, planned_sessions: Collection[PlannedSession]) -> Bubblewrap | None:
        """Return the first failed check of bubblewrap for the sessions' users, or None."""
        users = dict.fromkeys(planned.solver.user for planned in planned_sessions)
        return next((one for one in map(self.for_user, users) if not one.is_usable), None)


def run_grid(
    grid: SessionGrid,
    run: Path,
    *,
    jobs: int,
    retry: Collection[str],
    stop: StopSignal,
    notify: Notify,
    accept_visible_processes: bool = False,
) -> list[CellStanding]:
    """Play the remaining cells of a grid, ``jobs`` at a time; return the standings of all cells.

    Unfinished attempts of an earlier run are finalized first: closed, exported and verified. Once
    ``stop`` is set, no session starts, and running sessions are stopped and saved.
    accept_visible_processes: play even if solvers cannot be isolated. Raises UsageError if the run
    cannot start with this grid and folder, and StoreError if its files cannot be read or written.
    """
    run = run.resolve()  # agents and servers have other working folders
    _check_run_folder(run)
    for solver in grid.solvers:
        check_solver(solver)
    with _lock_run(run) as lock_fd:
        cells = list_cells(grid)
        # Report errors before anything is changed.
        bubblewraps = BubblewrapCache()
        planned_sessions = remaining_sessions(grid, run, retry)
        if not accept_visible_processes and (
            obstacle := bubblewraps.find_unusable(planned_sessions)
        ):
            raise UsageError(obstacle.advice())
        if shell := find_first_shell_obstacle(grid, planned_sessions):
            raise UsageError(shell)
        _with_isolation(planned_sessions, grid, run, bubblewraps)
        versions: dict[str, str | None] = {}
        _with_versions(planned_sessions, versions)
        write_run_note(run, RunNote(grid.title, grid.pack, cells))
        restrict_attempts(run)
        _finalize_attempts(grid, run, cells, stop, notify)
        planned_sessions = _with_isolation(
            remaining_sessions(grid, run, retry), grid, run, bubblewraps
        )
        planned_sessions = _with_versions(planned_sessions, versions)
        _play_all(planned_sessions, run, lock_fd, jobs, stop, notify)
        return read_standings(run, cells)


def _with_isolation(
    planned_sessions: Sequence[PlannedSession],
    grid: SessionGrid,
    run: Path,
    bubblewrap_cache: BubblewrapCache,
) -> list[PlannedSession]:
    """Return the sessions with their ``isolation``, which is None if bubblewrap does not work.

    Raises UsageError if ``show`` of a solver names a hidden folder.
    """
    folder, pack = Path(grid.file).absolute().parent, resolve_pack(grid.pack)

    def isolation(solver: Solver) -> Isolation | None:
        bubblewrap = bubblewrap_cache.for_user(solver.user)
        return (
            find_isolation(bubblewrap, solver, run, folder, pack) if bubblewrap.is_usable else None
        )

    return [replace(planned, isolation=isolation(planned.solver)) for planned in planned_sessions]


def _with_versions(
    planned_sessions: Sequence[PlannedSession], known: dict[str, str | None]
) -> list[PlannedSession]:
    """Add the versions of the agents to the sessions.

    known: versions by solver; missing ones are added.

    Raises UsageError if an agent does not print its version.
    """
    for planned in planned_sessions:
        if planned.solver.name not in known:
            known[planned.solver.name] = find_agent_version(planned.solver)
    return [replace(planned, version=known[planned.solver.name]) for planned in planned_sessions]


def _definition(
    known: dict[tuple[str, str], str], grid: SessionGrid, cell: GridCell, protocol: Protocol
) -> str:
    """Return the digest of a session's settings.  known: cached digests, by solver and protocol."""
    key = cell.solver, cell.protocol
    if key not in known:
        solver = next(one for one in grid.solvers if one.name == cell.solver)
        known[key] = grid.definition_digest(solver, protocol)
    return known[key]


def _check_run_folder(run: Path) -> None:
    """Raise UsageError if the run is inside a workspace, where a solver could edit it."""
    session = find_session(run)
    if session is not None:
        raise UsageError(
            f"{run} is in the workspace of session {session}, where its solver could edit the run; "
            "choose another folder with -o"
        )


@contextmanager
def _lock_run(run: Path) -> Generator[int]:
    """Hold the lock of a run's folder; yield its descriptor, which agents' supervisors inherit."""
    try:
        run.mkdir(parents=True, exist_ok=True)
        lock = os.open(run / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UsageError(f"cannot use {run}: {error.strerror}") from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(
                f"{run} is in use: another process is playing its sessions or stopping its "
                "agents; run this command again when that process has ended"
            ) from None
        yield lock
    finally:
        os.close(lock)


def _finalize_attempts(
    grid: SessionGrid, run: Path, cells: Sequence[GridCell], stop: StopSignal, notify: Notify
) -> None:
    """Close, export and verify the unfinished attempts of an earlier run."""
    for number, cell in enumerate(cells, 1):
        standing = read_standing(run, cell)
        if standing.start is None or standing.attempt is None or standing.result is not None:
            continue
        result = _finalize_attempt(standing.attempt, standing.start, grid, cell, stop)
        result = replace(result, isolated=standing.start.isolated)
        write_result(standing.attempt, result)
        notify(RunEvent("finalized", cell, number, len(cells), result))


def _finalize_attempt(
    attempt: Path, start: AttemptStart, grid: SessionGrid, cell: GridCell, stop: StopSignal
) -> AttemptOutcome:
    """Close, export and verify an attempt whose run was killed; return its outcome."""
    session = start.session
    with suppress(OSError, ValueError):  # these folders are outside the run's folder
        for name in (SOCKET, TOOLS_SOCKET):
            Path(start.sockets, name).unlink(missing_ok=True)
        Path(start.sockets).rmdir()
    remove_temporary(attempt)
    try:
        if not has_session(attempt, session):
            return AttemptOutcome(session, "tampered", "the session's store is missing")
        usage = UsageFile(attempt, session, start.time_ms)
        solver = next(one for one in grid.solvers if one.name == cell.solver)
        protocol = next(one for _, one in grid.protocols if one.id == cell.protocol)
        activity, remarks = read_activity(attempt, solver, start, usage, shell=protocol.shell)
        result = finalize_attempt(
            *(attempt, session, "interrupted", "the run was killed"),
            pack=grid.pack,
            usage=usage,
            notes=remarks,
            cancelled=stop.is_set,
        )
        return replace(result, agent=activity)
    except StoreError as error:
        return AttemptOutcome(session, "tampered", str(error))


def _play_all(
    planned_sessions: Sequence[PlannedSession],
    run: Path,
    lock_fd: int,
    jobs: int,
    stop: StopSignal,
    notify: Notify,
) -> None:
    """Play all sessions, up to ``jobs`` at the same time.

    Sessions whose agents run as the same ``user`` are played one after another, because these
    agents could read each other's files.
    """

    def report_event(kind: RunEventKind, number: int, result: AttemptOutcome | None = None) -> None:
        notify(
            RunEvent(kind, planned_sessions[number - 1].cell, number, len(planned_sessions), result)
        )

    def work(number: int, planned: PlannedSession) -> None:
        if stop.is_set():
            return
        report_event("started", number)
        try:
            result = play(planned, run, lock_fd, stop)
        except OutcomeNotSaved as error:
            result = AttemptOutcome("", "interrupted", str(error))
        except EsoplayError as error:
            result = _record_failed_start(planned, run, error)
        report_event("ended", number, result)

    users = [each.solver.user for each in planned_sessions]
    uids = [None if user is None else find_user(user).uid for user in users]
    waiting = list(range(len(planned_sessions)))
    at_work: dict[Future[None], int] = {}
    with ThreadPoolExecutor(jobs, "esoplay-agent") as pool:
        try:
            while at_work or (waiting and not stop.is_set()):
                for at in waiting[:]:
                    if len(at_work) == jobs or stop.is_set():
                        break
                    if uids[at] is None or uids[at] not in (uids[one] for one in at_work.values()):
                        waiting.remove(at)
                        at_work[pool.submit(work, at + 1, planned_sessions[at])] = at
                for future in wait(at_work, _POLL_SECONDS, FIRST_COMPLETED).done:
                    del at_work[future]
                    future.result()
        except BaseException:
            stop.set()
            raise


def _record_failed_start(planned: PlannedSession, run: Path, error: EsoplayError) -> AttemptOutcome:
    """Save and return the outcome of an attempt that could not be started.

    Without an unfinished attempt, nothing is saved: for a StoreError, the outcome is only returned;
    any other ``error`` is raised.
    """
    standing = read_standing(run, planned.cell)
    session = "" if standing.start is None else standing.start.session
    result = AttemptOutcome(session, "not started", str(error))
    if standing.attempt is not None and standing.result is None:
        with suppress(StoreError):  # such as a full disk, which is reported elsewhere
            write_result(standing.attempt, result)
    elif not isinstance(error, StoreError):
        raise error
    return result
