"""The SQLite file with settings and progress: opened, read, written, set aside when damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from esoplay.databases import is_writable, make_private, why_not_writable
from esoplay.errors import StoreError
from esoplay.service.progress_folding import fold, is_folded
from esoplay.service.progress_schema import open_database, read_database

T = TypeVar("T")
Reading = Callable[[sqlite3.Connection], T]
Writing = Callable[[sqlite3.Connection], object]
"""What happens to the tables in one transaction; it may be done again on another connection."""


class ProgressFile:
    """An open file; raises StoreError where the disk refuses or the file is damaged later.

    notices: sentences for the user about what happened to it.
    read_only: the file cannot be written, so that ``write`` raises StoreError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: list[str] = []
        self.read_only = not is_writable(path)
        self._db = self._read() if self.read_only else self.open()

    def close(self) -> None:
        self._db.close()

    def ask(self, reading: Reading[T]) -> T:
        """What is found in the tables."""
        try:
            return reading(self._db)
        except sqlite3.Error as error:
            raise StoreError(f"cannot read {self.path}: {error}") from error

    def write(self, writing: Writing) -> None:
        """Change the tables, wholly or not at all."""
        if self.read_only:
            raise StoreError(why_not_writable(self.path))
        try:
            transact(self._db, writing)
        except sqlite3.Error as error:
            raise StoreError(f"cannot write {self.path}: {error}") from error

    def open(self) -> sqlite3.Connection:
        """The tables, brought up to date; a damaged file is set aside, and a new one begun."""
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

    def _read(self) -> sqlite3.Connection:
        """The tables of a file that cannot be written."""
        try:
            return self._brought_up_to_date(read_database(self.path))
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"cannot read {self.path}: {error}") from error

    def _open(self) -> sqlite3.Connection:
        notice = make_private(self.path)
        # Earlier versions left it to the state folder, which has mode 0700, to keep others out.
        if notice is not None and self.path.parent.stat().st_mode & 0o077:
            self.notices.append(notice)
        return self._brought_up_to_date(open_database(self.path))

    def _brought_up_to_date(self, db: sqlite3.Connection) -> sqlite3.Connection:
        try:
            if not is_folded(db):
                transact(db, fold)
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
            raise StoreError(f"{self.path} is damaged ({error}) and stays: {refused}") from refused
        self.notices.append(
            f"The file with your progress could not be read ({error}). It was kept as "
            f"{backup.name}, and a new one was begun; your programs are safe."
        )


def transact(db: sqlite3.Connection, writing: Writing) -> None:
    """Do it in a transaction; raises sqlite3.Error."""
    db.execute("BEGIN IMMEDIATE")
    try:
        writing(db)
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # some errors, as of a full disk, have rolled back already
            db.execute("ROLLBACK")
        raise
