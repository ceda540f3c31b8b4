"""Reading a session's log beside the server that writes it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from esoplay.agents.records import STORE, Standing
from esoplay.errors import EsoplayError
from esoplay.sessions.journal import Journal
from esoplay.sessions.state import State
from esoplay.sessions.store import GENESIS, EventStore

MOVES = frozenset({"problem_fetched", "program_run", "submission_reserved", "problem_skipped"})
"""Events that are a solver's moves."""


class Watch:
    """Follows one session; raises StoreError where its log was edited, and for no store at all."""

    def __init__(self, store: Path, session: str):
        self._store = EventStore(store)
        self._journal = Journal(self._store)
        self._session = session
        self._seq = 0
        self._head: str = GENESIS
        self.moves = 0
        self.times_ms: tuple[int, int] = (0, 0)
        """Of the first event and of the last one."""

    def look(self) -> State:
        """How the session stands."""
        for record in self._store.read(self._session, self._seq, self._head):
            self.times_ms = (self.times_ms[0] or record.time_ms, record.time_ms)
            self._seq, self._head = record.seq, record.head
            self.moves += record.kind in MOVES
        return self._journal.now(self._session).state

    def close(self) -> None:
        self._store.close()


class Progress(NamedTuple):
    """How far an attempt has come.  seconds: from its beginning to the last event."""

    solved: int
    problems: int
    moves: int
    seconds: float


def progress_of(standing: Standing) -> Progress | None:
    """Of an attempt that has no result yet; None where nothing can be read."""
    if standing.attempt is None or standing.begun is None or standing.result is not None:
        return None
    store = standing.attempt / STORE
    if not store.is_file():  # opening would make one
        return None
    try:
        with closing(Watch(store, standing.begun.session)) as watch:
            progress = watch.look().progress.values()
            first, last = watch.times_ms
    except EsoplayError:
        return None
    solved = sum(each.status == "solved" for each in progress)
    return Progress(solved, len(progress), watch.moves, (last - first) / 1000)
