"""The proof that problems are sound: references, starters, and mistakes that tests must catch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from esolangs.errors import EngineError
from esolangs.registry import find_language, language_ids
from esoplay.errors import EXIT_FAILED, EXIT_PASSED, UsageError, WorkerDied
from esoplay.grading.mistakes import Escape, escapes, load_mistakes
from esoplay.grading.problem import Problem
from esoplay.grading.proof import Cell, prove, prove_starter
from esoplay.grading.seeds import random_seed
from esoplay.service.problems import get_pack
from esoplay.sessions.workers import Workers

DIALECTS = ("standard", "benchmark")
RANDOM_SEEDS = 3
MISTAKE_SEEDS = 1000
"""Seeds under each of which every mistake must be caught."""

_CHUNK = 250  # seeds that one process checks before it takes up something else

Progress = Callable[[int, int, str], None]
"""Told how many checks are done, of how many, and which was the last."""


class StarterFault(NamedTuple):
    """A starter that is no program, or that solves its problem."""

    problem: str
    language: str
    dialect: str
    complaint: str


class MistakeEscape(NamedTuple):
    """A mistake of a problem that the tests of a seed let pass."""

    problem: str
    mistake: str
    seed: bytes


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What was proved, and what was not.

    cells: those that have a reference.  missing: ``(problem, language)`` of those that have none.
    starters: how many were tried where there is no reference; with one, they are in its cell.
    mistakes: how many were tried under each of ``MISTAKE_SEEDS`` seeds, in ``checked`` problems.
    """

    cells: tuple[Cell, ...]
    missing: tuple[tuple[str, str], ...]
    starters: int
    starter_faults: tuple[StarterFault, ...]
    checked: int
    mistakes: int
    escapes: tuple[MistakeEscape, ...]

    @property
    def solved(self) -> int:
        return sum(cell.solved for cell in self.cells)

    @property
    def total(self) -> int:
        return len(self.cells)

    @property
    def exit_code(self) -> int:
        """0 only if something was proved and nothing was not."""
        clean = not self.starter_faults and not self.escapes
        return EXIT_PASSED if clean and self.solved == self.total > 0 else EXIT_FAILED

    def missing_by_language(self) -> dict[str, list[str]]:
        """The problems that lack a reference, by language."""
        found: dict[str, list[str]] = {}
        for problem, language in self.missing:
            found.setdefault(language, []).append(problem)
        return found

    def as_json(self) -> dict[str, Any]:
        """The object that ``esoplay verify --json`` prints."""
        return {
            "cells": [cell.as_json() for cell in self.cells],
            "solved": self.solved,
            "total": self.total,
            "missing": self.missing_by_language(),
            "starters": {
                "checked": self.starters,
                "faults": [fault._asdict() for fault in self.starter_faults],
            },
            "mistakes": {
                "problems": self.checked,
                "mistakes": self.mistakes,
                "seeds": MISTAKE_SEEDS,
                "escapes": [
                    {**escape._asdict(), "seed": escape.seed.hex()} for escape in self.escapes
                ],
            },
        }


def verify(
    language_id: str | None = None,
    problem_id: str | None = None,
    *,
    pack: str | Path | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> VerifyReport:
    """Prove that references pass, starters fail and mistakes are caught, ``jobs`` at a time.

    Programs are tried in both dialects.  References meet the practice tests and those of random
    seeds, which are new each time; mistakes meet the same 1,000 seeds each time.  ``progress`` is
    called from the calling thread.  Raises UnknownProblem, UsageError for an unknown language,
    PackError for a broken judge, and WorkerDied.
    """
    whole = get_pack(pack)
    problems = whole.problems if problem_id is None else (whole.problem(problem_id),)
    try:
        languages = language_ids() if language_id is None else [find_language(language_id).id]
    except EngineError as error:
        raise UsageError(str(error)) from None
    tasks = [
        _Task(problem, language, problem.reference(language), dialect)
        for language in languages
        for problem in problems
        for dialect in DIALECTS
    ]
    wrong = {problem.id: len(load_mistakes(problem)) for problem in problems}
    seeds = [number.to_bytes(32) for number in range(MISTAKE_SEEDS)]
    checks = [
        (problem, seeds[start : start + _CHUNK])
        for problem in problems
        if wrong[problem.id]
        for start in range(0, MISTAKE_SEEDS, _CHUNK)
    ]
    tell = _Teller(progress, len(tasks) + len(checks))
    cells: list[Cell] = []
    faults: list[StarterFault] = []
    for task, result in _try_all(tasks, jobs):
        tell(f"{task.problem.id} {task.language} {task.dialect}")
        if isinstance(result, Cell):
            cells.append(result)
        elif result is not None:
            faults.append(StarterFault(task.problem.id, task.language, task.dialect, result))
    first: dict[tuple[str, str], MistakeEscape] = {}
    for problem, found in _check_all(checks, jobs):
        tell(f"{problem.id} mistakes")
        for escape in found:
            key = (problem.id, escape.mistake)
            first.setdefault(key, MistakeEscape(problem.id, escape.mistake, escape.seed))
    bare = [task for task in tasks if task.reference is None]
    return VerifyReport(
        tuple(cells),
        tuple((task.problem.id, task.language) for task in bare if task.dialect == DIALECTS[0]),
        len(bare),
        tuple(faults),
        sum(count > 0 for count in wrong.values()),
        sum(wrong.values()),
        tuple(first.values()),
    )


class _Task(NamedTuple):
    problem: Problem
    language: str
    reference: bytes | None
    dialect: str


class _Teller:
    def __init__(self, progress: Progress | None, total: int):
        self._progress, self._total, self._done = progress, total, 0

    def __call__(self, label: str) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total, label)


def _try_all(tasks: list[_Task], jobs: int) -> Iterator[tuple[_Task, Cell | str | None]]:
    """For each task its cell or, where there is no reference, what is wrong with its starter."""
    seeds = [random_seed() for _ in range(RANDOM_SEEDS)]
    jobs = max(1, min(jobs, len(tasks)))
    with closing(Workers(jobs)) as workers, ThreadPoolExecutor(jobs) as pool:

        def attempt(task: _Task) -> Cell | str | None:
            problem, language, reference, dialect = task
            with workers.lend() as worker:
                if reference is None:
                    return prove_starter(problem, language, dialect=dialect, worker=worker)
                return prove(
                    problem, language, reference, dialect=dialect, seeds=seeds, worker=worker
                )

        yield from zip(tasks, pool.map(attempt, tasks), strict=True)


def _check_all(
    checks: list[tuple[Problem, list[bytes]]], jobs: int
) -> Iterator[tuple[Problem, list[Escape]]]:
    """The escapes of each check, in their order; threads do not make pure Python faster."""
    problems = [problem for problem, _ in checks]
    jobs = min(jobs, len(set(problems)))
    if jobs < 2:
        yield from zip(problems, map(_check, checks), strict=True)
        return
    try:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            yield from zip(problems, pool.map(_check, checks), strict=True)
    except BrokenProcessPool as error:
        raise WorkerDied("a process that tried mistakes vanished") from error


def _check(check: tuple[Problem, list[bytes]]) -> list[Escape]:
    problem, seeds = check
    return escapes(problem, seeds)
