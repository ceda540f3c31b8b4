"""What is saved between runs: settings and progress, in one SQLite file.

Every submission is one row of history.  What screens ask for (the best of each cell, the days with
a solution) is folded from these rows into small tables, so that opening a long history costs no
more than opening a short one: only rows that are not folded yet are read.

A file that is damaged when it is opened is set aside with a notice; one of a newer format is
refused and left as it is.  Programs are plain files beside it, so that it never costs anybody a
program.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from esoplay.errors import StoreError
from esoplay.progress.database import ProgressFile
from esoplay.progress.records import (
    CELL,
    OwnSolution,
    PracticeSubmission,
    ProblemStanding,
    SolvedProgramRecord,
    Streak,
    fold,
    local_day,
    progress_of,
    put_setting,
    read_cell,
    streak_of,
)

# Programs that solved a problem, each a file named by its SHA-256; the editor may change its own

FOLDER = "solutions"


class SolutionFiles:
    """Keeps programs in a folder of the state folder; nothing in it is ever changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    def keep(self, source: bytes) -> str:
        """Save a program; return its digest.  Raises StoreError."""
        digest = sha256(source).hexdigest()
        if self.read(digest) is None:
            self._write(self.path(digest), source)
        return digest

    def path(self, digest: str) -> Path:
        """Where a program is, or would be."""
        return self._folder / digest

    def read(self, digest: str | None) -> bytes | None:
        """Return a saved program; None if its file is gone or does not match its name."""
        if digest is None:
            return None
        try:
            source = self.path(digest).read_bytes()
        except OSError:
            return None
        return source if sha256(source).hexdigest() == digest else None

    def _write(self, path: Path, source: bytes) -> None:
        """A reader finds the whole program or none, also after a crash in between."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=".", dir=self._folder)
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(source)
                Path(name).replace(path)
            except BaseException:
                with suppress(OSError):
                    Path(name).unlink()
                raise
        except OSError as error:
            raise StoreError(f"cannot write {path}: {error.strerror}") from error


FILE_NAME = "play.sqlite3"

Clock = Callable[[], datetime]
"""Returns the time, with the zone that decides when a day begins."""


def local_time() -> datetime:
    """The time here."""
    return datetime.now().astimezone()


class SubmissionRecord(NamedTuple):
    """A submission with everything that is saved of it.

    at: when, in UTC.  day: the local date then.  digest: of the program, where it solved.
    """

    at: str
    day: str
    pack: str
    language: str
    dialect: str
    submission: PracticeSubmission
    digest: str | None


class ImportedSolution(NamedTuple):
    """A solution of somebody else's, by the digest of its program."""

    pack: str
    problem: str
    language: str
    digest: str
    solution: SolvedProgramRecord


