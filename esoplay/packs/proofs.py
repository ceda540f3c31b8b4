"""The proof of problems: references pass, starters fail, and tests catch mistakes."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from esolangs.errors import EngineError
from esolangs.registry import find_language, language_ids
from esoplay.errors import EXIT_FAILED, EXIT_PASSED, PackError, UsageError, WorkerDied
from esoplay.grading.grader import HiddenTestCache
from esoplay.grading.problem import Problem
from esoplay.grading.proof import (
    EscapedMistake,
    ProofCell,
    find_escaped_mistakes,
    load_mistakes,
    prove,
    prove_starter,
)
from esoplay.grading.seeds import random_seed
from esoplay.packs.catalogue import BUILT_IN, get_pack
from esoplay.packs.references import generated_reference
from esoplay.programs.host_lanes import check_language_id, is_lane, lane_ids
from esoplay.running.host.lanes import find_lane
from esoplay.running.host.toolchain import find_toolchain
from esoplay.running.worker import Runner, runner_for

__all__ = ["MistakeEscape", "StarterFault", "VerifyReport", "verify"]


# The report of ``esoplay verify``.


class StarterFault(NamedTuple):
    """A starter that is not a valid program, or that solves its problem."""

    problem: str
    language: str
    dialect: str
    complaint: str


class MistakeEscape(NamedTuple):
    """A mistake of a problem, and a seed whose tests do not catch it."""

    problem: str
    mistake: str
    seed: bytes


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """The results of proving a pack.

    cells: one cell per dialect for each problem and language with a reference. The reference is the
        program generated from the problem's source or, without a source, the handwritten program.
    by_hand: cells of handwritten programs that exist in addition to a generated program.
    missing: each ``(problem, language)`` without a reference.
    starter_count: number of checks of starters, once per dialect, for each problem and language
        without a reference. If there is a reference, its cell also has the faults of the starter.
    problems_with_mistakes: number of problems with mistakes. mistake_count: number of mistakes,
        each tried under ``seed_count`` seeds.
    unavailable: host lanes that have references but are not installed.
    """

    cells: tuple[ProofCell, ...]
    by_hand: tuple[ProofCell, ...]
    missing: tuple[tuple[str, str], ...]
    starter_count: int
    starter_faults: tuple[StarterFault, ...]
    problems_with_mistakes: int
    mistake_count: int
    seed_count: int
    escapes: tuple[MistakeEscape, ...]
    unavailable: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[ProofCell]:
        """Iterate over all results of references."""
        return chain(self.cells, self.by_hand)

    @property
    def solved(self) -> int:
        """Return the number of problem and language pairs whose references all pass."""
        return self.total - len({(cell.problem, cell.language) for cell in self if not cell.solved})

    @property
    def total(self) -> int:
        """Return the number of problem and language pairs with a reference."""
        return len({(cell.problem, cell.language) for cell in self.cells})

    @property
    def exit_code(self) -> int:
        """Return ``EXIT_PASSED`` if at least one reference was proved and nothing failed."""
        clean = not self.starter_faults and not self.escapes
        return EXIT_PASSED if clean and self.solved == self.total > 0 else EXIT_FAILED

    def missing_by_language(self) -> dict[str, list[str]]:
        """Return the problems without a reference, by language."""
        found: dict[str, list[str]] = {}
        for problem, language in self.missing:
            found.setdefault(language, []).append(problem)
        return found

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``esoplay verify --json`` prints."""
        return {
            "cells": [cell.as_json() for cell in self.cells],
            "by_hand": [cell.as_json() for cell in self.by_hand],
            "solved": self.solved,
            "total": self.total,
            "missing": self.missing_by_language(),
            **({"not_installed": list(self.unavailable)} if self.unavailable else {}),
            "starters": {
                "checked": self.starter_count,
                "faults": [fault._asdict() for fault in self.starter_faults],
            },
            "mistakes": {
                "problems": self.problems_with_mistakes,
                "mistakes": self.mistake_count,
                "seeds": self.seed_count,
                "escapes": [
                    {**escape._asdict(), "seed": escape.seed.hex()} for escape in self.escapes
                ],
            },
        }


DIALECTS = ("standard", "benchmark")
RANDOM_SEEDS = 10
MISTAKE_SEEDS = 1000
"""The number of seeds whose tests must catch every mistake."""

_CHUNK = 250  # seeds per task of a process

T = TypeVar("T")

Progress = Callable[[int, int, str], None]
"""A callback with the number of finished checks, the total, and the name of the last check."""


