"""Follow a session while its agent plays, and verify it after it is closed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from esoplay.agents.records import (
    EXPORT,
    STORE,
    WORKSPACE,
    AttemptOutcome,
    CellStanding,
    End,
    compute_digest,
)
from esoplay.agents.usage import UsageFile
from esoplay.benchmark.sessions import Sessions
from esoplay.benchmark.verification import RunCancelled, Verification, verify_export
from esoplay.errors import EsoplayError, StoreError
from esoplay.sessions.events import Status
from esoplay.sessions.journal import Journal
from esoplay.sessions.state import SessionState, is_final
from esoplay.sessions.store import GENESIS, EventStore
from esoplay.sessions.vault import Vault

MAX_FINDINGS = 20
"""Maximum number of findings that a result contains."""
_MAX_BYTES = 64 << 20  # maximum bytes of a file that the session created in the workspace


def finalize_attempt(
    attempt: Path,
    session: str,
    end: End,
    reason: str,
    *,
    pack: str | None,
    usage: UsageFile,
    seconds: float | None = None,
    notes: Sequence[str] = (),
    cancelled: Callable[[], bool] | None = None,
) -> AttemptOutcome:
    """Close a session, write its export, and verify it by grading its programs again.

    seconds: duration of the attempt; None to compute it from the log. Once ``cancelled`` returns
    True, only the log is audited. If no problem is left to play, the attempt is ``complete``, even
    if its agent failed. Raises StoreError if files cannot be written.
    """
    final_usage = usage.finish()
    notes = [*notes, *final_usage.notes]
    try:
        with Sessions.open(attempt / STORE, create=False) as sessions:
            stood = sessions.close_session(session)
            if _is_finished(stood.state):
                end, reason = "complete", ""
            data = sessions.export(session).as_json()
            seed = sessions.reveal(session).seed
    except EsoplayError as error:
        return AttemptOutcome(
            session,
            "tampered",
            str(error),
            seconds=seconds or 0.0,
            notes=tuple(notes),
            tokens=final_usage.tokens,
            cost=final_usage.cost,
            usage_sha256=final_usage.sha256,
        )
    text = json.dumps(data).encode() + b"\n"
    try:
        (attempt / EXPORT).touch(0o600)  # other agents must not find solutions there
        (attempt / EXPORT).write_bytes(text)
    except OSError as error:
        raise StoreError(f"cannot write {attempt / EXPORT}: {error.strerror}") from error
    try:
        look = _verify(text, seed, pack, cancelled)
    except EsoplayError as error:  # for example, the export exceeds all limits
        look = Verification((), (f"the export could not be verified: {error}",), 0, None, False)
        verified = False
    else:
        verified = look.verified
    events = data["events"]
    violated = [event for event in events if _violation(event)]
    notes = [*notes, *look.notes, *_edited_files_note(attempt, session)]
    notes += [f"rules broken: {_violation(event)}" for event in violated[:1]]
    return AttemptOutcome(
        session,
        end,
        reason,
        solved=stood.counts["solved"],
        problems=len(stood.state.progress),
        seconds=_duration(events) if seconds is None else seconds,
        moves=sum(event["kind"] in MOVE_KINDS for event in events),
        verified=verified,
        repeated=look.repeated,
        findings=tuple(map(str, look.findings[:MAX_FINDINGS])),
        notes=tuple(notes),
        violations=len(violated),
        head=look.head,
        sha256=sha256(text).hexdigest(),
        seed=seed.hex(),
        tokens=final_usage.tokens,
        cost=final_usage.cost,
        usage_sha256=final_usage.sha256,
        tools=stood.state.protocol.profile,
    )


def _is_finished(state: SessionState) -> bool:
    """Return whether all problems are solved, or no problem can be attempted again.

    ``closed`` is not enough: an earlier run may have been killed right after closing the session.
    """
    statuses: list[Status] = [progress.status for progress in state.progress.values()]
    revisit = state.started.protocol.revisit
    # If problems may be revisited, none is final, but solved problems stay solved.
    return all(one == "solved" for one in statuses) or all(
        is_final(revisit, one) for one in statuses
    )


def _duration(events: Sequence[Any]) -> float:
    return (events[-1]["time_ms"] - events[0]["time_ms"]) / 1000


def has_session(attempt: Path, session: str) -> bool:
    """Return whether the store of an attempt contains its session.

    Raises StoreError if the store is unreadable.
    """
    if not (attempt / STORE).exists():
        return False
    with EventStore(attempt / STORE) as store:
        return session in store.sessions()


def _verify(
    text: bytes, seed: bytes, pack: str | None, cancelled: Callable[[], bool] | None
) -> Verification:
    try:
        if cancelled is None or not cancelled():
            return verify_export(text, seed=seed, pack=pack, cancelled=cancelled)
    except RunCancelled:
        pass
    return verify_export(text)


def _violation(event: Any) -> str | None:
    return event["body"].get("violation") if event["kind"] == "submission_reserved" else None


def _edited_files_note(attempt: Path, session: str) -> list[str]:
    """Return a remark on changed or removed files of the session in the workspace, or []."""
    note = Vault().read_note(session, "workspace")
    given: dict[str, str] = {} if note is None else note["given"]
    edited: list[str] = []
    for name, digest in given.items():
        if compute_digest(attempt / WORKSPACE / name, _MAX_BYTES) != digest:
            edited.append(name)
    return [f"files of the session were changed: {', '.join(sorted(edited)[:5])}"] if edited else []


# Reading a session's log while its server writes it.

MOVE_KINDS = frozenset({"problem_fetched", "program_run", "submission_reserved", "problem_skipped"})
"""Kinds of events that count as moves of a solver."""


class SessionFollower:
    """Reader of one session's log, to which its server may be writing.

    The constructor raises StoreError if the store is missing or its log was edited.
    """

    def __init__(self, store: Path, session: str):
        self._store = EventStore(store)
        self._journal = Journal(self._store)
        self._session = session
        self._seq = 0
        self._head: str = GENESIS
        self.moves = 0
        self.times_ms: tuple[int, int] = (0, 0)
        """Times of the first and the last event, in milliseconds of Unix time."""

    def read_state(self) -> SessionState:
        """Return the current state of the session."""
        for record in self._store.read(self._session, self._seq, self._head):
            self.times_ms = (self.times_ms[0] or record.time_ms, record.time_ms)
            self._seq, self._head = record.seq, record.head
            self.moves += record.kind in MOVE_KINDS
        return self._journal.snapshot(self._session).state

    def close(self) -> None:
        self._store.close()


class AttemptProgress(NamedTuple):
    """Progress of an attempt.  seconds: from the first event of its session to the last one."""

    solved: int
    problems: int
    moves: int
    seconds: float


def read_progress(standing: CellStanding) -> AttemptProgress | None:
    """Return the progress of an unfinished attempt; None if it cannot be read."""
    if standing.attempt is None or standing.start is None or standing.result is not None:
        return None
    store = standing.attempt / STORE
    if not store.is_file():  # opening the store would create it
        return None
    try:
        with closing(SessionFollower(store, standing.start.session)) as watch:
            progress = watch.read_state().progress.values()
            first, last = watch.times_ms
    except EsoplayError:
        return None
    solved = sum(each.status == "solved" for each in progress)
    return AttemptProgress(solved, len(progress), watch.moves, (last - first) / 1000)