class ProgressStore:
    """Settings and progress; raises StoreError where the disk refuses or the file is damaged later.

    notices: sentences for the user about what happened when it was opened.
    clock: the time of submissions, and which day is today.
    """

    def __init__(
        self, folder: Path, clock: Clock = local_time, *, file: ProgressFile | None = None
    ) -> None:
        """``file``: another way to keep the tables than ``FILE_NAME`` in the folder."""
        self.files = SolutionFiles(folder)
        self.clock = clock
        self._file = ProgressFile(folder / FILE_NAME) if file is None else file
        self.notices = self._file.notices

    def close(self) -> None:
        self._file.close()

    # Settings

    def setting(self, name: str, default: object = None) -> object:
        """A stored setting: plain JSON data; ``default`` where none was stored."""
        rows = self._read("SELECT value FROM settings WHERE name = ?", name)
        try:
            return json.loads(rows[0][0]) if rows else default
        except ValueError:
            return default

    def set_setting(self, name: str, value: object) -> None:
        self._file.write(lambda db: put_setting(db, name, value))

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
        submission: PracticeSubmission,
        source: bytes | None = None,
    ) -> None:
        """Save a submission; a program that solved is saved for good, under its digest.

        Raises StoreError; where only the program cannot be kept, the submission still counts.
        """
        digest: str | None = None
        refused: StoreError | None = None
        if source is not None and submission.solved:
            try:
                digest = self.files.keep(source)
            except StoreError as error:
                refused = error
        now = self.clock()
        at, day = now.astimezone(UTC).isoformat(), now.date().isoformat()
        self.add([SubmissionRecord(at, day, pack, language, dialect, submission, digest)])
        if refused is not None:
            raise refused

    def add(self, records: Iterable[SubmissionRecord]) -> None:
        """Keep submissions of whatever time, all or none."""
        rows = [_row(record) for record in records]

        def write(db: sqlite3.Connection) -> None:
            db.executemany(
                "INSERT INTO submissions"
                " (at, day, pack, problem, language, dialect,"
                "  verdicts, steps, size, memory, digest)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            fold(db)

        self._file.write(write)

    def records(self) -> list[SubmissionRecord]:
        """Return the whole history, in the order in which it was saved."""
        rows = self._read(
            "SELECT at, day, pack, language, dialect,"
            " problem, verdicts, steps, size, memory, digest FROM submissions ORDER BY number"
        )
        return [
            SubmissionRecord(
                at,
                day or local_day(at),
                pack,
                language,
                dialect,
                PracticeSubmission(problem, tuple(verdicts.split()), steps, size, memory),
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

    def progress(self, pack: str, language: str) -> dict[str, ProblemStanding]:
        """Progress by problem id, of the problems that were tried."""
        rows = self._read(
            f"SELECT problem, {CELL} FROM cells WHERE pack = ? AND language = ?", pack, language
        )
        return {problem: progress_of(problem, cell) for problem, *cell in rows}

    def cell(self, pack: str, language: str, problem: str) -> ProblemStanding:
        """Progress on one problem."""
        return self._file.ask(lambda db: read_cell(db, pack, language, problem))

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
            if PracticeSubmission(problem, tuple(verdicts.split()), steps, size).solved
        ]

    def latest_dialect(self, pack: str, language: str, problem: str) -> str:
        """The dialect in which the latest submission was graded; empty where there is none."""
        rows = self._read(
            "SELECT dialect FROM submissions WHERE pack = ? AND language = ? AND problem = ?"
            " ORDER BY at DESC, number DESC LIMIT 1",
            pack,
            language,
            problem,
        )
        return rows[0][0] if rows else ""

    # Solutions of others

    def record_other(
        self, pack: str, problem: str, language: str, digest: str, solution: SolvedProgramRecord
    ) -> None:
        """Keep a solution of somebody else's, once; ``digest`` is its program's."""
        self.add_others([ImportedSolution(pack, problem, language, digest, solution)])

    def add_others(self, others: Iterable[ImportedSolution]) -> None:
        """Keep solutions of others, each once."""
        rows = [
            (own.solver, pack, problem, language, digest, own.steps, own.size, own.memory or 0)
            for pack, problem, language, digest, own in others
        ]
        insert = "INSERT OR REPLACE INTO others VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        self._file.write(lambda db: db.executemany(insert, rows))

    def others(self, pack: str, language: str, problem: str) -> list[SolvedProgramRecord]:
        """Solutions of others, as far as they were imported."""
        rows = self._read(
            "SELECT steps, size, memory, solver FROM others"
            " WHERE pack = ? AND language = ? AND problem = ? ORDER BY steps, size",
            pack,
            language,
            problem,
        )
        return [SolvedProgramRecord(*row) for row in rows]

    def all_others(self) -> list[ImportedSolution]:
        """Every solution of others."""
        rows = self._read(
            "SELECT pack, problem, language, digest, steps, size, memory, solver FROM others"
            " ORDER BY pack, problem, language, solver, digest"
        )
        return [
            ImportedSolution(pack, problem, language, digest, SolvedProgramRecord(*figures))
            for pack, problem, language, digest, *figures in rows
        ]

    def _read(self, query: str, *values: str) -> list[Any]:
        """The rows of a query."""
        return self._file.ask(lambda db: db.execute(query, values).fetchall())


def _row(record: SubmissionRecord) -> tuple[object, ...]:
    at, day, pack, language, dialect, submission, digest = record
    problem, verdicts, steps, size, memory = submission
    words = " ".join(verdicts)
    return at, day, pack, problem, language, dialect, words, steps, size, memory, digest