def verify(
    language_id: str | None = None,
    problem_id: str | None = None,
    *,
    pack: str | Path | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    seeds: Sequence[bytes] | None = None,
) -> VerifyReport:
    """Prove a pack: references pass its tests, starters fail, and mistakes are caught.

    jobs: the number of processes that run the programs.

    Both generated and handwritten references are tried, in both dialects; host lanes have only
    handwritten ones. Without ``language_id``, all languages are tried, and for packs other than the
    built-in one the installed lanes with references. References run the tests of the practice seed
    and of ``seeds``, by default new random ones; mistakes always run the same 1,000 seeds.
    ``progress`` is called from the calling thread. With one job, everything runs in this process.

    Raises UnknownProblem for an unknown problem, UsageError for an unknown language, PackError for
    an invalid judge, and WorkerDied if a worker dies.
    """
    whole = get_pack(pack)
    problems = whole.problems if problem_id is None else (whole.problem(problem_id),)
    try:
        languages = (
            _languages_to_prove(problems)
            if language_id is None
            else [check_language_id(language_id)]
        )
    except EngineError as error:
        raise UsageError(str(error)) from None
    if whole.id == BUILT_IN and language_id is None:
        languages = [id for id in languages if not is_lane(id)]  # slow: many processes
    if language_id is not None and not is_lane(language_id):
        problems = tuple(problem for problem in problems if not problem.lane_requirements)
        if not problems:
            raise UsageError(
                f"every selected problem requires a host lane, and {language_id} is not one; "
                "`esoplay lanes` lists them"
            )
    unavailable = tuple(id for id in languages if is_lane(id) and not find_toolchain(find_lane(id)))
    languages = [id for id in languages if id not in unavailable or language_id is not None]
    if seeds is None:
        seeds = [random_seed() for _ in range(RANDOM_SEEDS)]
    proofs = [
        _ProblemProof(problem, group, seeds)
        for problem in problems
        for group in _groups(problem, languages, separately=len(problems) == 1)
    ]
    wrong = {problem.id: len(load_mistakes(problem)) for problem in problems}
    checks = [
        _MistakeCheck(
            problem,
            [number.to_bytes(32) for number in range(start, min(start + _CHUNK, MISTAKE_SEEDS))],
        )
        for problem in problems
        if wrong[problem.id]
        for start in range(0, MISTAKE_SEEDS, _CHUNK)
    ]
    report_progress = _ProgressReporter(
        progress, sum(len(one.languages) for one in proofs) + len(checks)
    )
    found: dict[tuple[str, str], _ProofResult] = {}
    finished = _run_all([*proofs, *checks], jobs)
    for proof in proofs:
        results: list[_ProofResult] = next(finished)
        report_progress(proof.problem.id, len(results))
        for language, result in zip(proof.languages, results, strict=True):
            found[language, proof.problem.id] = result
    first: dict[tuple[str, str], MistakeEscape] = {}
    for check in checks:
        escaped: list[EscapedMistake] = next(finished)
        problem = check.problem
        report_progress(f"{problem.id} mistakes")
        for escape in escaped:
            key = (problem.id, escape.mistake)
            first.setdefault(key, MistakeEscape(problem.id, escape.mistake, escape.seed))
    places = [
        (language, problem.id)
        for language in languages
        for problem in problems
        if (language, problem.id) in found
    ]
    bare = [(id, language) for language, id in places if not found[language, id].cells]
    return VerifyReport(
        tuple(cell for place in places for cell in found[place].cells),
        tuple(cell for place in places for cell in found[place].by_hand),
        tuple(bare),
        sum(len(_dialects(language)) for _, language in bare),
        tuple(fault for place in places for fault in found[place].faults),
        sum(count > 0 for count in wrong.values()),
        sum(wrong.values()),
        MISTAKE_SEEDS,
        tuple(first.values()),
        unavailable if language_id is None else (),
    )


def _languages_to_prove(problems: Sequence[Problem]) -> list[str]:
    """Return the languages in which to prove ``problems``: those with an engine, and host lanes.

    A host lane is included if a problem has a reference in it. If there are such lanes, and no
    problem has a source to generate references from, a language with an engine also needs a
    reference.
    """
    lanes = [id for id in lane_ids() if is_lane(id)]
    written = [id for id in lanes if any(problem.reference(id) is not None for problem in problems)]
    languages = language_ids()
    if written:
        sourced = any(problem.solution_source() is not None for problem in problems)
        languages = [
            id
            for id in languages
            if sourced or any(problem.reference(id) is not None for problem in problems)
        ]
    return [*languages, *written]


class _ProofResult(NamedTuple):
    """The result for a problem in a language; for the fields see ``VerifyReport``."""

    cells: list[ProofCell]
    by_hand: list[ProofCell]
    faults: list[StarterFault]


def _groups(
    problem: Problem, languages: Sequence[str], *, separately: bool
) -> list[tuple[str, ...]]:
    """Return groups of the languages in which to prove a problem; a process proves one group.

    All languages with an engine are one group, because they share the problem's tests; with
    ``separately``, each of them is a group.  Each lane is a group, because it starts processes.
    """
    lanes = [(id,) for id in languages if is_lane(id)]
    engines = tuple(id for id in languages if not is_lane(id) and not problem.lane_requirements)
    if separately:
        return [*((id,) for id in engines), *lanes]
    return [engines, *lanes] if engines else lanes


