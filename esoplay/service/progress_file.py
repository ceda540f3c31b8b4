"""The SQLite file with settings and progress: opened, read, written, set aside when damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from esoplay.errors import StoreError
from esoplay.service.progress_folding import fold, is_folded
from esoplay.service.progress_schema import open_database

T = TypeVar("T")
Reading = Callable[[sqlite3.Connection], T]
Writing = Callable[[sqlite3.Connection], object]
"""What happens to the tables in one transaction; it may be done again on another connection."""


class ProgressFile:
    """An open file; raises StoreError where the disk refuses or the file is damaged later.

    notices: sentences for the user about what happened to it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: list[str] = []
        self._db = self.open()

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

    def _open(self) -> sqlite3.Connection:
        db = open_database(self.path)
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
