"""Sessions for every front end: rules, store, grader and workers brought together.

One :class:`Sessions` holds one store open and may be shared by threads; calls for one session
are to come one after the other.  Clock and randomness come in here and nowhere below.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

from esolangs.errors import EngineError
from esolangs.limits import Limits
from esolangs.registry import find_language
from esoplay.errors import RejectedCommand, StoreError, UnknownProblem, UsageError
from esoplay.grading.grader import grade
from esoplay.grading.packs import Pack, load_pack
from esoplay.grading.rng import GENERATOR_VERSION
from esoplay.grading.seeds import (
    PRACTICE_SEED,
    SALT_LENGTH,
    SEED_LENGTH,
    commitment,
    commitment_holds,
    read_seed_file,
)
from esoplay.running.outcome import Outcome
from esoplay.running.worker import GRADING_LIMITS, TIME_LIMIT
from esoplay.sessions import events
from esoplay.sessions.answers import (
    Export,
    Revealed,
    RunAnswer,
    SessionStarted,
    SessionStatus,
    SkipAnswer,
    Statement,
    SubmissionAnswer,
)
from esoplay.sessions.commands import Close, Fetch, RecordRun, Skip, Start
from esoplay.sessions.events import RunLimits
from esoplay.sessions.export import export_session
from esoplay.sessions.instructions import instruction_file, rules_text
from esoplay.sessions.journal import Journal
from esoplay.sessions.machine import check_run
from esoplay.sessions.protocols import PROTOCOLS, find_protocol
from esoplay.sessions.referee import Grade, Referee
from esoplay.sessions.state import State
from esoplay.sessions.store import EventStore, digest
from esoplay.sessions.vault import SESSION_BYTES, Vault, default_store
from esoplay.sessions.workers import Workers
from esoplay.sessions.workspace import check_workspace, find_session, write_workspace
from esoplay.version import VERSION

__all__ = [
    "PROTOCOLS",
    "Export",
    "Revealed",
    "RunAnswer",
    "SessionStarted",
    "SessionStatus",
    "Sessions",
    "SkipAnswer",
    "Statement",
    "SubmissionAnswer",
    "Workers",
    "find_session",
    "store_of",
]

SESSION_LIMITS = RunLimits(
    steps=GRADING_LIMITS.steps,
    output=GRADING_LIMITS.output,
    memory=GRADING_LIMITS.memory,
    time=TIME_LIMIT,
)
"""What each local run may use; the grader holds submissions to the same."""


def store_of(session: str) -> Path:
    """The store in which a session of this user was begun; UnknownSession for no id at all."""
    return Vault().store_of(session)


class Sessions:
    """The sessions of one store.  Use as a context manager, or call ``close``."""

    def __init__(
        self,
        store: EventStore,
        *,
        vault: Vault | None = None,
        pack: Pack | None = None,
        grade: Grade = grade,
        workers: Workers | None = None,
        randomness: Callable[[int], bytes] = secrets.token_bytes,
    ):
        self._store = store
        self._journal = Journal(store)
        self._vault = vault or Vault()
        self._given_pack = pack
        self._workers = workers or Workers()
        self._randomness = randomness
        self._referee = Referee(self._journal, grade, self._workers, randomness)

    @classmethod
    def open(cls, store: Path | None = None, *, create: bool = True) -> Sessions:
        """The sessions in this store file, or in the user's own; raises StoreError.

        Without ``create`` a store that does not exist is a UsageError.
        """
        path = store or default_store()
        if not create and not path.exists():
            raise UsageError(
                f"there is no session store {path}; a session is begun with: "
                "esoplay session init --language L"
            )
        return cls(EventStore(path))

    def __enter__(self) -> Sessions:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store and of all processes."""
        self._workers.close()
        self._store.close()

    def init(
        self,
        language: str,
        protocol: str = "primary",
        *,
        seed: bytes | None = None,
        seed_file: Path | None = None,
        solver: str | None = None,
        workspace: Path | None = None,
        workspace_in: Path | None = None,
    ) -> SessionStarted:
        """Begin a session, and write its workspace if one is wanted.

        workspace: the folder to write; workspace_in: make one there, named after the session.
        seed, else seed_file with one: of the hidden tests, drawn at random unless given; a
        protocol with the public seed needs no file and takes no seed.  solver: a label for reports.
        Raises UsageError for an unknown language or protocol, a seed that everybody knows, and
        a workspace that would overwrite something or lie around what it must not hold.
        """
        rules = find_protocol(protocol)
        try:
            tongue = find_language(language)
            tongue.configure(rules.dialect)
        except EngineError as error:
            raise UsageError(str(error)) from None
        session = self._randomness(SESSION_BYTES).hex()
        if workspace is None and workspace_in is not None:
            workspace = workspace_in / f"session-{session}"
        if workspace is not None:
            private = [seed_file] if seed_file else []
            check_workspace(workspace, self._store.path, self._vault.folder, *private)
        if rules.public_seed and seed is not None:
            raise UsageError(f"{rules.id} uses the public seed; it takes no other")
        secret = None if rules.public_seed else self._secret(seed, seed_file)
        pack = self._pack
        start = Start(
            session=session,
            language=tongue.id,
            protocol=rules,
            pack=pack.id,
            pack_version=pack.version,
            problems=tuple(problem.id for problem in pack),
            limits=SESSION_LIMITS,
            seed_commitment=commitment(
                secret or PRACTICE_SEED, self._randomness(SALT_LENGTH), pack
            ),
            versions={
                "esoplay": VERSION,
                "engine": tongue.parse(tongue.sample()).engine,
                "generator": str(GENERATOR_VERSION),
            },
            solver=solver,
        )
        self._vault.keep(session, self._store.path, secret)
        commit = self._journal.start(start)
        started = commit.state.started
        if workspace is not None:
            card = tongue.card(rules.dialect)
            write_workspace(workspace, session, instruction_file(started, tongue.name, card))
        return SessionStarted(
            session=session,
            language=tongue.id,
            protocol=rules,
            limits=started.limits,
            rules_text=rules_text(rules, started.limits, len(started.problems)),
            problems=started.problems,
            workspace=workspace,
            head=commit.head,
        )

    def fetch(self, session: str, problem: str | None = None) -> Statement:
        """Show the problem whose turn it is, or the one named; raises RejectedCommand."""
        state = self._journal.settle(session).state
        pack = self._pack_of(state)
        wanted = None if problem is None else _spelled(state, problem)
        commit = self._journal.commit(session, Fetch(wanted))
        state = commit.state
        shown = pack.problem(commit.event(events.ProblemFetched).problem)
        examples: list[Mapping[str, str]] = shown.as_json()["examples"]
        return Statement(
            problem=shown.id,
            title=shown.title,
            tier=shown.tier,
            statement=shown.statement,
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
        cancelled: Callable[[], bool] | None = None,
    ) -> RunAnswer:
        """Run a program on the solver's own input; logged and counted before it is answered.

        Raises RejectedCommand when no run is allowed, WorkerDied (then nothing is counted).
        """
        state = self._journal.settle(session).state
        check_run(state)
        outcome = self._execute(state, source, stdin, cancelled)
        record = RecordRun(
            program=digest(source),
            stdin=digest(stdin),
            status=outcome.status,
            steps=outcome.steps,
            stdout=digest(outcome.stdout),
            stdout_length=len(outcome.stdout),
        )
        commit = self._journal.commit(session, record, [source, stdin])
        problem = commit.state.current
        left = None if problem is None else commit.state.runs_left(problem)
        return RunAnswer(outcome, problem, left, commit.head)

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
        """Have a program judged by the hidden tests.

        A repeat of an answered ``request_id`` gives the first answer again.  Where submissions
        are counted, ``progress`` and ``cancelled`` are ignored: a solver could learn from them
        what a test is like without paying for it.  Raises RejectedCommand against the rules,
        and WorkerDied, Cancelled or whatever else went wrong: then the submission is void.
        """
        state = self._journal.settle(session).state
        return self._referee.judge(
            state.started,
            self._pack_of(state).problem(_spelled(state, problem)),
            source,
            seed=self._seed(state),
            request_id=request_id,
            progress=progress,
            cancelled=cancelled,
        )

    def status(self, session: str) -> SessionStatus:
        """How the session stands."""
        moment = self._journal.settle(session)
        return SessionStatus(moment.state, moment.head)

    def skip(self, session: str) -> SkipAnswer:
        """Leave the current problem unsolved; RejectedCommand where the rules forbid it."""
        self._journal.settle(session)
        commit = self._journal.commit(session, Skip())
        return SkipAnswer(commit.event(events.ProblemSkipped).problem, "skipped", commit.head)

    def export(self, session: str) -> Export:
        """The whole log with the bytes it names; no seed and no hidden test."""
        return Export(export_session(self._store, self._journal.settle(session)))

    def close_session(self, session: str) -> SessionStatus:
        """End a session for good, whatever is left of it; closing twice is no error."""
        self._journal.settle(session)
        commit = self._journal.commit(session, Close())
        return SessionStatus(commit.state, commit.head)

    def reveal(self, session: str) -> Revealed:
        """The seed of a session that is closed; RejectedCommand while it is not."""
        state, last = self._journal.settle(session)
        if not state.closed:
            raise RejectedCommand(
                "the seed is revealed when the session is closed: when every problem is "
                "finalized, or when the operator closes it"
            )
        started = state.started
        return Revealed(
            session=session,
            seed=self._seed(state),
            seed_commitment=started.seed_commitment,
            pack=started.pack,
            pack_version=started.pack_version,
            head=last.head,
        )

    @cached_property
    def _pack(self) -> Pack:
        return self._given_pack or load_pack()

    def _secret(self, seed: bytes | None, seed_file: Path | None) -> bytes:
        if seed is None and seed_file is not None:
            seed = read_seed_file(seed_file)
        if seed == PRACTICE_SEED:
            raise UsageError("the practice seed is public; this protocol needs a secret one")
        return seed or self._randomness(SEED_LENGTH)

    def _pack_of(self, state: State) -> Pack:
        """The pack the session was begun with; StoreError if another edition is installed."""
        pack, started = self._pack, state.started
        if (pack.id, pack.version) != (started.pack, started.pack_version):
            raise StoreError(
                f"session {started.session} was begun with pack {started.pack} "
                f"{started.pack_version}; installed is {pack.id} {pack.version}"
            )
        return pack

    def _seed(self, state: State) -> bytes:
        started = state.started
        if state.protocol.public_seed:
            return PRACTICE_SEED
        seed = self._vault.seed(started.session)
        if not commitment_holds(started.seed_commitment, seed, self._pack_of(state)):
            raise StoreError(
                f"the kept seed of session {started.session} is not the one it was begun with"
            )
        return seed

    def _execute(
        self, state: State, source: bytes, stdin: bytes, cancelled: Callable[[], bool] | None
    ) -> Outcome:
        limits = state.started.limits
        with self._workers.lend() as worker:
            return worker.run(
                state.started.language,
                source,
                dialect=state.protocol.dialect,
                stdin=stdin,
                limits=Limits(limits.steps, limits.output, limits.memory),
                time_limit=limits.time,
                cancelled=cancelled,
            )


def _spelled(state: State, problem: str) -> str:
    """A problem's id as the pack spells it, whatever the case it was typed in."""
    for known in state.progress:
        if known.casefold() == problem.casefold():
            return known
    raise UnknownProblem(f"there is no problem {problem!r} in this session")
