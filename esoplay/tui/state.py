"""What is kept between runs: settings and progress, in one SQLite file.

Programs are not in here: they are plain files (:mod:`esoplay.tui.buffers`), so that a damaged
state file never costs anybody a program.  A damaged file is set aside with a notice.
"""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from esoplay.errors import StoreError

FILE_NAME = "play.sqlite3"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS submissions (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    pack TEXT NOT NULL,
    problem TEXT NOT NULL,
    language TEXT NOT NULL,
    dialect TEXT NOT NULL,
    verdicts TEXT NOT NULL,
    steps INTEGER NOT NULL,
    size INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS by_problem ON submissions (pack, language, problem);
CREATE TABLE IF NOT EXISTS others (
    solver TEXT NOT NULL,
    pack TEXT NOT NULL,
    problem TEXT NOT NULL,
    language TEXT NOT NULL,
    digest TEXT NOT NULL,
    steps INTEGER NOT NULL,
    size INTEGER NOT NULL,
    memory INTEGER NOT NULL,
    PRIMARY KEY (solver, pack, problem, language, digest)
) STRICT;
"""
_ADDED_COLUMNS = {"memory": "ALTER TABLE submissions ADD COLUMN memory INTEGER"}
_VERSION = 1


class Submission(NamedTuple):
    """One practice submission.

    steps: of all its tests together.  size: bytes of the program.  memory: the most that a test
    took, in bytes of the language's cost model; None where it was not kept yet.
    """

    problem: str
    verdicts: tuple[str, ...]
    steps: int
    size: int
    memory: int | None = None

    @property
    def passed(self) -> int:
        return self.verdicts.count("pass")

    @property
    def solved(self) -> bool:
        return bool(self.verdicts) and self.passed == len(self.verdicts)


class Solution(NamedTuple):
    """A program that passed all tests of practice, by its figures as of a Submission.

    solver: whose it is; empty for one's own.
    """

    steps: int
    size: int
    memory: int | None
    solver: str = ""


class Progress(NamedTuple):
    """What has been achieved on one problem in one language."""

    tries: int = 0
    passed: int = 0
    total: int = 0
    solved: bool = False
    steps: int | None = None
    size: int | None = None
    memory: int | None = None
    latest: Submission | None = None

    def after(self, submission: Submission) -> Progress:
        """This progress with one more submission; bests are taken over solutions only."""
        solved = submission.solved
        return Progress(
            tries=self.tries + 1,
            passed=max(self.passed, submission.passed),
            total=len(submission.verdicts),
            solved=self.solved or solved,
            steps=_least(self.steps, submission.steps) if solved else self.steps,
            size=_least(self.size, submission.size) if solved else self.size,
            memory=_least(self.memory, submission.memory) if solved else self.memory,
            latest=submission,
        )


NOTHING_YET = Progress()


class PlayState:
    """Settings and progress; raises StoreError where the disk refuses.

    notices: sentences for the user about what happened when it was opened.
    """

    def __init__(self, folder: Path) -> None:
        self.notices: list[str] = []
        self._path = folder / FILE_NAME
        try:
            self._db = _open(self._path)
        except sqlite3.OperationalError as error:
            raise StoreError(f"cannot open {self._path}: {error}") from error
        except sqlite3.DatabaseError as error:
            self._db = self._start_anew(error)

    def close(self) -> None:
        self._db.close()

    def setting(self, name: str, default: object = None) -> object:
        """A stored setting: plain JSON data; ``default`` where none was stored."""
        row = self._db.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()
        try:
            return default if row is None else json.loads(row[0])
        except ValueError:
            return default

    def set_setting(self, name: str, value: object) -> None:
        self._write(
            "INSERT INTO settings VALUES (?, ?)"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, json.dumps(value)),
        )

    def record(self, pack: str, language: str, dialect: str, submission: Submission) -> None:
        """Keep a submission."""
        self._write(
            "INSERT INTO submissions"
            " (at, pack, problem, language, dialect, verdicts, steps, size, memory)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                datetime.now(UTC).isoformat(timespec="seconds"),
                pack,
                submission.problem,
                language,
                dialect,
                " ".join(submission.verdicts),
                submission.steps,
                submission.size,
                submission.memory,
            ),
        )

    def record_other(
        self, pack: str, problem: str, language: str, digest: str, solution: Solution
    ) -> None:
        """Keep a solution of somebody else's, once; ``digest`` is its program's."""
        steps, size, memory, solver = solution
        self._write(
            "INSERT OR REPLACE INTO others VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (solver, pack, problem, language, digest, steps, size, memory or 0),
        )

    def others(self, pack: str, language: str, problem: str) -> list[Solution]:
        """Solutions of others, as far as they were imported."""
        rows = self._db.execute(
            "SELECT steps, size, memory, solver FROM others"
            " WHERE pack = ? AND language = ? AND problem = ? ORDER BY steps, size",
            (pack, language, problem),
        )
        return [Solution(*row) for row in rows]

    def progress(self, pack: str, language: str) -> dict[str, Progress]:
        """Progress by problem id, of the problems that were tried."""
        found: dict[str, Progress] = {}
        for submission in self._submissions(pack, language):
            id = submission.problem
            found[id] = found.get(id, NOTHING_YET).after(submission)
        return found

    def solutions(self, pack: str, language: str, problem: str) -> list[Submission]:
        """Every submission that solved the problem, oldest first."""
        return [
            submission
            for submission in self._submissions(pack, language)
            if submission.problem == problem and submission.solved
        ]

    def _submissions(self, pack: str, language: str) -> list[Submission]:
        rows = self._db.execute(
            "SELECT problem, verdicts, steps, size, memory FROM submissions"
            " WHERE pack = ? AND language = ? ORDER BY number",
            (pack, language),
        )
        return [
            Submission(problem, tuple(verdicts.split()), steps, size, memory)
            for problem, verdicts, steps, size, memory in rows
        ]

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        try:
            with self._db:
                self._db.execute(statement, values)
        except sqlite3.Error as error:
            raise StoreError(f"cannot write {self._path}: {error}") from error

    def _start_anew(self, error: sqlite3.DatabaseError) -> sqlite3.Connection:
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        backup = self._path.with_name(f"{FILE_NAME}.damaged-{stamp}")
        for suffix in ("", "-wal", "-shm"):
            part = self._path.with_name(FILE_NAME + suffix)
            if part.exists():
                part.rename(backup.with_name(backup.name + suffix))
        self.notices.append(
            f"The file with your progress could not be read ({error}). It was kept as "
            f"{backup.name}, and a new one was begun; your programs are safe."
        )
        return _open(self._path)


def _open(path: Path) -> sqlite3.Connection:
    """The database, ready for use; raises sqlite3.DatabaseError when it is damaged."""
    db = sqlite3.connect(path, timeout=5)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _VERSION):
            raise sqlite3.DatabaseError(f"it has format {version}, this esoplay knows {_VERSION}")
        if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("its check failed")
        with db:
            db.executescript(_SCHEMA)
            columns = {row[1] for row in db.execute("PRAGMA table_info(submissions)")}
            for name, statement in _ADDED_COLUMNS.items():
                if name not in columns:
                    db.execute(statement)
            db.execute(f"PRAGMA user_version = {_VERSION}")
    except BaseException:
        db.close()
        raise
    return db


def _least(old: int | None, new: int | None) -> int | None:
    known = [each for each in (old, new) if each is not None]
    return min(known) if known else None
