"""Read-only view of a running session for spectators.

Nothing in the store changes, no writer waits for the reader, and an interrupted grading is not
voided.  Data hidden from solvers is not read: neither the seed nor the test reports.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from esolangs.wording import plural
from esoplay.benchmark.exports import Event
from esoplay.errors import EsoplayError, StoreError, UnknownSession
from esoplay.grading.packs import Pack
from esoplay.grading.problem import Problem
from esoplay.packs.catalogue import get_installed_pack, get_pack
from esoplay.sessions.events import SessionStarted, decode
from esoplay.sessions.export import BLOB_FIELDS, referenced_digests
from esoplay.sessions.state import SessionState, evolve
from esoplay.sessions.store import GENESIS, EventRecord, EventStore
from esoplay.sessions.vault import Vault

_MAX_CACHED = 64  # cached programs and inputs


def list_sessions(store: Path) -> list[str]:
    """Return the ids of all sessions of a store, oldest first.

    Raises StoreError if it is unreadable.
    """
    with EventStore(store, observe=True) as opened:
        return opened.sessions()


class SessionWatch:
    """Reads a session from a store, even while it is running; implements ``SessionSource``.

    events: the events at creation.  Instances may be shared by threads.
    """

    def __init__(self, store: Path, session: str, vault: Vault | None = None):
        """Read the log of a session in a store.

        Raises UnknownSession if the session is not in the store, and StoreError if the log cannot
        be read.
        """
        self._store = store
        self._vault = vault or Vault()
        self._lock = threading.Lock()
        self._state: SessionState | None = None
        self._last: EventRecord | None = None
        self._sizes: dict[str, int] = {}
        self.session = session
        self.events: Sequence[Event] = ()
        self.events = self.read_events()
        if not self.events:
            raise UnknownSession(f"there is no session {session!r} in {store}")
        started = self.state.started
        self.solver = started.solver
        self.language = started.language
        self.dialect = started.protocol.dialect
        self.protocol = started.protocol.id
        self.pack_id = started.pack
        self.pack_version = started.pack_version
        self.seed_commitment = started.seed_commitment
        self._pack = self._find_pack(started)
        self._blob = lru_cache(_MAX_CACHED)(self._read_blob)

    @property
    def state(self) -> SessionState:
        """The state of the session at the last read."""
        assert self._state is not None, "the constructor raises for a session without events"
        return self._state

    @property
    def closed(self) -> bool:
        return self.state.closed

    def read_events(self) -> Sequence[Event]:
        """Return the events since the last read.

        Raises StoreError if the log cannot be read, for example while the file is being replaced; a
        later call may succeed.
        """
        with self._lock:
            state, last = self._state, self._last
            seq, head = (last.seq, last.head) if last else (0, GENESIS)
            with EventStore(self._store, observe=True) as store:
                records = store.read(self.session, seq, head)
                for name in referenced_digests(records, BLOB_FIELDS["programs"]):
                    if name not in self._sizes:
                        self._sizes[name] = store.blob_size(name)
            for record in records:
                try:
                    state = evolve(state, decode(record.kind, record.body))
                except ValueError as error:
                    raise StoreError(f"{self._store}: event {record.seq}: {error}") from error
                last = record
            self._state, self._last = state, last
        return [Event(one.seq, one.time_ms, one.kind, dict(one.body), one.head) for one in records]

    def program(self, digest: str) -> bytes:
        """Return the program with this digest.  Raises StoreError if it is missing."""
        return self._blob(digest)

    def input(self, digest: str) -> bytes:
        """Return the input with this digest.  Raises StoreError if it is missing."""
        return self._blob(digest)

    def program_size(self, digest: str) -> int:
        """Return the size in bytes of a program in the log."""
        return self._sizes[digest]

    def tests(self, report: str) -> Sequence[Mapping[str, Any]]:
        """Return no tests, even if the protocol shows them, because their inputs are hidden."""
        del report
        return ()

    def problem(self, id: str) -> Problem | None:
        """Return a problem of the session's pack, or None if the pack is not available."""
        if self._pack is None:
            return None
        try:
            return self._pack.problem(id)
        except EsoplayError:
            return None

    def examples(self, problem: str) -> Sequence[tuple[bytes, bytes]]:
        """Return the public examples; none if they are hidden or the pack is missing."""
        found = self.problem(problem) if self.state.protocol.examples else None
        if found is None:
            return ()
        return [(example.input, example.output) for example in found.examples]

    def _read_blob(self, digest: str) -> bytes:
        with EventStore(self._store, observe=True) as store:
            return store.blob(digest)

    def _find_pack(self, started: SessionStarted) -> Pack | None:
        try:
            note = self._vault.read_note(started.session, "pack")
            pack = get_installed_pack(started.pack) if note is None else get_pack(note["folder"])
        except EsoplayError:
            return None
        known = (pack.id, pack.version) == (started.pack, started.pack_version)
        return pack if known else None


