"""Grade programs by the id of a problem."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from esolangs.errors import EngineError
from esoplay.errors import UsageError
from esoplay.grading import grader
from esoplay.grading.dialects import find_other_dialect
from esoplay.grading.grader import Progress
from esoplay.grading.output_comparison import Compare
from esoplay.grading.problem import Problem
from esoplay.grading.report import GradeReport
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.packs.catalogue import get_problem
from esoplay.programs.host_lanes import check_language_id
from esoplay.running.worker import Runner, Worker


def grade_source(
    problem_id: str,
    language_id: str,
    source: bytes,
    *,
    seed: bytes | None = None,
    dialect: str = "standard",
    options: Mapping[str, str | int] | None = None,
    compare: Compare | None = None,
    time_limit: float | None = None,
    pack: str | Path | None = None,
    worker: Runner | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    check_dialects: bool = False,
    with_details: bool = False,
) -> GradeReport:
    """Grade ``source`` with the hidden tests of ``seed``, by default the practice seed.

    with_details: include details of tests also for a secret seed; only for operators.
    compare, time_limit: override the values of the problem.
    check_dialects: whether to find a dialect with the opposite verdict, and the reason. This runs
    the tests of the practice seed again; for other seeds, the public examples.
    worker: None to start a worker for this call.  Raises UnknownProblem, and UsageError for an
    unknown language, dialect or option; see ``grading.grader.grade``.
    """
    problem = get_problem(problem_id, pack)
    language_id = check_language_id(language_id)
    seed = PRACTICE_SEED if seed is None else seed
    with _usage_errors(), _use_worker(worker) as chosen:
        report = grader.grade(
            problem,
            language_id,
            source,
            seed=seed,
            dialect=dialect,
            options=options,
            compare=compare,
            time_limit=time_limit,
            worker=chosen,
            progress=progress,
            cancelled=cancelled,
            with_details=with_details,
        )
        if check_dialects:
            shown = seed if seed == PRACTICE_SEED else None
            report = _compare_dialects(
                report, problem, source, shown, options, compare, time_limit, chosen, cancelled
            )
        return report


def grade_examples(
    problem_id: str,
    language_id: str,
    source: bytes,
    *,
    dialect: str = "standard",
    options: Mapping[str, str | int] | None = None,
    compare: Compare | None = None,
    time_limit: float | None = None,
    pack: str | Path | None = None,
    worker: Runner | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    check_dialects: bool = False,
    max_examples: int | None = None,
) -> GradeReport:
    """Grade ``source`` with the public examples, like :func:`grade_source`, and report all details.

    max_examples: maximum number of examples, None for all.
    """
    problem = get_problem(problem_id, pack)
    language_id = check_language_id(language_id)
    with _usage_errors(), _use_worker(worker) as chosen:
        report = grader.grade_examples(
            problem,
            language_id,
            source,
            dialect=dialect,
            options=options,
            compare=compare,
            time_limit=time_limit,
            worker=chosen,
            progress=progress,
            cancelled=cancelled,
            max_examples=max_examples,
        )
        if check_dialects:
            report = _compare_dialects(
                report, problem, source, None, options, compare, time_limit, chosen, cancelled
            )
        return report


def _compare_dialects(
    report: GradeReport,
    problem: Problem,
    source: bytes,
    seed: bytes | None,
    options: Mapping[str, str | int] | None,
    compare: Compare | None,
    time_limit: float | None,
    worker: Runner,
    cancelled: Callable[[], bool] | None,
) -> GradeReport:
    """Return ``report`` with ``other_dialect``: a dialect with the opposite verdict, or None."""
    other = find_other_dialect(
        problem,
        report.language,
        source,
        seed=seed,
        dialect=report.dialect,
        passed=report.solved,
        failed_tests=[] if seed is None else [t.index for t in report.tests if not t.passed],
        options=options,
        compare=compare,
        time_limit=time_limit,
        worker=worker,
        cancelled=cancelled,
    )
    return replace(report, other_dialect=other)


@contextmanager
def _use_worker(runner: Runner | None) -> Generator[Runner]:
    if runner is not None:
        yield runner
        return
    with Worker() as worker:
        yield worker


@contextmanager
def _usage_errors() -> Generator[None]:
    """Convert errors for an unknown language, dialect or option to UsageError."""
    try:
        yield
    except EngineError as error:
        raise UsageError(str(error)) from None
