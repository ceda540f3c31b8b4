"""A problem proves itself: its reference passes every test and its starter does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from esoplay.grading.grader import grade, grade_examples
from esoplay.grading.problem import Problem
from esoplay.grading.report import GradeReport
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.running.worker import Worker


@dataclass(frozen=True, slots=True)
class Cell:
    """One problem in one language and dialect.

    steps: of the reference on its dearest test.  size: of the reference in bytes.
    complaints: what was wrong, in words; empty when the problem has proved itself.
    """

    problem: str
    language: str
    dialect: str
    steps: int
    size: int
    complaints: tuple[str, ...]

    @property
    def solved(self) -> bool:
        return not self.complaints

    def as_json(self) -> dict[str, Any]:
        return {
            "problem": self.problem,
            "language": self.language,
            "dialect": self.dialect,
            "solved": self.solved,
            "steps": self.steps,
            "size": self.size,
        }


def prove(
    problem: Problem,
    language_id: str,
    reference: bytes,
    *,
    dialect: str,
    seeds: Sequence[bytes],
    worker: Worker,
) -> Cell:
    """Try the reference on the examples, the practice seed and ``seeds``, and the starter."""
    reports = {
        "examples": grade_examples(problem, language_id, reference, dialect=dialect, worker=worker)
    }
    for seed in (PRACTICE_SEED, *seeds):
        label = "practice seed" if seed == PRACTICE_SEED else f"seed {seed.hex()}"
        reports[label] = grade(
            problem, language_id, reference, seed=seed, dialect=dialect, worker=worker
        )
    complaints = [
        f"the reference fails, {label}: {_first_failure(report)}"
        for label, report in reports.items()
        if not report.solved
    ]
    starter = problem.starter(language_id)
    attempt = grade(
        problem, language_id, starter, seed=PRACTICE_SEED, dialect=dialect, worker=worker
    )
    if attempt.solved:
        complaints.append("the starter solves the problem")
    elif any(test.verdict == "parse_error" for test in attempt.tests):
        complaints.append(f"the starter is no program: {_first_failure(attempt)}")
    steps = max(test.steps for report in reports.values() for test in report.tests)
    return Cell(problem.id, language_id, dialect, steps, len(reference), tuple(complaints))


def _first_failure(report: GradeReport) -> str:
    failed = next(test for test in report.tests if not test.passed)
    message = f" ({failed.detail.message})" if failed.detail and failed.detail.message else ""
    return f"test {failed.index}, {failed.verdict}{message}"
