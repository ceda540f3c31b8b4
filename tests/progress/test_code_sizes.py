"""Sizes of stored solutions follow the current rules, or are unknown."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from esoplay.progress.code_sizes import CodeSizes
from esoplay.progress.records import NO_PROGRESS, PracticeSubmission, SolvedProgramRecord, rank
from esoplay.progress.store import ProgressStore, SubmissionRecord

PASS, FAIL = ("pass",) * 6, ("fault",)
PROGRAM = b"a long comment that counted once ,[.,]"
CODE = 5
CELL = "p", "brainfuck", "E02"


def at(day: int) -> str:
    return datetime(2026, 1, day, 12, tzinfo=UTC).isoformat()


def opened(tmp_path: Path, today: int) -> ProgressStore:
    return ProgressStore(tmp_path, lambda: datetime(2026, 1, today, 12, tzinfo=UTC))


def add(
    store: ProgressStore, day: int, size: int, source: bytes | None, *, ok: bool = True
) -> None:
    digest = None if source is None else store.files.save(source)
    submission = PracticeSubmission("E02", PASS if ok else FAIL, 10, size, 7)
    store.add(
        [SubmissionRecord(at(day), at(day)[:10], "p", "brainfuck", "standard", submission, digest)]
    )


def test_sizes_of_earlier_versions_are_counted_again(tmp_path: Path) -> None:
    store = opened(tmp_path, 9)
    add(store, 1, 3, None)  # its program was not saved
    add(store, 2, len(PROGRAM), PROGRAM)
    sizes = CodeSizes(store)
    assert [each.size for each in sizes.solutions(*CELL)] == [None, CODE]
    stored = store.standing(*CELL)
    shown = sizes.standing(*CELL, stored)
    assert (shown.size, shown.size_at) == (CODE, at(2))
    assert shown.latest is not None
    assert shown.latest.size == CODE
    assert sizes.is_latest_known(*CELL, shown)
    assert store.standing(*CELL) == stored  # what was exported can still be merged


def test_the_size_of_an_earlier_submission_that_failed_is_unknown(tmp_path: Path) -> None:
    store = opened(tmp_path, 9)
    add(store, 1, 40, None, ok=False)
    sizes = CodeSizes(store)
    assert not sizes.is_latest_known(*CELL, store.standing(*CELL))
    sizes.save_rules_start()
    add(store, 9, 40, None, ok=False)
    assert sizes.is_latest_known(*CELL, store.standing(*CELL))
    later = CodeSizes(opened(tmp_path, 20))
    assert later.is_current(at(9))
    assert not later.is_current(at(8))


def test_solutions_of_others_are_counted_again(tmp_path: Path) -> None:
    store = opened(tmp_path, 9)
    digest = store.files.save(PROGRAM)
    store.add_imported_solution(
        "p", "E02", "brainfuck", digest, SolvedProgramRecord(1, 99, 3, "known")
    )
    gone = sha256(b"gone").hexdigest()
    store.add_imported_solution("p", "E02", "brainfuck", gone, SolvedProgramRecord(1, 2, 3, "gone"))
    assert CodeSizes(store).imported_solutions(*CELL) == (
        [SolvedProgramRecord(1, CODE, 3, "known")],
        1,
    )


def test_an_unknown_size_is_never_ranked_as_the_least(tmp_path: Path) -> None:
    store = opened(tmp_path, 9)
    add(store, 1, 3, None)
    add(store, 2, len(PROGRAM), PROGRAM)
    ranked = rank(CodeSizes(store).solutions(*CELL), "size")
    assert [(each.solution.size, each.has_least_size) for each in ranked] == [
        (CODE, True),
        (None, False),
    ]
    assert CodeSizes(store).standing(*CELL, NO_PROGRESS) == NO_PROGRESS
