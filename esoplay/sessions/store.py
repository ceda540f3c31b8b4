"""The store: append-only event logs of sessions in one SQLite file.

With write-ahead logging and ``synchronous=NORMAL``, acknowledged events survive a killed process,
but not a power failure. Each write acquires the write lock first (``BEGIN IMMEDIATE``), reads the
log and appends, so no other process can write in between. In addition, the primary key
``(session, seq)`` rejects a second event with the same number. Events form a hash chain: ``head``
identifies a log up to an event.

A damaged file is never written, moved or deleted. A copy is saved next to it, and StoreError
names the copy.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from esoplay.databases import (
    is_writable,
    make_private,
    not_writable_message,
    open_read_only,
    open_unchanged,
)
from esoplay.errors import StoreError

APPLICATION_ID = 0x45534F50
FORMAT_VERSION = 1
GENESIS = "0" * 64
"""The head (digest) of a log without events."""

LOCK_WAIT = 30.0
"""The maximum time in seconds to wait for another process, whose writes take milliseconds."""

_SCHEMA = (
    """CREATE TABLE blob (
        sha256 TEXT PRIMARY KEY,
        bytes BLOB NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE event (
        session TEXT NOT NULL,
        seq INTEGER NOT NULL,
        time_ms INTEGER NOT NULL,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        head TEXT NOT NULL,
        PRIMARY KEY (session, seq)
    )""",
    """CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
        BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END""",
    """CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
        BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END""",
)


class EventRecord(NamedTuple):
    """One event in the log; ``seq`` counts from 1, ``time_ms`` is Unix time.

    head: the SHA-256 of this event and the previous head; see ``next_head``.
    """

    seq: int
    time_ms: int
    kind: str
    body: Mapping[str, Any]
    head: str


def digest(data: bytes) -> str:
    """Return the hexadecimal SHA-256 that identifies a blob."""
    return hashlib.sha256(data).hexdigest()


def body_text(body: Mapping[str, Any]) -> str:
    """Return the body of an event as canonical JSON, the form that is stored and hashed."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"))


def next_head(previous: str, session: str, seq: int, time_ms: int, kind: str, body: str) -> str:
    """Return the head after an event: the SHA-256 of the previous head and the event."""
    return digest(json.dumps([previous, session, seq, time_ms, kind, body]).encode())


class WriteTransaction:
    """An open write transaction, which blocks other writers until it ends."""

    def __init__(self, store: EventStore, connection: sqlite3.Connection):
        self._store = store
        self._connection = connection

    def append(
        self, session: str, previous: EventRecord | None, kind: str, body: Mapping[str, Any]
    ) -> EventRecord:
        """Append an event after ``previous``. Raises StoreError if its number is already used."""
        seq, head = (previous.seq + 1, previous.head) if previous else (1, GENESIS)
        text = body_text(body)
        now = self._store.now_ms()
        record = EventRecord(seq, now, kind, body, next_head(head, session, seq, now, kind, text))
        self._connection.execute(
            "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)",
            (session, seq, now, kind, text, record.head),
        )
        return record

    def store_blob(self, data: bytes) -> None:
        """Store a blob under its digest, unless it is already stored."""
        self._connection.execute("INSERT OR IGNORE INTO blob VALUES (?, ?)", (digest(data), data))


