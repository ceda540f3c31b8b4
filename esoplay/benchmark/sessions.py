"""The session service that all front ends use: rules, store, grader and workers combined.

A :class:`Sessions` holds one open store and is thread-safe, even for a single session: each
action is decided under the store's lock, and submissions are graded one at a time.  Only this
module uses the clock and randomness; the layers below do not.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from esoplay.benchmark.session_runs import run_once
from esoplay.benchmark.start import SessionResources, begin_session
from esoplay.errors import RejectedCommand, StoreError, UnknownProblem, UsageError
from esoplay.grading.grader import grade
from esoplay.grading.packs import Pack
from esoplay.running.worker import Worker
from esoplay.sessions import events
from esoplay.sessions.answers import (
    Export,
    NewSession,
    ProblemAnswer,
    RevealedSeed,
    RunAnswer,
    SessionStatus,
    SessionSummary,
    SkipAnswer,
    SubmissionAnswer,
)
from esoplay.sessions.export import export_session
from esoplay.sessions.journal import Journal, SessionSnapshot
from esoplay.sessions.machine import (
    AcceptVisibleProcesses,
    Close,
    Fetch,
    Skip,
)
from esoplay.sessions.protocols import (
    FIELDS,
    PROTOCOLS,
    format_field,
    parse_changes,
    resolve_protocol,
)
from esoplay.sessions.referee import GradeFunction, Referee
from esoplay.sessions.state import SessionState
from esoplay.sessions.store import EventStore
from esoplay.sessions.vault import Vault, default_store
from esoplay.sessions.workers import Workers
from esoplay.sessions.workspace import find_session

__all__ = [
    "FIELDS",
    "PROTOCOLS",
    "Export",
    "NewSession",
    "ProblemAnswer",
    "RevealedSeed",
    "RunAnswer",
    "SessionStatus",
    "SessionSummary",
    "Sessions",
    "SkipAnswer",
    "SubmissionAnswer",
    "Workers",
    "find_session",
    "find_store",
    "format_field",
    "parse_changes",
    "resolve_protocol",
    "summaries",
]


# Summaries of the sessions in a store


def summaries(journal: Journal) -> Iterator[SessionSummary]:
    """Yield a summary of each session, oldest first; an unreadable log affects only its session."""
    for session in journal.store.sessions():
        try:
            yield _summary(session, journal.snapshot(session))
        except StoreError as error:
            yield SessionSummary(session, error=str(error))


def _summary(session: str, snapshot: SessionSnapshot) -> SessionSummary:
    state, started = snapshot.state, snapshot.state.started
    return SessionSummary(
        session=session,
        language=started.language,
        protocol=started.protocol.id,
        pack=started.pack,
        solver=started.solver,
        solved=sum(one.status == "solved" for one in state.progress.values()),
        total=len(state.progress),
        closed=state.closed,
        current=state.current,
        time_ms=snapshot.last_event.time_ms,
    )


def find_store(session: str) -> Path:
    """Return the store of one of the user's sessions.  Raises UnknownSession for an unknown id."""
    return Vault().find_store(session)


