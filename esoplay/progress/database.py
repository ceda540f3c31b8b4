"""The SQLite file with settings and progress: open, read, write, and replace it when damaged."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from esoplay.databases import is_writable, make_private, not_writable_message, open_read_only
from esoplay.errors import StoreError
from esoplay.progress.records import has_current_summaries, update_summary_tables

# The tables, and their upgrades. Upgrades only add tables and columns, so every version of esoplay
# that uses this format can read every file in it. Older versions leave newer columns NULL.

VERSION = 1

_TABLES = (
    "CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    """CREATE TABLE IF NOT EXISTS submissions (
        number INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        pack TEXT NOT NULL,
        problem TEXT NOT NULL,
        language TEXT NOT NULL,
        dialect TEXT NOT NULL,
        verdicts TEXT NOT NULL,
        steps INTEGER NOT NULL,
        size INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX IF NOT EXISTS by_problem ON submissions (pack, language, problem)",
    """CREATE TABLE IF NOT EXISTS others (
        solver TEXT NOT NULL,
        pack TEXT NOT NULL,
        problem TEXT NOT NULL,
        language TEXT NOT NULL,
        digest TEXT NOT NULL,
        steps INTEGER NOT NULL,
        size INTEGER NOT NULL,
        memory INTEGER NOT NULL,
        PRIMARY KEY (solver, pack, problem, language, digest)
    ) STRICT""",
    """CREATE TABLE IF NOT EXISTS cells (
        pack TEXT NOT NULL,
        language TEXT NOT NULL,
        problem TEXT NOT NULL,
        tries INTEGER NOT NULL,
        passed INTEGER NOT NULL,
        total INTEGER NOT NULL,
        solved INTEGER NOT NULL,
        steps INTEGER,
        size INTEGER,
        memory INTEGER,
        latest_verdicts TEXT NOT NULL,
        latest_steps INTEGER NOT NULL,
        latest_size INTEGER NOT NULL,
        latest_memory INTEGER,
        latest_at TEXT NOT NULL,
        solved_at TEXT NOT NULL,
        steps_at TEXT NOT NULL,
        size_at TEXT NOT NULL,
        PRIMARY KEY (pack, language, problem)
    ) STRICT, WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS days (day TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
)
_ADDED_COLUMNS = {
    "memory": "ALTER TABLE submissions ADD COLUMN memory INTEGER",
    "day": "ALTER TABLE submissions ADD COLUMN day TEXT",
    "digest": "ALTER TABLE submissions ADD COLUMN digest TEXT",
}
"""Columns added to ``submissions`` after its first version; NULL where the value is unknown."""


def open_database(path: Path) -> sqlite3.Connection:
    """Open the database; a new file is accessible only to its owner.

    Raises sqlite3.DatabaseError if the file is damaged. Raises StoreError, before any change, if
    the file has another format.
    """
    with suppress(
        OSError
    ):  # SQLite would create a file that all users can read; it reports errors later
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    db = sqlite3.connect(path, timeout=5, isolation_level=None)
    try:
        _check_format(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("integrity check failed")
        create_tables(db)
    except BaseException:
        db.close()
        raise
    return db


def copy_to_memory(path: Path) -> sqlite3.Connection:
    """Return a copy in memory of a file that is not writable; add missing tables to the copy.

    The copy is empty if the file does not exist.  Raises the errors of ``open_database``.
    """
    memory = sqlite3.connect(":memory:", isolation_level=None)
    try:
        if path.exists():
            with closing(open_read_only(path)) as db:
                _check_format(db, path)
                db.backup(memory)
        create_tables(memory)
    except BaseException:
        memory.close()
        raise
    return memory


def _check_format(db: sqlite3.Connection, path: Path) -> None:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, VERSION):
        raise StoreError(
            f"{path} has format {version}; this version of esoplay reads format {VERSION}. "
            "The file was not changed; use the version that wrote it, or move the file away"
        )


def create_tables(db: sqlite3.Connection) -> None:
    """Create missing tables and columns; raise sqlite3.Error if that fails."""
    if not _is_complete(db):
        _complete_tables(db)


def _is_complete(db: sqlite3.Connection) -> bool:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    wanted = {"settings", "submissions", "by_problem", "others", "cells", "days"}
    return version == VERSION and wanted <= tables and _ADDED_COLUMNS.keys() <= _columns(db)


def _complete_tables(db: sqlite3.Connection) -> None:
    """Create missing tables and columns, and set the version, in one transaction."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        for statement in _TABLES:
            db.execute(statement)
        columns = _columns(db)
        for name, statement in _ADDED_COLUMNS.items():
            if name not in columns:
                db.execute(statement)
        db.execute(f"PRAGMA user_version = {VERSION}")


def _columns(db: sqlite3.Connection) -> set[str]:
    return {row[1] for row in db.execute("PRAGMA table_info(submissions)")}


T = TypeVar("T")
Query = Callable[[sqlite3.Connection], T]
Change = Callable[[sqlite3.Connection], object]
"""A function that changes the tables in a transaction; it may be called again, on another file."""


class ProgressFile:
    """An open database file; its methods raise StoreError if it cannot be read or written.

    notices: sentences for the user about the file. read_only: whether the file is not writable;
    ``write`` then raises StoreError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: list[str] = []
        self.read_only = not is_writable(path)
        self._db = self._open_read_only() if self.read_only else self.open()

    def close(self) -> None:
        self._db.close()

    def read(self, query: Query[T]) -> T:
        """Return the result of ``query``, which reads from the tables."""
        try:
            return query(self._db)
        except sqlite3.Error as error:
            raise StoreError(f"cannot read {self.path}: {error}") from error

    def write(self, change: Change) -> None:
        """Call ``change`` to change the tables, in one transaction."""
        if self.read_only:
            raise StoreError(not_writable_message(self.path))
        try:
            transact(self._db, change)
        except sqlite3.Error as error:
            raise StoreError(f"cannot write {self.path}: {error}") from error

    def open(self) -> sqlite3.Connection:
        """Open the file and upgrade its tables; a damaged file is replaced by a new one."""
        try:
            return self._open()
        except sqlite3.OperationalError as error:
            raise StoreError(f"cannot open {self.path}: {error}") from error
        except sqlite3.DatabaseError as error:
            self._set_aside(error)
        try:
            return self._open()
        except sqlite3.Error as error:
            raise StoreError(f"cannot open {self.path}: {error}") from error

    def _open_read_only(self) -> sqlite3.Connection:
        """Return a copy in memory, with upgraded tables, of a file that is not writable."""
        try:
            return self._upgrade(copy_to_memory(self.path))
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"cannot read {self.path}: {error}") from error

    def _open(self) -> sqlite3.Connection:
        notice = make_private(self.path)
        # Earlier versions relied on the state folder's mode 0700 to keep other users out.
        if notice is not None and self.path.parent.stat().st_mode & 0o077:
            self.notices.append(notice)
        return self._upgrade(open_database(self.path))

    def _upgrade(self, db: sqlite3.Connection) -> sqlite3.Connection:
        try:
            if not has_current_summaries(db):
                transact(db, update_summary_tables)
        except BaseException:
            db.close()
            raise
        return db

    def _set_aside(self, error: sqlite3.DatabaseError) -> None:
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        backup = self.path.with_name(f"{self.path.name}.damaged-{stamp}")
        try:
            for suffix in ("", "-wal", "-shm"):
                part = self.path.with_name(self.path.name + suffix)
                if part.exists():
                    part.rename(backup.with_name(backup.name + suffix))
        except OSError as refused:
            raise StoreError(
                f"{self.path} is damaged ({error}) and cannot be moved: {refused}"
            ) from refused
        self.notices.append(
            f"The file with your progress could not be read ({error}). It was renamed to "
            f"{backup.name}, and a new one was started; your programs are safe."
        )


def transact(db: sqlite3.Connection, change: Change) -> None:
    """Call ``change`` to change the tables, in a transaction; raise sqlite3.Error on failure."""
    db.execute("BEGIN IMMEDIATE")
    try:
        change(db)
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # some errors, such as a full disk, have already rolled back
            db.execute("ROLLBACK")
        raise


# A file for screens, with fallbacks for all errors.

RETRY_SECONDS = 20.0
"""Minimum time from a failed attempt to write to a file until the next, in seconds."""


class ResilientFile(ProgressFile):
    """A progress file whose ``read`` and ``write`` never fail after it was opened.

    A damaged file is set aside, and a new one started. If the file cannot be read or cannot be
    written (a full disk, a read-only folder), the tables stay in memory; pending changes are
    written by a later ``write``, or by ``close``, when the file is writable again.

    notify: called with each notice after the file was opened.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.notify: Callable[[str], None] | None = None
        self._sent_notices = len(self.notices)
        self._unwritten: list[Change] = []
        self._in_memory = False
        self._retry_at = 0.0
        if self.read_only:
            self.read_only = False
            self._use_memory(self._db, StoreError(not_writable_message(path)))

    def close(self) -> None:
        """Close the file; raise StoreError if pending changes cannot be written."""
        try:
            if self._unwritten:
                self._write_to_file()
        finally:
            super().close()

    def read(self, query: Query[T]) -> T:
        try:
            return super().read(query)
        except StoreError as error:
            self._reopen(error)
        try:
            return super().read(query)
        except StoreError as error:  # the file can be opened, but not read
            self._continue_in_memory(error)
        return super().read(query)

    def write(self, change: Change) -> None:
        if self._in_memory:
            self._unwritten.append(change)
            super().write(change)
            if time.monotonic() >= self._retry_at:
                self._retry()
            return
        try:
            super().write(change)
            return
        except StoreError as error:
            self._reopen(error)
        if not self._in_memory:
            try:
                super().write(change)
                return
            except StoreError as error:
                self._continue_in_memory(error)
        self._unwritten.append(change)
        super().write(change)

    def _reopen(self, error: StoreError) -> None:
        """Open the file again, and replace it if it is damaged; on failure, continue in memory."""
        copy = _copy_to_memory(self._db)
        self._db.close()  # before opening, as SQLite removes side files by name
        try:
            self._db = self.open()
        except StoreError as refused:
            self._use_memory(copy, refused if refused.__cause__ else error)
        else:
            copy.close()
            self._send_notices()

    def _continue_in_memory(self, error: StoreError) -> None:
        copy = _copy_to_memory(self._db)
        self._db.close()
        self._use_memory(copy, error)

    def _use_memory(self, memory: sqlite3.Connection, error: StoreError) -> None:
        self._db = memory
        self._in_memory = True
        self._retry_at = time.monotonic() + RETRY_SECONDS
        self.notices.append(
            f"Your progress cannot be saved ({error}). It stays in memory and is written as soon "
            "as possible."
        )
        self._send_notices()

    def _retry(self) -> None:
        try:
            self._write_to_file()
        except StoreError:
            self._retry_at = time.monotonic() + RETRY_SECONDS
            return
        self.notices.append(
            "Your progress can be saved again; all of it is now in the progress file."
        )
        self._send_notices()

    def _write_to_file(self) -> None:
        """Write pending changes to the file and stop using memory; raise StoreError on failure."""
        db = self.open()
        try:
            transact(db, lambda db: [each(db) for each in self._unwritten])
        except sqlite3.Error as error:
            db.close()
            raise StoreError(f"cannot write {self.path}: {error}") from error
        self._db.close()
        self._db = db
        self._unwritten.clear()
        self._in_memory = False

    def _send_notices(self) -> None:
        if self.notify is not None:
            for notice in self.notices[self._sent_notices :]:
                self.notify(notice)
        self._sent_notices = len(self.notices)


def _copy_to_memory(db: sqlite3.Connection) -> sqlite3.Connection:
    """Copy a database to memory; return empty tables if it cannot be read completely."""
    memory = sqlite3.connect(":memory:", isolation_level=None)
    try:
        db.backup(memory)
        if memory.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("integrity check failed")
        create_tables(memory)
    except sqlite3.Error:
        memory.close()
        memory = sqlite3.connect(":memory:", isolation_level=None)
        create_tables(memory)
    return memory
