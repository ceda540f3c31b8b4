"""A problem proves itself: its references pass every test and its starter does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from esoplay.grading.grader import DerivedTests, first_failure, grade, grade_examples
from esoplay.grading.problem import Problem
from esoplay.grading.report import GradeReport, TestResult
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.running.worker import Runner


@dataclass(frozen=True, slots=True)
class Cell:
    """One reference of a problem in one language and dialect.

    by_hand: whether somebody wrote it; else it was made from the problem's source.
    steps: on its dearest test.  size: in bytes.
    complaints: what was wrong, in words; empty when the problem has proved itself.
    """

    problem: str
    language: str
    dialect: str
    by_hand: bool
    steps: int
    size: int
    complaints: tuple[str, ...]

    @property
    def solved(self) -> bool:
        return not self.complaints

    def as_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "problem": self.problem,
            "language": self.language,
            "dialect": self.dialect,
            "by_hand": self.by_hand,
            "solved": self.solved,
            "steps": self.steps,
            "size": self.size,
        }
        return data | ({"complaints": list(self.complaints)} if self.complaints else {})


def prove(
    problem: Problem,
    language_id: str,
    reference: bytes,
    *,
    by_hand: bool,
    dialect: str,
    seeds: Sequence[bytes],
    worker: Runner,
    derived: DerivedTests,
) -> Cell:
    """Try a reference on the examples, the practice seed and ``seeds``."""
    reports: dict[str, GradeReport] = {}
    if problem.examples:
        reports["examples"] = grade_examples(
            problem, language_id, reference, dialect=dialect, worker=worker
        )
    for seed in (PRACTICE_SEED,) if problem.fixed else (PRACTICE_SEED, *seeds):
        label = "practice seed" if seed == PRACTICE_SEED else f"seed {seed.hex()}"
        reports[label] = grade(
            *(problem, language_id, reference),
            seed=seed,
            dialect=dialect,
            worker=worker,
            derived=derived,
        )
    complaints = [
        f"the reference fails, {label}: {_first_failure(report)}"
        for label, report in reports.items()
        if not report.solved
    ]
    steps = max(test.steps for report in reports.values() for test in report.tests)
    size = len(reference)
    return Cell(problem.id, language_id, dialect, by_hand, steps, size, tuple(complaints))


def prove_starter(
    problem: Problem, language_id: str, *, dialect: str, worker: Runner, derived: DerivedTests
) -> str | None:
    """What is wrong with the starter, which has to be a program and to fail; else None."""
    failed = first_failure(
        *(problem, language_id, problem.starter(language_id)),
        dialect=dialect,
        worker=worker,
        derived=derived,
    )
    if failed is None:
        return "the starter solves the problem"
    if failed.verdict == "parse_error":
        return f"the starter is no program: {_told(failed)}"
    return None


def _first_failure(report: GradeReport) -> str:
    return _told(next(test for test in report.tests if not test.passed))


def _told(failed: TestResult) -> str:
    message = f" ({failed.detail.message})" if failed.detail and failed.detail.message else ""
    return f"test {failed.index}, {failed.verdict}{message}"
