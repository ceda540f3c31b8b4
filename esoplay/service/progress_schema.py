"""The tables of the file with settings and progress, and how older files get them.

Changes only add, so that every esoplay of this format reads every file: one that knows less writes
rows without the newer columns, and the next one that knows more makes up for them.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from esoplay.databases import open_read_only
from esoplay.errors import StoreError

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
_ADDED = {
    "memory": "ALTER TABLE submissions ADD COLUMN memory INTEGER",
    "day": "ALTER TABLE submissions ADD COLUMN day TEXT",
    "digest": "ALTER TABLE submissions ADD COLUMN digest TEXT",
}
"""Columns that came later, each NULL where it was not known yet."""


def open_database(path: Path) -> sqlite3.Connection:
    """The database, ready for use; a new one is closed to other users.

    Raises sqlite3.DatabaseError when it is damaged, and StoreError when it has another format:
    nothing is written to it then.
    """
    with suppress(OSError):  # SQLite would create it for all to read, and says why it cannot
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    db = sqlite3.connect(path, timeout=5, isolation_level=None)
    try:
        _check_format(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("its check failed")
        create_tables(db)
    except BaseException:
        db.close()
        raise
    return db


def read_database(path: Path) -> sqlite3.Connection:
    """What a file that cannot be written holds, in memory and brought up to date; nothing if there
    is no file.  Raises as ``open_database`` does."""
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
            "It was left as it is: use the esoplay that wrote it, or move the file away"
        )


def create_tables(db: sqlite3.Connection) -> None:
    """Add what is missing of the tables; raises sqlite3.Error."""
    if not _is_complete(db):
        _complete(db)


def _is_complete(db: sqlite3.Connection) -> bool:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    wanted = {"settings", "submissions", "by_problem", "others", "cells", "days"}
    return version == VERSION and wanted <= tables and _ADDED.keys() <= _columns(db)


def _complete(db: sqlite3.Connection) -> None:
    """Add what is missing, all of it or nothing."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        for statement in _TABLES:
            db.execute(statement)
        columns = _columns(db)
        for name, statement in _ADDED.items():
            if name not in columns:
                db.execute(statement)
        db.execute(f"PRAGMA user_version = {VERSION}")


def _columns(db: sqlite3.Connection) -> set[str]:
    return {row[1] for row in db.execute("PRAGMA table_info(submissions)")}
