"""A small pack and a grader that needs no engine: the first byte of a program says how it does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from esoplay.benchmark.sessions import Sessions
from esoplay.grading.problem import Example, Pack, PackName, Problem
from esoplay.grading.report import GradeReport, TestDetail, TestResult, Verdict
from esoplay.sessions.store import EventStore
from esoplay.sessions.vault import Vault

HIDDEN = b"the hidden input"
EXPECTED = b"the expected output"
TESTS = 6

SOLVING = b"6 passes all"
FAILING = b"2 passes two"


def fake_pack(count: int = 3) -> Pack:
    name = PackName("fake", "7")
    problems = tuple(
        Problem(
            pack=name,
            id=f"E{number:02}",
            title=f"Title {number}",
            tier="easy",
            category="basic I/O",
            statement=f"Statement {number}.",
            examples=(Example(b"in", b"out"),),
            hints=("one", "two", "three"),
            classes=(),
            ranges=(),
            folder=Path("nowhere"),
        )
        for number in range(1, count + 1)
    )
    return Pack(name.id, name.version, "Fake", ("easy",), ("basic I/O",), problems)


def fake_grade(
    problem: Problem, language_id: str, source: bytes, *, dialect: str, **_: Any
) -> GradeReport:
    """Pass as many tests as the program's first digit says, and report too much about each."""
    passing = int(source[:1])

    def verdict(index: int) -> Verdict:
        return "pass" if index <= passing else "wrong_answer"

    tests = tuple(
        TestResult(index, "a class", verdict(index), 42, 1, TestDetail(HIDDEN, EXPECTED, b"got"))
        for index in range(1, TESTS + 1)
    )
    return GradeReport(problem.id, language_id, dialect, tests, "a commitment")


def open_sessions(
    folder: Path, grade: Callable[..., GradeReport] = fake_grade, workers: Any = None
) -> Sessions:
    """Sessions in a folder of their own, with a clock that ticks once an event."""
    ticks = iter(range(1, 1_000_000))
    return Sessions(
        EventStore(folder / "store.sqlite", clock=lambda: float(next(ticks))),
        vault=Vault(folder / "vault"),
        pack=fake_pack(),
        grade=grade,
        workers=workers,
    )