# One-line descriptions of events


def describe_event(watch: SessionWatch, event: Event, quote: Callable[[bytes], str]) -> str:
    """Describe an event in one line; ``quote`` formats the first bytes of an input or program.

    Text from solvers is included unchanged; the caller must escape it before printing.
    """
    body = event.body
    match event.kind:
        case "session_started":
            solver = f", solver {watch.solver}" if watch.solver else ""
            return (
                f"session {watch.session} started: {watch.language}, protocol {watch.protocol}, "
                f"pack {watch.pack_id} {watch.pack_version}, "
                f"{plural(len(watch.state.progress), 'problem')}{solver}"
            )
        case "problem_fetched":
            return f"{problem_name(watch, body)}: fetched"
        case "program_run":
            return _describe_run(watch, body, quote)
        case "submission_reserved":
            return f"{_submission(body)}: submitted, {_program(watch, body, quote)}"
        case "submission_graded":
            return f"{_submission(body)}: {_describe_verdict(body)}"
        case "submission_voided":
            return f"{_submission(body)}: voided, {body.get('reason')}"
        case "problem_skipped":
            return f"{problem_name(watch, body)}: skipped"
        case "visible_processes_accepted":
            reason = body.get("reason")
            return f"the operator accepted that the solver can see the server's processes: {reason}"
        case "session_closed":
            return "session closed by the operator"
        case _:
            return event.kind


def describe_status(watch: SessionWatch) -> str:
    """Describe the status of the session in one line."""
    state = watch.state
    solved = sum(one.status == "solved" for one in state.progress.values())
    count = f"{solved} of {plural(len(state.progress), 'problem')} solved"
    if state.closed:
        return f"closed, {count}"
    if state.grading is not None:
        return f"{state.grading.problem}: submission {state.grading.number} is being graded"
    if state.current is None:
        return f"no problem fetched, {count}"
    return f"{problem_name(watch, {'problem': state.current})}, {count}"


def problem_name(watch: SessionWatch, body: Mapping[str, Any]) -> str:
    """Return id and title, like ``E04 Sum Two Integers``; only the id if the pack is missing."""
    id = body.get("problem")
    found = watch.problem(id) if isinstance(id, str) else None
    return f"{id or 'no problem'} {found.title}" if found else f"{id or 'no problem'}"


def _submission(body: Mapping[str, Any]) -> str:
    return f"{body.get('problem')}: submission {body.get('number')}"


def _describe_run(
    watch: SessionWatch, body: Mapping[str, Any], quote: Callable[[bytes], str]
) -> str:
    kind = "debug run" if body.get("debug") else "run"
    steps = body.get("steps")
    counted = f", {plural(steps, 'step')}" if isinstance(steps, int) else ""
    stdin = body.get("stdin")
    given = quote(watch.input(stdin)) if isinstance(stdin, str) else ""
    words = cast("Sequence[object]", body.get("arguments") or ())
    arguments = "".join(f", argument {quote(str(word).encode())}" for word in words)
    return (
        f"{body.get('problem') or 'no problem'}: {kind}: {body.get('status')}{counted}, "
        f"input {given or 'empty'}{arguments}, {_program(watch, body, quote)}"
    )


def _program(watch: SessionWatch, body: Mapping[str, Any], quote: Callable[[bytes], str]) -> str:
    name = str(body.get("program"))
    return f"{plural(watch.program_size(name), 'byte')}: {quote(watch.program(name)) or 'empty'}"


def _describe_verdict(body: Mapping[str, Any]) -> str:
    passed, total, left = body.get("passed"), body.get("total"), body.get("submissions_left")
    words = f"{passed} of {total} tests passed"
    if body.get("violation") is not None:
        words += f", rule broken: {body.get('violation')}"
    elif passed == total:
        words += ", solved"
    if left is None or passed == total:
        return words
    return f"{words}, {plural(left, 'submission')} left"
