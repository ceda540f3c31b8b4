"""Measure how many submissions are graded per second: one by one, and in bulk."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator

from measure import Row, WrongAnswerError

from esoplay.batch.grading import BatchTerms, grade_batch
from esoplay.grading.seeds import random_seed
from esoplay.packs.catalogue import get_pack
from esoplay.packs.grading import grade_source
from esoplay.running.worker import Worker

LANGUAGE = "brainfuck"
PROBLEM = "E01"

LEAST = 40
"""Gradings per second and worker: all 400 references in 5 seconds on two cores."""


LEAST_IN_BULK = 1000
"""Gradings per second of short programs, on two cores."""


def rows(quick: bool) -> Iterator[Row]:
    """The rows of this benchmark; ``quick`` grades a few times only."""
    problems = get_pack().problems
    references = [(each.id, each.reference(LANGUAGE)) for each in problems]
    solved = [(problem, source) for problem, source in references if source is not None]
    one = [each for each in solved if each[0] == PROBLEM]
    with Worker() as worker:
        _grade(one[0], worker)  # the first one starts the process
        for name, few in ((PROBLEM, one), (f"{len(solved)} references", solved)):
            many = few * max(1, (10 if quick else 200) // len(few))
            single = _row(f"grading {name}", many, worker)
            yield single
            least = LEAST_IN_BULK if few is one else None
            yield _in_bulk(name, few, 20 if quick else 4000, single, least)


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


def _in_bulk(
    name: str, few: list[tuple[str, bytes]], count: int, single: Row, least: int | None
) -> Row:
    """The same submissions as lines of a batch, start of the processes included."""
    lines = [
        json.dumps({"problem": problem, "language": LANGUAGE, "program": source.decode()}).encode()
        for problem, source in few
    ]
    jobs = os.cpu_count() or 1
    terms = BatchTerms(random_seed(), "standard", "exact", None, "/")
    with tempfile.TemporaryFile() as file:
        file.write(b"\n".join(lines[at % len(lines)] for at in range(count)))
        file.seek(0)
        began = time.perf_counter()
        summary = grade_batch(file.fileno(), lambda _: None, terms, jobs=jobs)
        speed = count / (time.perf_counter() - began)
    if summary.solved != count:
        raise WrongAnswerError(f"{summary.solved} of {count} references solve their problems")
    ratio = speed / float(single.figures["gradings_per_second"])
    return Row(
        f"grading {name} in bulk, {jobs} processes",
        f"{speed:.0f} gradings/s, {ratio:.1f} × one by one",
        "" if least is None else f"≥ {least} gradings/s",
        None if least is None else speed >= least,
        {"gradings_per_second": speed, "ratio": ratio},
    )


def _grade(submission: tuple[str, bytes], worker: Worker) -> None:
    problem, source = submission
    report = grade_source(problem, LANGUAGE, source, worker=worker)
    if not report.solved:
        raise WrongAnswerError(f"the reference of {problem} passes {report.passed} tests")
