"""What is kept between runs: settings and progress, in one SQLite file.

Every submission is one row of history.  What screens ask for (the best of each cell, the days with
a solution) is folded from these rows into small tables, so that opening a long history costs no
more than opening a short one: only rows that are not folded yet are read.

A file that is damaged when it is opened is set aside with a notice; one of a newer format is
refused and left as it is.  Programs are plain files beside it, so that it never costs anybody a
program.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from esoplay.errors import StoreError
from esoplay.service.progress import (
    NOTHING_YET,
    OwnSolution,
    Progress,
    Solution,
    Streak,
    Submission,
    streak_of,
)
from esoplay.service.progress_schema import open_database
from esoplay.service.solution_files import SolutionFiles

FILE_NAME = "play.sqlite3"
_FOLDED = "progress folded"
"""The setting that says up to which submission the small tables are made."""

_CELL = (
    "tries, passed, total, solved, steps, size, memory, latest_verdicts, latest_steps,"
    " latest_size, latest_memory, latest_at, solved_at, steps_at, size_at"
)
_CELL_FIELDS = _CELL.count(",") + 1

Clock = Callable[[], datetime]
"""Tells the time, with the zone that decides when a day begins."""


def local_time() -> datetime:
    """The time here."""
    return datetime.now().astimezone()


class Record(NamedTuple):
    """A submission with everything that is kept of it.

    at: when, in UTC.  day: the local date then.  digest: of the program, where it solved.
    """

    at: str
    day: str
    pack: str
    language: str
    dialect: str
    submission: Submission
    digest: str | None


class Foreign(NamedTuple):
    """A solution of somebody else's, by the digest of its program."""

    pack: str
    problem: str
    language: str
    digest: str
    solution: Solution


