"""Small tables made of the history of submissions: the best of each cell, the days with a solution.

They are brought up to date by the submissions that are new, so that opening a long history costs no
more than opening a short one.
"""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime
from typing import Any

from esoplay.service.progress import NOTHING_YET, Progress, Submission

FOLDED = "progress folded"
"""The setting that says up to which submission the small tables are made."""

CELL = (
    "tries, passed, total, solved, steps, size, memory, latest_verdicts, latest_steps,"
    " latest_size, latest_memory, latest_at, solved_at, steps_at, size_at"
)
"""The columns of a cell."""
_CELL_FIELDS = CELL.count(",") + 1


def put_setting(db: sqlite3.Connection, name: str, value: object) -> None:
    """Store a setting, in the transaction under way."""
    db.execute(
        "INSERT INTO settings VALUES (?, ?)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, json.dumps(value)),
    )


def is_folded(db: sqlite3.Connection) -> bool:
    """Whether the small tables hold every submission."""
    folded = db.execute("SELECT value FROM settings WHERE name = ?", (FOLDED,)).fetchone()
    last = db.execute("SELECT MAX(number) FROM submissions").fetchone()[0] or 0
    return not last or (folded is not None and folded[0] == json.dumps(last))


def fold(db: sqlite3.Connection) -> None:
    """Bring cells and days up to date, in the transaction under way."""
    row = db.execute("SELECT value FROM settings WHERE name = ?", (FOLDED,)).fetchone()
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
        known = cells.get(key) or read_cell(db, *key)
        cells[key] = known.after(submission, at)
        if submission.solved:
            days.add(day or local_day(at))
        upto = number
    marks = ", ".join("?" * (_CELL_FIELDS + 3))
    db.executemany(
        f"INSERT OR REPLACE INTO cells (pack, language, problem, {CELL}) VALUES ({marks})",
        [(*key, *_columns(cell)) for key, cell in cells.items()],
    )
    db.executemany("INSERT OR IGNORE INTO days VALUES (?)", [(day,) for day in days])
    put_setting(db, FOLDED, upto)


def local_day(at: str) -> str:
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


def read_cell(db: sqlite3.Connection, pack: str, language: str, problem: str) -> Progress:
    row = db.execute(
        f"SELECT {CELL} FROM cells WHERE pack = ? AND language = ? AND problem = ?",
        (pack, language, problem),
    ).fetchone()
    return NOTHING_YET if row is None else progress_of(problem, row)


def progress_of(problem: str, row: Any) -> Progress:
    tries, passed, total, solved, steps, size, memory, verdicts, *rest = row
    latest = Submission(problem, tuple(verdicts.split()), *rest[:3])
    return Progress(tries, passed, total, bool(solved), steps, size, memory, latest, *rest[3:])
