"""Settings and progress, stored in one SQLite file.

Every submission is one row of history. Summary tables contain the data that screens show: the best
results for each problem in each language, and the days with a solution. Only new rows are added to
them, so a long history opens as fast as a short one.

A file that is damaged when it is opened is set aside with a notice; a file in a newer format is
refused and not changed. Programs are separate files in the same folder, so damage to the database
never loses a program.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from esoplay.errors import StoreError
from esoplay.progress.database import ProgressFile
from esoplay.progress.records import (
    CELL_COLUMNS,
    OwnSolution,
    PracticeSubmission,
    ProblemStanding,
    SolvedProgramRecord,
    Streak,
    compute_streak,
    local_day,
    make_standing,
    put_setting,
    read_standing,
    update_summary_tables,
)

# Solutions, each saved in a file named by its SHA-256, because the user may edit the original.

FOLDER = "solutions"


class SolutionFiles:
    """Saved programs, each in its own file below the state folder; no file is ever changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    def save(self, source: bytes) -> str:
        """Save a program and return its digest; raise StoreError if it cannot be saved."""
        digest = _digest(source)
        if self.read(digest) is None:
            self._write(self.path(digest), source)
        return digest

    def path(self, digest: str) -> Path:
        """Return the path of a program, which need not exist."""
        return self._folder / digest

    def read(self, digest: str | None) -> bytes | None:
        """Return a saved program; None if its file is missing or does not match the digest."""
        if digest is None:
            return None
        try:
            source = self.path(digest).read_bytes()
        except OSError:
            return None
        return source if _digest(source) == digest else None

    def _write(self, path: Path, source: bytes) -> None:
        """Write a program atomically."""
        from tempfile import mkstemp  # late: the screen starts without it

        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = mkstemp(prefix=".", dir=self._folder)
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


def _digest(source: bytes) -> str:
    """Return the SHA-256 of a program in hexadecimal."""
    from hashlib import sha256  # late: it loads OpenSSL, and the screen starts without it

    return sha256(source).hexdigest()


FILE_NAME = "play.sqlite3"

Clock = Callable[[], datetime]
"""Returns the time, in the zone that determines when a day begins."""


def local_time() -> datetime:
    """Return the local time."""
    return datetime.now().astimezone()


class SubmissionRecord(NamedTuple):
    """A submission with all of its saved data.

    at: time in UTC. day: local date. digest: digest of the program if it solved the problem.
    """

    at: str
    day: str
    pack: str
    language: str
    dialect: str
    submission: PracticeSubmission
    digest: str | None


class ImportedSolution(NamedTuple):
    """Another person's solution. digest: SHA-256 of its program."""

    pack: str
    problem: str
    language: str
    digest: str
    solution: SolvedProgramRecord


