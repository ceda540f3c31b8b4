"""Grading in the background: a thread that drives a process, and both end when told to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import Literal

from esoplay.grading.report import GradeReport

Kind = Literal["examples", "hidden tests"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is to be graded, by which tests."""

    kind: Kind
    problem_id: str
    language_id: str
    source: bytes
    dialect: str = "standard"

    @property
    def title(self) -> str:
        return f"{self.problem_id} {self.kind}"


class GradingJob:
    """One attempt being graded; :meth:`run` belongs into a thread."""

    def __init__(self, attempt: Attempt, progress: Callable[[int, int], None]) -> None:
        self.attempt = attempt
        self._progress = progress
        self._cancelled = Event()

    def cancel(self) -> None:
        """Stop as soon as possible, also in the middle of a program's endless loop."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    def run(self) -> GradeReport | None:
        """The report, the same as ``esoplay grade`` gives; None when cancelled.

        Raises EsoplayError when grading itself failed (never the program's doing).
        """
        from esoplay.service import grading  # late: it brings multiprocessing with it

        attempt = self.attempt
        grade = grading.grade_examples if attempt.kind == "examples" else grading.grade_source
        try:
            return grade(
                attempt.problem_id,
                attempt.language_id,
                attempt.source,
                dialect=attempt.dialect,
                progress=self._progress,
                cancelled=self._cancelled.is_set,
            )
        except Exception:
            if self.cancelled:
                return None
            raise
