"""One grading at a time per session, across threads and processes.

A turn is a lock that the operating system drops with the process that holds it.  Whoever gets
the turn of a session therefore knows that a reserved submission without a verdict belongs to
nobody any more.  SQLite's exclusive lock on an empty file serves: it is portable, and unlike a
bare ``fcntl`` lock it also holds between the threads of one process.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from esoplay.errors import StoreError


@contextmanager
def turn(folder: Path, session: str, *, wait: float) -> Generator[bool]:
    """Hold the session's turn; yields False if it was not to be had within ``wait`` seconds."""
    path = folder / f"{session}.turn"
    with closing(_open(path, wait)) as connection:
        yield _taken(connection, path)


def _open(path: Path, wait: float) -> sqlite3.Connection:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return sqlite3.connect(path, timeout=wait, isolation_level=None)
    except (OSError, sqlite3.DatabaseError) as error:
        raise StoreError(f"{path}: {error}") from error


def _taken(connection: sqlite3.Connection, path: Path) -> bool:
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            return False
        raise StoreError(f"{path}: {error}") from error
    return True