class ProgressStore:
    """The user's settings and progress, in a database and in a folder of programs.

    Methods raise StoreError if the file cannot be read or written. notices: sentences for the user
    about the file. clock: determines the time of submissions, and the current day.
    """

    def __init__(
        self, folder: Path, clock: Clock = local_time, *, file: ProgressFile | None = None
    ) -> None:
        """Open the store in ``folder``.

        file: a database that is already open; by default, opens ``FILE_NAME`` in the folder.
        """
        self.files = SolutionFiles(folder)
        self.clock = clock
        self._file = ProgressFile(folder / FILE_NAME) if file is None else file
        self.notices = self._file.notices

    def close(self) -> None:
        self._file.close()

    # Settings.

    def setting(self, name: str, default: object = None) -> object:
        """Return a stored setting as JSON data, or ``default``."""
        rows = self._read("SELECT value FROM settings WHERE name = ?", name)
        try:
            return json.loads(rows[0][0]) if rows else default
        except ValueError:
            return default

    def set_setting(self, name: str, value: object) -> None:
        self._file.write(lambda db: put_setting(db, name, value))

    def settings(self, prefix: str) -> dict[str, Any]:
        """Return the settings whose names start with ``prefix``, keyed by the rest of the name."""
        rows = self._read("SELECT name FROM settings ORDER BY name")
        names: list[str] = [name for (name,) in rows if name.startswith(prefix)]
        return {name[len(prefix) :]: self.setting(name) for name in names}

    # Submissions.

    def save_submission(
        self,
        pack: str,
        language: str,
        dialect: str,
        submission: PracticeSubmission,
        source: bytes | None = None,
    ) -> None:
        """Save a submission; a program that solved the problem is saved permanently by its digest.

        Raises StoreError if the submission or the program cannot be saved. The submission is saved
        even if the program cannot be.
        """
        digest: str | None = None
        refused: StoreError | None = None
        if source is not None and submission.solved:
            try:
                digest = self.files.save(source)
            except StoreError as error:
                refused = error
        now = self.clock()
        at, day = now.astimezone(UTC).isoformat(), now.date().isoformat()
        self.add([SubmissionRecord(at, day, pack, language, dialect, submission, digest)])
        if refused is not None:
            raise refused

    def add(self, records: Iterable[SubmissionRecord]) -> None:
        """Save submissions with their times in one transaction."""
        rows = [_row(record) for record in records]

        def write(db: sqlite3.Connection) -> None:
            db.executemany(
                "INSERT INTO submissions"
                " (at, day, pack, problem, language, dialect,"
                "  verdicts, steps, size, memory, digest)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            update_summary_tables(db)

        self._file.write(write)

    def records(self) -> list[SubmissionRecord]:
        """Return all submissions in the order in which they were saved."""
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
        """Return the progress of all tried problems, by problem id."""
        rows = self._read(
            f"SELECT problem, {CELL_COLUMNS} FROM cells WHERE pack = ? AND language = ?",
            pack,
            language,
        )
        return {problem: make_standing(problem, cell) for problem, *cell in rows}

    def standing(self, pack: str, language: str, problem: str) -> ProblemStanding:
        """Return the progress on one problem."""
        return self._file.read(lambda db: read_standing(db, pack, language, problem))

    def streak(self) -> Streak:
        """Return the current and the longest number of consecutive days with a solved problem."""
        days = self._read("SELECT day FROM days")
        return compute_streak((day for (day,) in days), self.clock().date())

    def own_solutions(self, pack: str, language: str, problem: str) -> list[OwnSolution]:
        """Return all of the user's solutions of the problem, oldest first."""
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
        """Return the dialect of the latest submission; empty without a submission."""
        rows = self._read(
            "SELECT dialect FROM submissions WHERE pack = ? AND language = ? AND problem = ?"
            " ORDER BY at DESC, number DESC LIMIT 1",
            pack,
            language,
            problem,
        )
        return rows[0][0] if rows else ""

    # Solutions of others.

    def add_imported_solution(
        self, pack: str, problem: str, language: str, digest: str, solution: SolvedProgramRecord
    ) -> None:
        """Save or replace another person's solution; ``digest``: the SHA-256 of its program."""
        self.add_imported_solutions([ImportedSolution(pack, problem, language, digest, solution)])

    def add_imported_solutions(self, solutions: Iterable[ImportedSolution]) -> None:
        """Save solutions of others; a solution that is already saved is replaced."""
        rows = [
            (each.solver, pack, problem, language, digest, each.steps, each.size, each.memory or 0)
            for pack, problem, language, digest, each in solutions
        ]
        insert = "INSERT OR REPLACE INTO others VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        self._file.write(lambda db: db.executemany(insert, rows))

    def imported_solutions(
        self, pack: str, language: str, problem: str
    ) -> list[SolvedProgramRecord]:
        """Return the imported solutions of others for a problem."""
        rows = self._read(
            "SELECT steps, size, memory, solver FROM others"
            " WHERE pack = ? AND language = ? AND problem = ? ORDER BY steps, size",
            pack,
            language,
            problem,
        )
        return [SolvedProgramRecord(*row) for row in rows]

    def all_imported_solutions(self) -> list[ImportedSolution]:
        """Return all imported solutions of others."""
        rows = self._read(
            "SELECT pack, problem, language, digest, steps, size, memory, solver FROM others"
            " ORDER BY pack, problem, language, solver, digest"
        )
        return [
            ImportedSolution(pack, problem, language, digest, SolvedProgramRecord(*figures))
            for pack, problem, language, digest, *figures in rows
        ]

    def _read(self, query: str, *values: str) -> list[Any]:
        """Return the rows of a query."""
        return self._file.read(lambda db: db.execute(query, values).fetchall())


def _row(record: SubmissionRecord) -> tuple[object, ...]:
    at, day, pack, language, dialect, submission, digest = record
    problem, verdicts, steps, size, memory = submission
    words = " ".join(verdicts)
    return at, day, pack, problem, language, dialect, words, steps, size, memory, digest