class ProgressStore:
    """Settings and progress; raises StoreError where the disk refuses or the file is damaged later.

    notices: sentences for the user about what happened when it was opened.
    clock: tells when submissions come, and which day is today.
    """

    def __init__(self, folder: Path, clock: Clock = local_time) -> None:
        self.notices: list[str] = []
        self.files = SolutionFiles(folder)
        self.clock = clock
        self._path = folder / FILE_NAME
        try:
            self._db = self._open()
        except sqlite3.OperationalError as error:
            raise StoreError(f"cannot open {self._path}: {error}") from error
        except sqlite3.DatabaseError as error:
            self._db = self._start_anew(error)

    def close(self) -> None:
        self._db.close()

    # Settings

    def setting(self, name: str, default: object = None) -> object:
        """A stored setting: plain JSON data; ``default`` where none was stored."""
        rows = self._read("SELECT value FROM settings WHERE name = ?", name)
        try:
            return json.loads(rows[0][0]) if rows else default
        except ValueError:
            return default

    def set_setting(self, name: str, value: object) -> None:
        with self._writing() as db:
            _set(db, name, value)

    def settings(self, prefix: str) -> dict[str, Any]:
        """The settings whose names begin with ``prefix``, by the rest of their names."""
        rows = self._read("SELECT name FROM settings ORDER BY name")
        names: list[str] = [name for (name,) in rows if name.startswith(prefix)]
        return {name[len(prefix) :]: self.setting(name) for name in names}

    # Submissions

    def record(
        self,
        pack: str,
        language: str,
        dialect: str,
        submission: Submission,
        source: bytes | None = None,
    ) -> None:
        """Keep a submission; a program that solved is kept for good, under its digest."""
        kept = source is not None and submission.solved
        digest = self.files.keep(source) if kept and source is not None else None
        now = self.clock()
        at, day = now.astimezone(UTC).isoformat(), now.date().isoformat()
        self.add([Record(at, day, pack, language, dialect, submission, digest)])

    def add(self, records: Iterable[Record]) -> None:
        """Keep submissions of whatever time, all or none."""
        with self._writing() as db:
            db.executemany(
                "INSERT INTO submissions"
                " (at, day, pack, problem, language, dialect,"
                "  verdicts, steps, size, memory, digest)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [_row(record) for record in records],
            )
            _fold(db)

    def records(self) -> list[Record]:
        """The whole history, in the order in which it was kept."""
        rows = self._read(
            "SELECT at, day, pack, language, dialect,"
            " problem, verdicts, steps, size, memory, digest FROM submissions ORDER BY number"
        )
        return [
            Record(
                at,
                day or _local_day(at),
                pack,
                language,
                dialect,
                Submission(problem, tuple(verdicts.split()), steps, size, memory),
                digest,
            )
            for (
                at,
                day,
                pack,
                language,
                dialect,
                problem,
                verdicts,
                steps,
                size,
                memory,
                digest,
            ) in rows
        ]

    def progress(self, pack: str, language: str) -> dict[str, Progress]:
        """Progress by problem id, of the problems that were tried."""
        rows = self._read(
            f"SELECT problem, {_CELL} FROM cells WHERE pack = ? AND language = ?", pack, language
        )
        return {problem: _progress(problem, cell) for problem, *cell in rows}

    def cell(self, pack: str, language: str, problem: str) -> Progress:
        """Progress on one problem."""
        with self._reading():
            return _read_cell(self._db, pack, language, problem)

    def streak(self) -> Streak:
        """The days in a row on which something was solved, as of now."""
        days = self._read("SELECT day FROM days")
        return streak_of((day for (day,) in days), self.clock().date())

    def own_solutions(self, pack: str, language: str, problem: str) -> list[OwnSolution]:
        """Every submission that solved the problem, oldest first."""
        rows = self._read(
            "SELECT at, dialect, steps, size, memory, digest, problem, verdicts FROM submissions"
            " WHERE pack = ? AND language = ? AND problem = ? ORDER BY at, number",
            pack,
            language,
            problem,
        )
        return [
            OwnSolution(at, dialect, steps, size, memory, digest)
            for at, dialect, steps, size, memory, digest, problem, verdicts in rows
            if Submission(problem, tuple(verdicts.split()), steps, size).solved
        ]

    # Solutions of others

    def record_other(
        self, pack: str, problem: str, language: str, digest: str, solution: Solution
    ) -> None:
        """Keep a solution of somebody else's, once; ``digest`` is its program's."""
        self.add_others([Foreign(pack, problem, language, digest, solution)])

    def add_others(self, others: Iterable[Foreign]) -> None:
        """Keep solutions of others, each once."""
        with self._writing() as db:
            db.executemany(
                "INSERT OR REPLACE INTO others VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        own.solver,
                        pack,
                        problem,
                        language,
                        digest,
                        own.steps,
                        own.size,
                        own.memory or 0,
                    )
                    for pack, problem, language, digest, own in others
                ],
            )

    def others(self, pack: str, language: str, problem: str) -> list[Solution]:
        """Solutions of others, as far as they were imported."""
        rows = self._read(
            "SELECT steps, size, memory, solver FROM others"
            " WHERE pack = ? AND language = ? AND problem = ? ORDER BY steps, size",
            pack,
            language,
            problem,
        )
        return [Solution(*row) for row in rows]

    def all_others(self) -> list[Foreign]:
        """Every solution of others."""
        rows = self._read(
            "SELECT pack, problem, language, digest, steps, size, memory, solver FROM others"
            " ORDER BY pack, problem, language, solver, digest"
        )
        return [
            Foreign(pack, problem, language, digest, Solution(*figures))
            for pack, problem, language, digest, *figures in rows
        ]

    # The file

    def _read(self, query: str, *values: str) -> list[Any]:
        """The rows of a query."""
        with self._reading():
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def _reading(self) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"cannot read {self._path}: {error}") from error

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        """One transaction."""
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                yield self._db
        except sqlite3.Error as error:
            raise StoreError(f"cannot write {self._path}: {error}") from error

    def _open(self) -> sqlite3.Connection:
        db = open_database(self._path)
        try:
            folded = db.execute("SELECT value FROM settings WHERE name = ?", (_FOLDED,)).fetchone()
            last = db.execute("SELECT MAX(number) FROM submissions").fetchone()[0] or 0
            if last and (folded is None or folded[0] != json.dumps(last)):
                with db:
                    db.execute("BEGIN IMMEDIATE")
                    _fold(db)
        except BaseException:
            db.close()
            raise
        return db

    def _start_anew(self, error: sqlite3.DatabaseError) -> sqlite3.Connection:
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        backup = self._path.with_name(f"{FILE_NAME}.damaged-{stamp}")
        try:
            for suffix in ("", "-wal", "-shm"):
                part = self._path.with_name(FILE_NAME + suffix)
                if part.exists():
                    part.rename(backup.with_name(backup.name + suffix))
        except OSError as refused:
            raise StoreError(f"{self._path} is damaged ({error}) and stays: {refused}") from refused
        self.notices.append(
            f"The file with your progress could not be read ({error}). It was kept as "
            f"{backup.name}, and a new one was begun; your programs are safe."
        )
        with self._reading():
            return self._open()