class Sessions:
    """The sessions of one store.  Use it as a context manager, or call ``close``."""

    def __init__(
        self,
        store: EventStore,
        *,
        vault: Vault | None = None,
        pack: Pack | None = None,
        grade: GradeFunction = grade,
        workers: Workers | None = None,
        randomness: Callable[[int], bytes] = secrets.token_bytes,
    ):
        self._store = store
        self._journal = Journal(store)
        self._workers = workers or Workers()
        self._resources = SessionResources(
            self._journal, vault or Vault(), self._workers, randomness, pack
        )
        self._referee = Referee(self._journal, grade, self._workers, randomness)

    @classmethod
    def open(cls, store: Path | None = None, *, create: bool = True) -> Sessions:
        """Open the sessions in a store file, by default in the user's store.

        Raises UsageError if the store is missing, unless ``create`` is set, and StoreError if it
        cannot be opened.
        """
        path = store or default_store()
        if not create and not path.exists():
            raise UsageError(
                f"there is no session store {path}; start a session with: "
                "esoplay session init --language L"
            )
        return cls(EventStore(path))

    def __enter__(self) -> Sessions:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store and end all processes."""
        self._workers.close()
        self._store.close()

    def worker(self, key: Hashable) -> Worker:
        """Return a worker for programs outside of sessions; the caller must close it.

        The scheduler treats all programs with the same ``key`` as one session.
        """
        return self._workers.worker(key)

    def init(
        self,
        language: str,
        protocol: str = "primary",
        *,
        changes: Mapping[str, Any] | None = None,
        pack: str | Path | None = None,
        problems: Iterable[str] | None = None,
        time_limit: float | None = None,
        seed: bytes | None = None,
        seed_file: Path | None = None,
        solver: str | None = None,
        workspace: Path | None = None,
        workspace_parent: Path | None = None,
        socket: Path | None = None,
    ) -> NewSession:
        """Start a session, and write its workspace if requested.

        protocol: a name, or the path of a TOML file.  changes: protocol fields to override. pack:
        the id of an installed pack, or a folder; None for the bundled pack.  problems: ids, ranges
        of ids and tiers of the pack; None for all its problems.  time_limit: seconds per run; None
        for the limits of the problems.  workspace: the folder to write. workspace_parent: the
        folder in which to create one, named after the session.  seed, or seed_file that contains
        it: the seed of the hidden tests, random by default; a protocol with the public seed rejects
        ``seed``.  solver: a label for reports.  socket: the address at which a server will offer
        the session; the workspace then gets the thin client.  Raises UsageError for an unknown
        language, protocol or pack, a protocol that is not supported here, a public seed, or a
        workspace that would overwrite files or contain hidden data.
        """
        chosen = self._resources.pack(pack)
        wanted = dict(changes or {})
        if wanted.get("compare") == chosen.compare:  # the session's default
            del wanted["compare"]
        return begin_session(
            self._resources,
            language,
            resolve_protocol(protocol, wanted),
            pack=pack,
            problems=problems,
            time_limit=time_limit,
            seed=seed,
            seed_file=seed_file,
            solver=solver,
            workspace=workspace,
            workspace_parent=workspace_parent,
            socket=socket,
        )

    def fetch(self, session: str, problem: str | None = None) -> ProblemAnswer:
        """Fetch a problem, by default the active or the next open one, and return it.

        Raises RejectedCommand if the rules do not allow it.
        """
        state = self._journal.void_interrupted_submission(session).state
        pack = self._resources.find_pack(state)
        wanted = None if problem is None else _canonical_id(state, problem)
        commit = self._journal.commit(session, Fetch(wanted))
        state = commit.state
        shown = pack.problem(commit.event(events.ProblemFetched).problem)
        examples: list[Mapping[str, str]] = shown.as_json()["examples"]
        return ProblemAnswer(
            problem=shown.id,
            title=shown.title,
            tier=shown.tier,
            statement=shown.statement + _time_limit_text(state, shown.id),
            submissions_left=state.submissions_left(shown.id),
            runs_left=state.runs_left(shown.id),
            head=commit.head,
            examples=examples if state.protocol.examples else None,
        )

    def run(
        self,
        session: str,
        source: bytes,
        stdin: bytes = b"",
        *,
        arguments: Sequence[str] = (),
        debug: bool = False,
        request_id: str | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> RunAnswer:
        """Run a program on the solver's own input; log and count the run before answering.

        arguments: command-line arguments, only in host lanes.  If the current problem has a server,
        it runs beside the program.  debug: log the run as a debug run.

        If one of the last runs of the session had the same ``request_id``, the program is run again
        to return the same answer, and this run is neither logged nor counted.  Raises
        RejectedCommand if no run is allowed, and WorkerDied, in which case nothing is counted.
        """
        return run_once(
            self._resources,
            session,
            source,
            stdin,
            tuple(arguments),
            debug=debug,
            request_id=request_id,
            cancelled=cancelled,
        )

    def submit(
        self,
        session: str,
        problem: str,
        source: bytes,
        *,
        request_id: str | None = None,
        progress: Callable[[int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> SubmissionAnswer:
        """Grade a program with the hidden tests.

        A repeated ``request_id`` returns the first answer again.  If submissions are counted,
        ``progress`` and ``cancelled`` are ignored, because a solver could use them to learn about
        tests for free.  Raises RejectedCommand if the rules forbid the submission.  Other errors,
        such as WorkerDied and RunCancelled, void the submission.
        """
        state = self._journal.void_interrupted_submission(session).state
        meant = _canonical_id(state, problem)
        return self._referee.judge(
            state.started,
            self._resources.find_pack(state).problem(meant),
            source,
            seed=self._resources.find_seed(state),
            request_id=request_id,
            inspect=lambda now: self._resources.inspect(now, meant),
            progress=progress,
            cancelled=cancelled,
        )

    def status(self, session: str) -> SessionStatus:
        """Return the status of a session."""
        moment = self._journal.void_interrupted_submission(session)
        return SessionStatus(moment.state, moment.head, self._resources.find_tiers(moment.state))

    def list(self) -> tuple[SessionSummary, ...]:
        """Return all sessions of the store, in the order in which they were started."""
        return tuple(summaries(self._journal))

    def skip(self, session: str) -> SkipAnswer:
        """Leave the current problem unsolved.  Raises RejectedCommand if the rules forbid it."""
        self._journal.void_interrupted_submission(session)
        commit = self._journal.commit(session, Skip())
        return SkipAnswer(commit.event(events.ProblemSkipped).problem, "skipped", commit.head)

    def accept_visible_processes(self, session: str, reason: str) -> None:
        """Record the operator's consent to a solver who can see the processes that run programs.

        The consent is recorded once, and not in a closed session.  reason: who can see the
        processes, and how; shortened to one line of the maximum length in events.
        """
        self._journal.void_interrupted_submission(session)
        line = "".join(letter if letter.isprintable() else "?" for letter in reason)
        self._journal.commit(session, AcceptVisibleProcesses(line[: events.MAX_REASON_LENGTH]))

    def export(self, session: str) -> Export:
        """Return the whole log with all blobs that it refers to, without seed and hidden tests."""
        return Export(
            export_session(self._store, self._journal.void_interrupted_submission(session))
        )

    def close_session(self, session: str) -> SessionStatus:
        """Close a session permanently; closing it again has no effect."""
        self._journal.void_interrupted_submission(session)
        commit = self._journal.commit(session, Close())
        return SessionStatus(commit.state, commit.head, self._resources.find_tiers(commit.state))

    def reveal(self, session: str) -> RevealedSeed:
        """Return the seed of a closed session.  Raises RejectedCommand for an open session."""
        state, last = self._journal.void_interrupted_submission(session)
        if not state.closed:
            raise RejectedCommand(
                "the seed is revealed when the session is closed: when every problem is "
                "finalized, or when the operator closes it"
            )
        started = state.started
        return RevealedSeed(
            session=session,
            seed=self._resources.committed_seed(state),
            seed_commitment=started.seed_commitment,
            pack=started.pack,
            pack_version=started.pack_version,
            head=last.head,
        )


def _time_limit_text(state: SessionState, problem: str) -> str:
    """Return a paragraph about a problem's time limit; empty if it is the session's limit."""
    if problem not in state.started.time_limits:
        return ""
    return f"\n\nA run for this problem may take {state.started.time_limit(problem):g} s."


def _canonical_id(state: SessionState, problem: str) -> str:
    """Return the id of a problem in the pack's spelling; ``problem`` may have any case."""
    for known in state.progress:
        if known.casefold() == problem.casefold():
            return known
    raise UnknownProblem(f"there is no problem {problem!r} in this session")
