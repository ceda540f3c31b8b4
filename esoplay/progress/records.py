"""Progress of practice: the results in each cell (a problem in a language).

:mod:`esoplay.progress.store` saves these values. Times are strings in ISO 8601 and UTC, which sort
by time; days are local dates, as strings.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Literal, NamedTuple

from esoplay.grading.problem import Pack, Problem

Status = Literal["untried", "tried", "solved"]
Figure = Literal["steps", "size"]


class PracticeSubmission(NamedTuple):
    """One practice submission.

    steps: total of all tests. size: bytes of code, without comments. memory: the maximum of all
    tests, in bytes of the language's cost model; None in old records.
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


class SolvedProgramRecord(NamedTuple):
    """A program that passed all practice tests; for its figures see :class:`PracticeSubmission`.

    solver: author of the program; empty for the user.
    """

    steps: int
    size: int
    memory: int | None
    solver: str = ""


class ProblemStanding(NamedTuple):
    """The progress on one problem in one language.

    passed: the maximum number of tests that one submission passed. total: the number of tests of
    the latest submission. steps, size, memory: the minimum over all solutions. latest_at: time of
    the latest submission. solved_at: time of the first solution. steps_at, size_at: when the
    minimum was first reached. Unknown times are empty.
    """

    tries: int = 0
    passed: int = 0
    total: int = 0
    solved: bool = False
    steps: int | None = None
    size: int | None = None
    memory: int | None = None
    latest: PracticeSubmission | None = None
    latest_at: str = ""
    solved_at: str = ""
    steps_at: str = ""
    size_at: str = ""

    @property
    def status(self) -> Status:
        return "solved" if self.solved else "tried" if self.tries else "untried"

    def with_submission(
        self, submission: PracticeSubmission, submitted_at: str = ""
    ) -> ProblemStanding:
        """Return this progress with one more submission, which may be older than the others.

        Only a submission that solved the problem can change ``steps``, ``size`` and ``memory``.
        submitted_at: time in UTC, in ISO 8601.
        """
        newest = self.latest is None or submitted_at >= self.latest_at
        more = self._replace(
            tries=self.tries + 1,
            passed=max(self.passed, submission.passed),
            total=len(submission.verdicts) if newest else self.total,
            latest=submission if newest else self.latest,
            latest_at=submitted_at if newest else self.latest_at,
        )
        if not submission.solved:
            return more
        steps, steps_at = _lower_figure(self.steps, self.steps_at, submission.steps, submitted_at)
        size, size_at = _lower_figure(self.size, self.size_at, submission.size, submitted_at)
        return more._replace(
            solved=True,
            steps=steps,
            size=size,
            memory=_least(self.memory, submission.memory),
            solved_at=min(self.solved_at, submitted_at) if self.solved else submitted_at,
            steps_at=steps_at,
            size_at=size_at,
        )


NO_PROGRESS = ProblemStanding()

Standings = Mapping[str, Mapping[str, ProblemStanding]]
"""Progress by language and then by problem; problems never tried are left out."""


def _lower_figure(old: int | None, old_at: str, new: int, at: str) -> tuple[int, str]:
    """Return the lower of two figures, and the time at which it was first reached."""
    if old is None or new < old:
        return new, at
    return old, min(old_at, at) if new == old else old_at


def _least(old: int | None, new: int | None) -> int | None:
    """Return the smaller number; None stands for an unknown one."""
    known = [each for each in (old, new) if each is not None]
    return min(known) if known else None


# Streaks.


class Streak(NamedTuple):
    """Consecutive days on which a problem was solved.

    current: number of days up to today, or up to yesterday if nothing was solved yet today; 0 if
    nothing was solved on either day. longest: number of days of the longest streak.
    today: whether something was solved today.
    """

    current: int = 0
    longest: int = 0
    today: bool = False

    def describe(self) -> str:
        """Return the current and the longest streak in words; empty if nothing was solved yet."""
        if not self.longest:
            return ""
        if not self.current:
            return f"longest streak {_days(self.longest)}"
        state = "" if self.today else ", nothing solved yet today"
        longest = "" if self.current == self.longest else f" (longest {_days(self.longest)})"
        return f"{self.describe_current()}{state}{longest}"

    def describe_current(self) -> str:
        """Return the length of the current streak in words, or an empty string."""
        return f"{_days(self.current)} in a row" if self.current else ""


def _days(count: int) -> str:
    return f"{count} day{'' if count == 1 else 's'}"