class EventStore:
    """One open store file, shared by threads and processes.

    If other users could read the file, its mode is restricted, with a message on stderr. A file
    that is not writable is opened with ``read_only`` set, and ``transaction`` raises StoreError.

    observe: read without side effects: do not create a file, change a mode or block writers. Events
    that are stored after opening are not visible.
    """

    def __init__(
        self, path: Path, *, clock: Callable[[], float] = time.time, observe: bool = False
    ):
        self.path = path
        self.read_only = False
        self._observes = observe
        self._clock = clock
        self._lock = threading.RLock()
        with self._convert_errors():
            self.read_only = observe or not is_writable(path)
            if self.read_only and not path.exists():
                if observe:
                    raise StoreError(f"there is no session store {path}")
                self.require_writable()
            self._connection = self._connect()
            try:
                _check(self._connection, path)
                if observe:
                    if _is_empty(self._connection):
                        raise StoreError(f"{path} has no sessions")
                elif not self.read_only:
                    _prepare(self._connection, path)
                elif _is_empty(self._connection):
                    self.require_writable()
                else:
                    with suppress(OSError, StoreError):  # fails on a read-only file system
                        _restrict_access(path)
            except BaseException:
                self._connection.close()
                raise

    def _connect(self) -> sqlite3.Connection:
        if self._observes:
            return open_unchanged(self.path)
        return open_read_only(self.path) if self.read_only else _connect(self.path)

    def __enter__(self) -> EventStore:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Closing it twice is not an error."""
        with self._lock:
            self._connection.close()

    def require_writable(self) -> None:
        """Raise StoreError if the store is not writable; the message suggests a solution."""
        if self.read_only:
            raise StoreError(not_writable_message(self.path))

    def now_ms(self) -> int:
        """Return the time for new events, as Unix time in milliseconds."""
        return int(self._clock() * 1000)

    @contextmanager
    def transaction(self) -> Generator[WriteTransaction]:
        """Open a write transaction; its writes are atomic."""
        self.require_writable()
        with self._lock, self._convert_errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield WriteTransaction(self, self._connection)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def read(self, session: str, after: int = 0, head: str = GENESIS) -> list[EventRecord]:
        """Return the events of a session after event number ``after``.

        head: the digest of the log up to event ``after``, with which the hash chain is checked.
        Raises StoreError if the hash chain is broken because another program changed the file.
        """
        with self._lock, self._convert_errors():
            rows = self._connection.execute(
                "SELECT seq, time_ms, kind, body, head FROM event "
                "WHERE session = ? AND seq > ? ORDER BY seq",
                (session, after),
            ).fetchall()
        records: list[EventRecord] = []
        for expected, (seq, time_ms, kind, body, stored) in enumerate(rows, after + 1):
            head = next_head(head, session, seq, time_ms, kind, body)
            if (seq, head) != (expected, stored):
                raise StoreError(f"{self.path}: event {expected} of session {session} was changed")
            records.append(EventRecord(seq, time_ms, kind, json.loads(body), head))
        return records

    def head(self, session: str, seq: int) -> str:
        """Return the head after event ``seq``: a hash of this event and of all events before it.

        Raises StoreError if the event does not exist.
        """
        with self._lock, self._convert_errors():
            row = self._connection.execute(
                "SELECT head FROM event WHERE session = ? AND seq = ?", (session, seq)
            ).fetchone()
        if row is None:
            raise StoreError(f"{self.path}: session {session} has no event {seq}")
        return row[0]

    def blob(self, sha256: str) -> bytes:
        """Return the blob with this digest. Raises StoreError if it is missing or was changed."""
        with self._lock, self._convert_errors():
            row = self._connection.execute(
                "SELECT bytes FROM blob WHERE sha256 = ?", (sha256,)
            ).fetchone()
        if row is None or digest(row[0]) != sha256:
            raise StoreError(f"{self.path}: blob {sha256} is missing or was changed")
        return row[0]

    def blob_size(self, sha256: str) -> int:
        """Return the size of the blob in bytes. Raises StoreError if it is missing."""
        with self._lock, self._convert_errors():
            row = self._connection.execute(
                "SELECT length(bytes) FROM blob WHERE sha256 = ?", (sha256,)
            ).fetchone()
        if row is None:
            raise StoreError(f"{self.path}: blob {sha256} is missing")
        return row[0]

    def sessions(self) -> list[str]:
        """Return the ids of all sessions, oldest first."""
        with self._lock, self._convert_errors():
            rows = self._connection.execute(
                "SELECT session FROM event WHERE seq = 1 ORDER BY time_ms, session"
            ).fetchall()
        return [session for (session,) in rows]

    @contextmanager
    def _convert_errors(self) -> Generator[None]:
        """Convert errors of SQLite and of the file system to StoreError."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            if _is_corruption(error) and not self._observes:
                raise StoreError(_copy_damaged(self.path, error)) from error
            raise StoreError(f"{self.path}: {error}") from error
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror or error}") from error


def _connect(path: Path) -> sqlite3.Connection:
    # SQLite would create a file that all users can read; -wal and -shm get the same mode. Do not
    # open an existing file here, because closing it would release this process's locks on it.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    return sqlite3.connect(path, timeout=LOCK_WAIT, isolation_level=None, check_same_thread=False)


def _restrict_access(path: Path) -> None:
    notice = make_private(path)
    if notice is not None:
        print(f"esoplay: {notice}", file=sys.stderr)


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Restrict access to a store to its owner, and create the tables of an empty store."""
    _restrict_access(path)
    connection.execute("PRAGMA synchronous = NORMAL")
    if _is_empty(connection):
        connection.execute("BEGIN IMMEDIATE")
        if _is_empty(connection):
            for statement in _SCHEMA:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
        connection.execute("COMMIT")
    _use_write_ahead_log(connection)


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Raise StoreError if the file is not empty and not a store of this format."""
    if _is_empty(connection):
        return
    if _pragma(connection, "application_id") != APPLICATION_ID:
        raise StoreError(f"{path} is a database of another program, not a session store")
    version = _pragma(connection, "user_version")
    if version != FORMAT_VERSION:
        raise StoreError(
            f"{path} has format {version}; this version of esoplay reads format {FORMAT_VERSION}"
        )


def _is_empty(connection: sqlite3.Connection) -> bool:
    return _pragma(connection, "schema_version") == 0


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    # This statement needs an exclusive lock and, unlike other statements, does not wait for it.
    deadline = time.monotonic() + LOCK_WAIT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _is_corruption(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _copy_damaged(path: Path, error: sqlite3.DatabaseError) -> str:
    """Copy a damaged store if no copy of it exists; return an error message with the result."""
    with path.open("rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()[:12]
    copy = path.with_name(f"{path.name}.damaged-{content}")
    try:
        for suffix in ("", "-wal"):
            part, target = Path(f"{path}{suffix}"), Path(f"{copy}{suffix}")
            if part.exists() and not target.exists():
                shutil.copy2(part, target)
    except OSError as refused:
        return f"{path} is damaged ({error}), and cannot be copied ({refused}); restore a good copy"
    return (
        f"{path} is damaged ({error}); it was left unchanged and copied to {copy.name}. "
        "Restore a good copy, or move the file away to start with an empty store"
    )
