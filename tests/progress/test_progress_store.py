"""The file with progress: what it keeps, how an older one gets the newer tables."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from pathlib import Path

import pytest

from esoplay.errors import StoreError
from esoplay.progress.records import (
    NO_PROGRESS,
    PracticeSubmission,
    ProblemStanding,
    SolvedProgramRecord,
    Streak,
)
from esoplay.progress.store import FILE_NAME, ProgressStore

PASS, FAIL = ("pass",) * 6, (*("pass",) * 5, "fault")
OLD = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE submissions (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, pack TEXT NOT NULL, problem TEXT NOT NULL,
    language TEXT NOT NULL, dialect TEXT NOT NULL, verdicts TEXT NOT NULL,
    steps INTEGER NOT NULL, size INTEGER NOT NULL
) STRICT;
INSERT INTO settings VALUES ('view', '"score"');
INSERT INTO submissions VALUES
    (1, '2026-01-05T12:00:00+00:00', 'p', 'E08', 'brainfuck', 'standard',
     'pass pass pass pass pass pass', 300, 40),
    (2, '2026-01-06T12:00:00+00:00', 'p', 'E08', 'brainfuck', 'standard',
     'pass pass pass pass pass pass', 200, 60),
    (3, '2026-01-06T13:00:00+00:00', 'p', 'E02', 'brainfuck', 'standard', 'fault', 1, 2);
PRAGMA user_version = 1;
"""


