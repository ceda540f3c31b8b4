"""Verdicts on programs, and the proof that the problems are sound."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from esolangs.errors import EngineError
from esolangs.registry import find_language, language_ids
from esoplay.errors import EXIT_FAILED, EXIT_PASSED, UsageError
from esoplay.grading import grader
from esoplay.grading.grader import Compare, Progress
from esoplay.grading.problem import Problem
from esoplay.grading.proof import Cell, prove
from esoplay.grading.report import GradeReport
from esoplay.grading.seeds import PRACTICE_SEED, random_seed
from esoplay.running.worker import Worker
from esoplay.service.problems import get_pack, get_problem

DIALECTS = ("standard", "benchmark")
RANDOM_SEEDS = 3


def grade_source(
    problem_id: str,
    language_id: str,
    source: bytes,
    *,
    seed: bytes | None = None,
    dialect: str = "standard",
    options: Mapping[str, str | int] | None = None,
    compare: Compare = "exact",
    pack: str | Path | None = None,
    worker: Worker | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> GradeReport:
    """The verdict on ``source`` by the hidden tests of ``seed``, else of the practice seed.

    Without a ``worker`` one is started for this call.  Raises UnknownProblem, and
    UsageError for an unknown language, dialect or option; see ``grading.grader.grade``.
    """
    problem = get_problem(problem_id, pack)
    with _usage_errors(), _worker_or(worker) as chosen:
        return grader.grade(
            problem,
            find_language(language_id).id,
            source,
            seed=PRACTICE_SEED if seed is None else seed,
            dialect=dialect,
            options=options,
            compare=compare,
            worker=chosen,
            progress=progress,
            cancelled=cancelled,
        )


def grade_examples(
    problem_id: str,
    language_id: str,
    source: bytes,
    *,
    dialect: str = "standard",
    options: Mapping[str, str | int] | None = None,
    compare: Compare = "exact",
    pack: str | Path | None = None,
    worker: Worker | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> GradeReport:
    """Like :func:`grade_source`, by the public examples; every detail is in the report."""
    problem = get_problem(problem_id, pack)
    with _usage_errors(), _worker_or(worker) as chosen:
        return grader.grade_examples(
            problem,
            find_language(language_id).id,
            source,
            dialect=dialect,
            options=options,
            compare=compare,
            worker=chosen,
            progress=progress,
            cancelled=cancelled,
        )


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """Cells that have a reference, and ``(problem, language)`` of those that have none."""

    cells: tuple[Cell, ...]
    missing: tuple[tuple[str, str], ...]

    @property
    def solved(self) -> int:
        return sum(cell.solved for cell in self.cells)

    @property
    def total(self) -> int:
        return len(self.cells)

    @property
    def exit_code(self) -> int:
        """0 only if something was proved and nothing was not."""
        return EXIT_PASSED if self.solved == self.total > 0 else EXIT_FAILED

    def as_json(self) -> dict[str, Any]:
        """The object that ``esoplay verify --json`` prints."""
        return {
            "cells": [cell.as_json() for cell in self.cells],
            "solved": self.solved,
            "total": self.total,
        }


def verify(
    language_id: str | None = None,
    problem_id: str | None = None,
    *,
    pack: str | Path | None = None,
    jobs: int = 1,
    progress: Callable[[int, int, Cell], None] | None = None,
) -> VerifyReport:
    """Prove that references pass and starters fail, in both dialects, ``jobs`` at a time.

    Tests come from the practice seed and from random seeds, which are new each time.
    ``progress`` is told, from the calling thread, how many cells are done of how many.
    Raises UnknownProblem, UsageError for an unknown language, and WorkerDied.
    """
    whole = get_pack(pack)
    problems = whole.problems if problem_id is None else (whole.problem(problem_id),)
    with _usage_errors():
        languages = language_ids() if language_id is None else [find_language(language_id).id]
    seeds = [random_seed() for _ in range(RANDOM_SEEDS)]
    tasks: list[tuple[Problem, str, bytes, str]] = []
    missing: list[tuple[str, str]] = []
    for language in languages:
        for problem in problems:
            reference = problem.reference(language)
            if reference is None:
                missing.append((problem.id, language))
            else:
                tasks += [(problem, language, reference, dialect) for dialect in DIALECTS]
    jobs = max(1, min(jobs, len(tasks)))
    with _workers(jobs) as idle:

        def attempt(task: tuple[Problem, str, bytes, str]) -> Cell:
            problem, language, reference, dialect = task
            worker = idle.get()
            try:
                return prove(
                    problem, language, reference, dialect=dialect, seeds=seeds, worker=worker
                )
            finally:
                idle.put(worker)

        cells: list[Cell] = []
        with ThreadPoolExecutor(jobs) as pool:
            for cell in pool.map(attempt, tasks):
                cells.append(cell)
                if progress is not None:
                    progress(len(cells), len(tasks), cell)
    return VerifyReport(tuple(cells), tuple(missing))


@contextmanager
def _workers(count: int) -> Generator[SimpleQueue[Worker]]:
    workers = [Worker() for _ in range(count)]
    idle: SimpleQueue[Worker] = SimpleQueue()
    for worker in workers:
        idle.put(worker)
    try:
        yield idle
    finally:
        for worker in workers:
            worker.close()


@contextmanager
def _worker_or(given: Worker | None) -> Generator[Worker]:
    if given is not None:
        yield given
        return
    with Worker() as worker:
        yield worker


@contextmanager
def _usage_errors() -> Generator[None]:
    """Languages, dialects and options come from the caller, so it is told what is wrong."""
    try:
        yield
    except EngineError as error:
        raise UsageError(str(error)) from None