def compute_streak(days: Iterable[str], today: date) -> Streak:
    """Return the streak of these days; days after today (if the clock was reset) count as today."""
    known = sorted({min(date.fromisoformat(day), today) for day in days})
    longest = run = 0
    before: date | None = None
    for day in known:
        run = run + 1 if before is not None and day - before == timedelta(days=1) else 1
        longest, before = max(longest, run), day
    alive = before is not None and (today - before).days <= 1
    return Streak(run if alive else 0, longest, before == today)


# The user's solutions of a cell.


class OwnSolution(NamedTuple):
    """A submission that solved its problem.

    at: time in UTC, in ISO 8601. size: None if it is unknown by the current rules. digest: the
    SHA-256 of the program in hexadecimal; None if the program was not saved.
    """

    at: str
    dialect: str
    steps: int
    size: int | None
    memory: int | None
    digest: str | None


class RankedSolution(NamedTuple):
    """A solution in a ranking. is_on_front: whether it is Pareto-optimal in steps and size."""

    solution: OwnSolution
    is_on_front: bool
    has_least_steps: bool
    has_least_size: bool


def rank(solutions: Sequence[OwnSolution], by: Figure = "steps") -> list[RankedSolution]:
    """Return the first submission of each distinct program, sorted by ``by``, least first."""
    programs: dict[object, OwnSolution] = {}
    for each in solutions:
        key = each.digest or (each.dialect, each.steps, each.size)
        if key not in programs or each.at < programs[key].at:
            programs[key] = each
    own = list(programs.values())
    if not own:
        return []
    steps = min(each.steps for each in own)
    size = min((each.size for each in own if each.size is not None), default=-1)
    front = _pareto_front(own)
    if by == "steps":
        own.sort(key=lambda each: (each.steps, _size_sort_key(each.size), each.at))
    else:
        own.sort(key=lambda each: (_size_sort_key(each.size), each.steps, each.at))
    return [
        RankedSolution(
            each, (each.steps, each.size) in front, each.steps == steps, each.size == size
        )
        for each in own
    ]


def _size_sort_key(size: int | None) -> tuple[bool, int]:
    return size is None, size or 0


def _pareto_front(solutions: Iterable[OwnSolution]) -> set[tuple[int, int]]:
    """Return the pairs of steps and known size that no other pair dominates."""
    front: set[tuple[int, int]] = set()
    least = None
    pairs = {(each.steps, each.size) for each in solutions if each.size is not None}
    for pair in sorted(pairs):
        if least is None or pair[1] < least:
            front.add(pair)
            least = pair[1]
    return front


# All cells.


class TierCount(NamedTuple):
    """Numbers of a tier's problems by status in one language. tried: tried but not solved."""

    solved: int = 0
    tried: int = 0
    total: int = 0


def count(problems: Iterable[Problem], progress: Mapping[str, ProblemStanding]) -> TierCount:
    """Return the numbers of solved problems, of tried but unsolved problems, and of all."""
    states = [progress.get(problem.id, NO_PROGRESS).status for problem in problems]
    return TierCount(states.count("solved"), states.count("tried"), len(states))


def problems_by_tier(pack: Pack) -> Iterator[tuple[str, tuple[Problem, ...]]]:
    """Yield each tier that has problems, in the pack's order, with its problems."""
    for tier in pack.tiers:
        problems = tuple(problem for problem in pack if problem.tier == tier)
        if problems:
            yield tier, problems


def next_unsolved(
    pack: Pack, progress: Mapping[str, ProblemStanding], problem: Problem | None
) -> Problem | None:
    """Return the next unsolved problem in the pack, continuing at its start; None if all solved."""
    problems = list(pack)
    ids = [each.id for each in problems]
    here = ids.index(problem.id) + 1 if problem is not None and problem.id in ids else 0
    for each in problems[here:] + problems[:here]:
        if not progress.get(each.id, NO_PROGRESS).solved:
            return each
    return None


def progress_as_json(pack: Pack, standings: Standings, streak: Streak) -> dict[str, Any]:
    """Return all progress as plain data; see ``docs/progress.md``."""
    return {
        "pack": {"id": pack.id, "version": pack.version},
        "streak": streak._asdict(),
        "tiers": {
            tier: {id: count(problems, known)._asdict() for id, known in standings.items()}
            for tier, problems in problems_by_tier(pack)
        },
        "cells": [
            _cell(problem, id, known[problem.id])
            for id, known in standings.items()
            for problem in pack
            if problem.id in known
        ],
    }