def _set(db: sqlite3.Connection, name: str, value: object) -> None:
    db.execute(
        "INSERT INTO settings VALUES (?, ?)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, json.dumps(value)),
    )


def _row(record: Record) -> tuple[object, ...]:
    at, day, pack, language, dialect, submission, digest = record
    problem, verdicts, steps, size, memory = submission
    words = " ".join(verdicts)
    return at, day, pack, problem, language, dialect, words, steps, size, memory, digest


# Folding


def _fold(db: sqlite3.Connection) -> None:
    """Bring cells and days up to date, in the transaction under way."""
    row = db.execute("SELECT value FROM settings WHERE name = ?", (_FOLDED,)).fetchone()
    upto = int(row[0]) if row is not None and row[0].isdecimal() else 0
    if not upto:  # what stood there was made by nobody knows whom
        db.execute("DELETE FROM cells")
        db.execute("DELETE FROM days")
    cells: dict[tuple[str, str, str], Progress] = {}
    days: set[str] = set()
    rows = db.execute(
        "SELECT number, at, day, pack, language, problem, verdicts, steps, size, memory"
        " FROM submissions WHERE number > ? ORDER BY number",
        (upto,),
    ).fetchall()
    for number, at, day, pack, language, problem, verdicts, steps, size, memory in rows:
        submission = Submission(problem, tuple(verdicts.split()), steps, size, memory)
        key = pack, language, problem
        known = cells.get(key) or _read_cell(db, *key)
        cells[key] = known.after(submission, at)
        if submission.solved:
            days.add(day or _local_day(at))
        upto = number
    marks = ", ".join("?" * (_CELL_FIELDS + 3))
    db.executemany(
        f"INSERT OR REPLACE INTO cells (pack, language, problem, {_CELL}) VALUES ({marks})",
        [(*key, *_columns(cell)) for key, cell in cells.items()],
    )
    db.executemany("INSERT OR IGNORE INTO days VALUES (?)", [(day,) for day in days])
    _set(db, _FOLDED, upto)


def _local_day(at: str) -> str:
    """The date here of a time in UTC, for rows older than dates."""
    return datetime.fromisoformat(at).astimezone().date().isoformat()


def _columns(cell: Progress) -> tuple[object, ...]:
    latest = cell.latest
    assert latest is not None
    return (
        *cell[:7],
        " ".join(latest.verdicts),
        latest.steps,
        latest.size,
        latest.memory,
        *cell[8:],
    )


def _read_cell(db: sqlite3.Connection, pack: str, language: str, problem: str) -> Progress:
    row = db.execute(
        f"SELECT {_CELL} FROM cells WHERE pack = ? AND language = ? AND problem = ?",
        (pack, language, problem),
    ).fetchone()
    return NOTHING_YET if row is None else _progress(problem, row)


def _progress(problem: str, row: Any) -> Progress:
    tries, passed, total, solved, steps, size, memory, verdicts, *rest = row
    latest = Submission(problem, tuple(verdicts.split()), *rest[:3])
    return Progress(tries, passed, total, bool(solved), steps, size, memory, latest, *rest[3:])
