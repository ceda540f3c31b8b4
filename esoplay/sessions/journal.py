"""Sessions on top of the store: fold a log into a state, decide on a command, append events.

Reading new events, deciding and appending happen in one write transaction, so a decision is never
based on an outdated state, even if other processes write.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Generator, Iterable
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

from esoplay.errors import StoreError, UnknownSession
from esoplay.sessions.events import Event, decode, encode
from esoplay.sessions.machine import Command, Start, VoidSubmission, decide
from esoplay.sessions.state import SessionState, evolve
from esoplay.sessions.store import GENESIS, EventRecord, EventStore

_E = TypeVar("_E", bound=Event)

INTERRUPTED = "grading was interrupted"


class SessionSnapshot(NamedTuple):
    """The state of a session, and the last event that it includes."""

    state: SessionState
    last_event: EventRecord

    @property
    def head(self) -> str:
        return self.last_event.head


class Commit(NamedTuple):
    """The result of a command: the events that the command caused, and the state afterwards."""

    events: tuple[Event, ...]
    state: SessionState
    head: str

    def event(self, kind: type[_E]) -> _E:
        """Return the first event of type ``kind``; the command must have caused one."""
        return next(event for event in self.events if isinstance(event, kind))


class Journal:
    """Executes commands on the sessions of one store.  Thread-safe."""

    def __init__(self, store: EventStore):
        self.store = store
        self._known: dict[str, SessionSnapshot] = {}
        self._lock = threading.Lock()

    def start(self, command: Start, blobs: Iterable[bytes] = ()) -> Commit:
        """Append the first event of a new session.  Raises StoreError if the session exists."""
        with self.store.transaction() as writer:
            for data in blobs:
                writer.store_blob(data)
            (event,) = decide(None, command)
            last = writer.append(command.session, None, event.kind, encode(event))
            moment = SessionSnapshot(evolve(None, event), last)
        self._cache(command.session, moment)
        return Commit((event,), moment.state, moment.head)

    def snapshot(self, session: str) -> SessionSnapshot:
        """Return the current state of the session.

        Raises UnknownSession if the store does not contain the session.
        """
        return self._catch_up(session)

    def commit(self, session: str, command: Command, blobs: Iterable[bytes] = ()) -> Commit:
        """Execute ``command``: store the events that it causes, together with ``blobs``.

        If the command causes no events, the blobs are not stored either.

        Raises RejectedCommand if the rules forbid the command; nothing is stored then.
        """
        with self.store.transaction() as writer:
            state, last = self._catch_up(session)
            caused = decide(state, command)
            for data in blobs if caused else ():
                writer.store_blob(data)
            for event in caused:
                last = writer.append(session, last, event.kind, encode(event))
                state = evolve(state, event)
        self._cache(session, SessionSnapshot(state, last))
        return Commit(caused, state, last.head)

    def head_at(self, session: str, seq: int) -> str:
        """Return the head, the digest of the log, after event ``seq``."""
        return self.store.head(session, seq)

    def hold_turn(self, session: str, *, wait: float) -> AbstractContextManager[bool]:
        """Return a context manager that locks a session for grading.

        It yields whether the lock was free within ``wait`` seconds.
        """
        self.store.require_writable()
        folder = self.store.path.with_name(self.store.path.name + ".turns")
        return hold_turn(folder, session, wait=wait)

    def void_interrupted_submission(self, session: str) -> SessionSnapshot:
        """Void a submission whose grading was interrupted; return the session's state.

        In a read-only store, such a submission is not voided.
        """
        moment = self.snapshot(session)
        if moment.state.grading is None or self.store.read_only:
            return moment
        with self.hold_turn(session, wait=0) as mine:
            return self.void_orphan(session) if mine else self.snapshot(session)

    def void_orphan(self, session: str) -> SessionSnapshot:
        """Void the submission that was being graded, if any; call this within ``hold_turn``."""
        moment = self.snapshot(session)
        grading = moment.state.grading
        if grading is None:
            return moment
        self.commit(session, VoidSubmission(grading.number, INTERRUPTED))
        return self.snapshot(session)

    def _catch_up(self, session: str) -> SessionSnapshot:
        known = self._known.get(session)
        state, last = known if known else (None, None)
        seq, head = (last.seq, last.head) if last else (0, GENESIS)
        for record in self.store.read(session, seq, head):
            try:
                state = evolve(state, decode(record.kind, record.body))
            except ValueError as error:
                raise StoreError(
                    f"{self.store.path}: event {record.seq} of session {session}: {error}"
                ) from error
            last = record
        if state is None or last is None:
            raise UnknownSession(f"there is no session {session!r} in {self.store.path}")
        moment = SessionSnapshot(state, last)
        self._cache(session, moment)
        return moment

    def _cache(self, session: str, snapshot: SessionSnapshot) -> None:
        with self._lock:
            known = self._known.get(session)
            if known is None or known.last_event.seq < snapshot.last_event.seq:
                self._known[session] = snapshot


# One grading at a time per session, across threads and processes. A turn is a lock that the
# operating system releases when its process ends. While a process holds a session's turn, no other
# process can be grading, so a reserved submission without a verdict was interrupted. The lock is
# SQLite's exclusive lock on an empty file, which is portable and, unlike a plain ``fcntl`` lock,
# also works between the threads of one process.


@contextmanager
def hold_turn(folder: Path, session: str, *, wait: float) -> Generator[bool]:
    """Lock a session for grading; yield whether the lock was free within ``wait`` seconds.

    folder: contains the lock files.
    """
    path = folder / f"{session}.turn"
    with closing(_open(path, wait)) as connection:
        yield _try_lock(connection, path)


def _open(path: Path, wait: float) -> sqlite3.Connection:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return sqlite3.connect(path, timeout=wait, isolation_level=None)
    except (OSError, sqlite3.DatabaseError) as error:
        raise StoreError(f"{path}: {error}") from error


def _try_lock(connection: sqlite3.Connection, path: Path) -> bool:
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            return False
        raise StoreError(f"{path}: {error}") from error
    return True