class _Task(Protocol):
    """A part of a proof that one worker process runs."""

    def run(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class _MistakeCheck:
    """Task: find the mistakes of a problem that the tests of some seeds do not catch."""

    problem: Problem
    seeds: Sequence[bytes]

    def run(self) -> list[EscapedMistake]:
        return find_escaped_mistakes(self.problem, self.seeds)


@dataclass(frozen=True, slots=True)
class _ProblemProof:
    """Task: check in some languages, in all dialects, that references pass and starters fail."""

    problem: Problem
    languages: tuple[str, ...]
    seeds: Sequence[bytes]

    def run(self) -> list[_ProofResult]:
        test_cache = HiddenTestCache()
        results: list[_ProofResult] = []
        for language in self.languages:
            # Engines stop their programs at every limit, so they run in this process.
            with runner_for(language, None) as lane:
                results.append(
                    _LanguageProof(self.problem, language, self.seeds, test_cache, lane).run()
                )
        return results


@dataclass(frozen=True, slots=True)
class _LanguageProof:
    """Proof of a problem in one language.

    test_cache: cache of the problem's hidden tests.  lane_runner: runner of a host lane, or None.
    """

    problem: Problem
    language: str
    seeds: Sequence[bytes]
    test_cache: HiddenTestCache
    lane_runner: Runner | None

    def run(self) -> _ProofResult:
        written = self.problem.reference(self.language)
        by_hand = [] if written is None else self._prove(written, True)
        try:
            is_host_lane = is_lane(self.language)
            made = None if is_host_lane else generated_reference(self.problem, self.language)
        except PackError as error:
            cells = [
                self._generation_failure(dialect, str(error))
                for dialect in _dialects(self.language)
            ]
        else:
            cells = [] if made is None else self._prove(made.program, False)
        if not cells:
            cells, by_hand = by_hand, cells
        faults: list[StarterFault] = []
        starters = self._check_each_dialect(self._prove_starter)
        for number, (dialect, complaint) in enumerate(starters.items()):
            if complaint is None:
                continue
            if cells:
                complaints = (*cells[number].complaints, complaint)
                cells[number] = replace(cells[number], complaints=complaints)
            else:
                faults.append(StarterFault(self.problem.id, self.language, dialect, complaint))
        return _ProofResult(cells, by_hand, faults)

    def _prove(self, reference: bytes, by_hand: bool) -> list[ProofCell]:
        def prove_in(dialect: str) -> ProofCell:
            return prove(
                *(self.problem, self.language, reference),
                by_hand=by_hand,
                dialect=dialect,
                seeds=self.seeds,
                worker=self.lane_runner,
                test_cache=self.test_cache,
            )

        cells = self._check_each_dialect(prove_in)
        return [replace(cell, dialect=dialect) for dialect, cell in cells.items()]

    def _prove_starter(self, dialect: str) -> str | None:
        return prove_starter(
            *(self.problem, self.language),
            dialect=dialect,
            worker=self.lane_runner,
            test_cache=self.test_cache,
        )

    def _check_each_dialect(self, check: Callable[[str], T]) -> dict[str, T]:
        """Return the result of a check for each dialect.

        A program only depends on the options of its dialect, so the result also holds for other
        dialects with the same options.
        """
        dialects = _dialects(self.language)
        if is_lane(self.language):
            return {dialect: check(dialect) for dialect in dialects}
        language = find_language(self.language)
        options = {dialect: language.configure(dialect) for dialect in dialects}
        found: dict[str, T] = {}
        for dialect in dialects:
            same = next((one for one in found if options[one] == options[dialect]), None)
            found[dialect] = check(dialect) if same is None else found[same]
        return found

    def _generation_failure(self, dialect: str, error: str) -> ProofCell:
        return ProofCell(self.problem.id, self.language, dialect, False, 0, 0, (error,))


def _dialects(language: str) -> tuple[str, ...]:
    """Return the dialects in which to run programs; an ordinary language (host lane) has one."""
    return DIALECTS[:1] if is_lane(language) else DIALECTS


class _ProgressReporter:
    def __init__(self, progress: Progress | None, total: int):
        self._progress, self._total, self._done = progress, total, 0

    def __call__(self, label: str, count: int = 1) -> None:
        self._done += count
        if self._progress is not None:
            self._progress(self._done, self._total, label)


def _run_all(tasks: Sequence[_Task], jobs: int) -> Iterator[Any]:
    """Yield the result of each task, in order, using up to ``jobs`` processes."""
    jobs = min(jobs, len(tasks))
    if jobs < 2:
        for task in tasks:
            yield task.run()
        return
    context = get_context("spawn")
    try:
        with ProcessPoolExecutor(jobs, mp_context=context, initializer=_ignore_interrupts) as pool:
            yield from pool.map(_run, tasks)
    except BrokenProcessPool as error:
        raise WorkerDied("a worker process ended unexpectedly") from error


def _run(task: _Task) -> Any:
    return task.run()


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C in a worker process; the main process handles it and ends the workers."""

    def do_nothing(_number: int, _frame: object) -> None:
        pass

    signal.signal(signal.SIGINT, do_nothing)  # unlike SIG_IGN, programs do not inherit it