def _cell(problem: Problem, language_id: str, standing: ProblemStanding) -> dict[str, Any]:
    return {
        "problem": problem.id,
        "language": language_id,
        "status": standing.status,
        "tries": standing.tries,
        "passed": standing.passed,
        "total": standing.total,
        "latest_at": standing.latest_at,
        "solved_at": standing.solved_at or None,
        "steps": standing.steps,
        "steps_at": standing.steps_at or None,
        "size": standing.size,
        "size_at": standing.size_at or None,
        "memory": standing.memory,
    }


# Summary tables of the history of submissions: the best of each cell, the days with a solution.
# Only new submissions are added to them, so that opening a long history takes no longer than
# opening a short one.

SUMMARIZED_SETTING = "progress folded"
"""Name of the setting that stores the number of the last submission in the summary tables."""

CELL_COLUMNS = (
    "tries, passed, total, solved, steps, size, memory, latest_verdicts, latest_steps,"
    " latest_size, latest_memory, latest_at, solved_at, steps_at, size_at"
)
"""The columns of the table ``cells`` without its key, in the order of ``ProblemStanding``."""
_CELL_COLUMN_COUNT = CELL_COLUMNS.count(",") + 1


def put_setting(db: sqlite3.Connection, name: str, value: object) -> None:
    """Store a setting in the current transaction."""
    db.execute(
        "INSERT INTO settings VALUES (?, ?)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, json.dumps(value)),
    )


def has_current_summaries(db: sqlite3.Connection) -> bool:
    """Return whether the summary tables include every submission."""
    folded = db.execute(
        "SELECT value FROM settings WHERE name = ?", (SUMMARIZED_SETTING,)
    ).fetchone()
    last = db.execute("SELECT MAX(number) FROM submissions").fetchone()[0] or 0
    return not last or (folded is not None and folded[0] == json.dumps(last))


def update_summary_tables(db: sqlite3.Connection) -> None:
    """Add new submissions to the summary tables in the current transaction."""
    row = db.execute("SELECT value FROM settings WHERE name = ?", (SUMMARIZED_SETTING,)).fetchone()
    upto = int(row[0]) if row is not None and row[0].isdecimal() else 0
    if not upto:  # existing rows are of unknown origin
        db.execute("DELETE FROM cells")
        db.execute("DELETE FROM days")
    cells: dict[tuple[str, str, str], ProblemStanding] = {}
    days: set[str] = set()
    rows = db.execute(
        "SELECT number, at, day, pack, language, problem, verdicts, steps, size, memory"
        " FROM submissions WHERE number > ? ORDER BY number",
        (upto,),
    ).fetchall()
    for number, at, day, pack, language, problem, verdicts, steps, size, memory in rows:
        submission = PracticeSubmission(problem, tuple(verdicts.split()), steps, size, memory)
        key = pack, language, problem
        known = cells.get(key) or read_standing(db, *key)
        cells[key] = known.with_submission(submission, at)
        if submission.solved:
            days.add(day or local_day(at))
        upto = number
    marks = ", ".join("?" * (_CELL_COLUMN_COUNT + 3))
    db.executemany(
        f"INSERT OR REPLACE INTO cells (pack, language, problem, {CELL_COLUMNS}) VALUES ({marks})",
        [(*key, *_cell_values(cell)) for key, cell in cells.items()],
    )
    db.executemany("INSERT OR IGNORE INTO days VALUES (?)", [(day,) for day in days])
    put_setting(db, SUMMARIZED_SETTING, upto)


def local_day(utc_time: str) -> str:
    """Return the local date of a time in ISO 8601, for old rows without a saved date."""
    return datetime.fromisoformat(utc_time).astimezone().date().isoformat()


def _cell_values(standing: ProblemStanding) -> tuple[object, ...]:
    latest = standing.latest
    assert latest is not None
    return (
        *standing[:7],
        " ".join(latest.verdicts),
        latest.steps,
        latest.size,
        latest.memory,
        *standing[8:],
    )


def read_standing(
    db: sqlite3.Connection, pack: str, language: str, problem: str
) -> ProblemStanding:
    row = db.execute(
        f"SELECT {CELL_COLUMNS} FROM cells WHERE pack = ? AND language = ? AND problem = ?",
        (pack, language, problem),
    ).fetchone()
    return NO_PROGRESS if row is None else make_standing(problem, row)


def make_standing(problem: str, row: Any) -> ProblemStanding:
    tries, passed, total, solved, steps, size, memory, verdicts, *rest = row
    latest = PracticeSubmission(problem, tuple(verdicts.split()), *rest[:3])
    return ProblemStanding(
        tries, passed, total, bool(solved), steps, size, memory, latest, *rest[3:]
    )