class Clock:
    """A clock that the test sets."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


NOON = datetime(2026, 1, 7, 12, tzinfo=UTC)


def solve(store: ProgressStore, problem: str, steps: int, size: int, source: bytes = b"+") -> None:
    submission = PracticeSubmission(problem, PASS, steps, size, 7)
    store.save_submission("p", "brainfuck", "standard", submission, source)


def test_a_solution_that_cannot_be_saved_still_counts(tmp_path: Path) -> None:
    store = ProgressStore(tmp_path, Clock(NOON))
    (tmp_path / "solutions").write_bytes(b"in the way")
    with pytest.raises(StoreError, match="solutions"):
        solve(store, "E08", 300, 40)
    assert store.progress("p", "brainfuck")["E08"].solved
    assert store.streak().current == 1
    store.close()


def test_an_older_file_keeps_all_it_had(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / FILE_NAME)
    db.executescript(OLD)
    db.close()
    store = ProgressStore(tmp_path, Clock(NOON))
    assert store.notices == []
    assert store.setting("view") == "score"
    best = store.progress("p", "brainfuck")["E08"]
    assert (best.tries, best.steps, best.size, best.memory) == (2, 200, 40, None)
    assert (best.steps_at[:10], best.size_at[:10]) == ("2026-01-06", "2026-01-05")
    assert store.progress("p", "brainfuck")["E02"].status == "tried"
    assert store.streak() == Streak(2, 2, False)
    solve(store, "E08", 100, 90)
    assert store.streak() == Streak(3, 3, True)
    assert [each.digest is None for each in store.own_solutions("p", "brainfuck", "E08")] == [
        True,
        True,
        False,
    ]


def test_results_added_by_an_older_version_are_included(tmp_path: Path) -> None:
    store = ProgressStore(tmp_path, Clock(NOON))
    solve(store, "E08", 100, 10)
    store.close()
    db = sqlite3.connect(tmp_path / FILE_NAME)
    db.execute(
        "INSERT INTO submissions (at, pack, problem, language, dialect, verdicts, steps, size)"
        " VALUES ('2026-01-08T12:00:00+00:00', 'p', 'E08', 'brainfuck', 'standard', 'pass', 50, 20)"
    )
    db.commit()
    db.close()
    store = ProgressStore(tmp_path, Clock(NOON + timedelta(days=1)))
    assert store.standing("p", "brainfuck", "E08")[:6] == (2, 6, 1, True, 50, 10)
    assert store.streak() == Streak(2, 2, True)


def test_cells_are_what_the_history_says(tmp_path: Path) -> None:
    store = ProgressStore(tmp_path, Clock(NOON))
    for number in range(40):
        verdicts = PASS if number % 3 else FAIL
        submission = PracticeSubmission(
            f"E0{number % 4}", verdicts, 900 - number, number * 7 % 50, 5
        )
        store.save_submission("p", ("brainfuck", "unlambda")[number % 2], "standard", submission)
    for language in ("brainfuck", "unlambda"):
        cells: dict[str, ProblemStanding] = {}
        for record in store.records():
            if record.language == language:
                id = record.submission.problem
                cells[id] = cells.get(id, NO_PROGRESS).with_submission(record.submission, record.at)
        assert store.progress("p", language) == cells
        assert ProgressStore(tmp_path).progress("p", language) == cells
    assert store.standing("p", "brainfuck", "E09") == NO_PROGRESS


def test_a_day_is_a_local_date_at_the_time_of_solving(tmp_path: Path) -> None:
    east = timezone(timedelta(hours=9))
    clock = Clock(datetime(2026, 1, 7, 0, 30, tzinfo=east))  # still the 6th in UTC
    store = ProgressStore(tmp_path, clock)
    solve(store, "E08", 1, 1)
    clock.now += timedelta(days=1)
    solve(store, "E08", 1, 1)
    assert [record.day for record in store.records()] == ["2026-01-07", "2026-01-08"]
    assert store.records()[0].at == "2026-01-06T15:30:00+00:00"
    clock.now += timedelta(hours=23)  # the same date is not over yet, and then a day without
    assert store.streak() == Streak(2, 2, True)
    clock.now += timedelta(hours=1)
    assert store.streak() == Streak(2, 2, False)
    clock.now += timedelta(days=1)
    assert store.streak() == Streak(0, 2, False)


def test_a_failed_submission_does_not_extend_the_streak(tmp_path: Path) -> None:
    store = ProgressStore(tmp_path, Clock(NOON))
    store.save_submission("p", "brainfuck", "standard", PracticeSubmission("E08", FAIL, 1, 1), b"+")
    assert store.streak() == Streak()
    assert list(tmp_path.glob("solutions/*")) == []


def test_programs_that_solved_a_problem_remain_when_the_editor_changes(tmp_path: Path) -> None:
    store = ProgressStore(tmp_path, Clock(NOON))
    for source in (b"\xff\r\n+", b"-", b"\xff\r\n+"):
        solve(store, "E08", 5, len(source), source)
    digests = [each.digest for each in store.own_solutions("p", "brainfuck", "E08")]
    assert digests == [sha256(source).hexdigest() for source in (b"\xff\r\n+", b"-", b"\xff\r\n+")]
    assert store.files.read(digests[0]) == b"\xff\r\n+"
    assert len(list(tmp_path.glob("solutions/*"))) == 2
    store.files.path(str(digests[1])).write_bytes(b"other")
    assert store.files.read(digests[1]) is None
    solve(store, "E08", 5, 1, b"-")
    assert store.files.read(digests[1]) == b"-"


def test_a_write_that_fails_halfway_leaves_nothing(tmp_path: Path) -> None:
    store = ProgressStore(tmp_path, Clock(NOON))
    solve(store, "E08", 5, 5)
    good = store.records()[0]
    broken = good._replace(submission=good.submission._replace(steps="many"))  # type: ignore[arg-type]
    with pytest.raises(Exception, match="cannot write"):
        store.add([good, broken])
    assert len(store.records()) == 1
    assert store.standing("p", "brainfuck", "E08").tries == 1


def test_solutions_of_others_are_saved_once(tmp_path: Path) -> None:
    store = ProgressStore(tmp_path)
    for solver in ("ada", "bob", "ada"):
        store.add_imported_solution(
            "p", "E08", "brainfuck", "d" * 64, SolvedProgramRecord(1, 2, 3, solver)
        )
    found = store.imported_solutions("p", "brainfuck", "E08")
    assert sorted(each.solver for each in found) == ["ada", "bob"]
