"""How many submissions a worker process can judge in a second."""

from __future__ import annotations

import time
from collections.abc import Iterator

from measure import Row, WrongAnswerError

from esoplay.running.worker import Worker
from esoplay.service.grading import grade_source
from esoplay.service.problems import get_pack

LANGUAGE = "brainfuck"
PROBLEM = "E01"

LEAST = 40
"""Gradings a second and worker: all 400 references in 5 seconds on two cores."""


def rows(quick: bool) -> Iterator[Row]:
    """The rows of this benchmark; ``quick`` grades a few times only."""
    problems = get_pack().problems
    references = [(each.id, each.reference(LANGUAGE)) for each in problems]
    solved = [(problem, source) for problem, source in references if source is not None]
    one = [each for each in solved if each[0] == PROBLEM]
    with Worker() as worker:
        _grade(one[0], worker)  # the first one starts the process
        yield _row(f"grading {PROBLEM}", one * (10 if quick else 200), worker)
        yield _row(f"grading {len(solved)} references", solved * (1 if quick else 5), worker)


def _row(name: str, submissions: list[tuple[str, bytes]], worker: Worker) -> Row:
    began = time.perf_counter()
    for submission in submissions:
        _grade(submission, worker)
    speed = len(submissions) / (time.perf_counter() - began)
    return Row(
        f"{name}, 1 worker",
        f"{speed:.0f} gradings/s ({6 * speed:.0f} tests/s)",
        f"≥ {LEAST} gradings/s",
        speed >= LEAST,
        {"gradings_per_second": speed},
    )


def _grade(submission: tuple[str, bytes], worker: Worker) -> None:
    problem, source = submission
    report = grade_source(problem, LANGUAGE, source, worker=worker)
    if not report.solved:
        raise WrongAnswerError(f"the reference of {problem} passes {report.passed} tests")
