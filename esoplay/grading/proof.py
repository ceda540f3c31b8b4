"""Prove problems: check that references pass, starters fail, and mistakes are caught.

Mistakes are plausible wrong solutions that hidden tests must catch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

from esoplay.errors import PackError
from esoplay.grading.grader import (
    HiddenTestCache,
    ProgramCache,
    first_failure,
    grade,
    grade_examples,
)
from esoplay.grading.hidden import HiddenTest, TestSlots, hidden_tests, read_answer
from esoplay.grading.problem import Problem
from esoplay.grading.report import GradeReport, TestResult
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.running.worker import Runner


@dataclass(frozen=True, slots=True)
class ProofCell:
    """Proof of a reference in one language and dialect.

    by_hand: whether the reference is handwritten; otherwise it is compiled from the problem's
    source.  steps: steps of the most expensive test.  size: code size in bytes.  complaints: error
    messages; empty if the reference is proved.
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
    worker: Runner | None,
    test_cache: HiddenTestCache,
) -> ProofCell:
    """Grade a reference program on a problem's examples and hidden tests.

    seeds: seeds for hidden tests, in addition to the practice seed; ignored if the problem's tests
    are the same for every seed.
    """
    program_cache = ProgramCache()
    reports: dict[str, GradeReport] = {}
    if problem.examples:
        reports["examples"] = grade_examples(
            *(problem, language_id, reference),
            dialect=dialect,
            worker=worker,
            program_cache=program_cache,
        )
    for seed in (PRACTICE_SEED,) if problem.has_fixed_tests else (PRACTICE_SEED, *seeds):
        label = "practice seed" if seed == PRACTICE_SEED else f"seed {seed.hex()}"
        reports[label] = grade(
            *(problem, language_id, reference),
            seed=seed,
            dialect=dialect,
            worker=worker,
            test_cache=test_cache,
            program_cache=program_cache,
        )
    complaints = [
        f"the reference fails ({label}): {_first_failure_text(report)}"
        for label, report in reports.items()
        if not report.solved
    ]
    steps = max(test.steps for report in reports.values() for test in report.tests)
    size = len(reference)
    return ProofCell(problem.id, language_id, dialect, by_hand, steps, size, tuple(complaints))


def prove_starter(
    problem: Problem,
    language_id: str,
    *,
    dialect: str,
    worker: Runner | None,
    test_cache: HiddenTestCache,
) -> str | None:
    """Return an error message if the starter is invalid or solves the problem; else None."""
    failed = first_failure(
        *(problem, language_id, problem.starter(language_id)),
        dialect=dialect,
        worker=worker,
        test_cache=test_cache,
    )
    if failed is None:
        return "the starter solves the problem; expected a starter that fails"
    if failed.verdict == "parse_error":
        return f"the starter is not a valid program: {_failure_text(failed)}"
    return None


def _first_failure_text(report: GradeReport) -> str:
    return _failure_text(next(test for test in report.tests if not test.passed))


def _failure_text(failed: TestResult) -> str:
    message = f" ({failed.detail.message})" if failed.detail and failed.detail.message else ""
    return f"test {failed.index}, {failed.verdict}{message}"


# Mistakes: plausible wrong solutions of a problem, which its hidden tests must catch.
#
# ``mistakes.py`` in a problem's folder contains a function for each mistake.  Its name is
# ``CLASS__what_is_wrong``, after the edge class that must catch it, with underscores for hyphens.
# It returns the wrong output for an input; an exception also counts as wrong.

MISTAKES_FILE = "mistakes.py"


class KnownMistake(NamedTuple):
    """Wrong solution, and the edge class whose test must catch it for every seed."""

    name: str
    edge_class: str
    answer: Callable[..., object]


class EscapedMistake(NamedTuple):
    """Mistake that no test of its edge class catches if ``seed`` generates the tests.

    mistake: its name.
    """

    mistake: str
    seed: bytes


def load_mistakes(problem: Problem) -> tuple[KnownMistake, ...]:
    """Load the mistakes of a problem.  Raise PackError for an invalid file."""
    path = problem.folder / MISTAKES_FILE
    if not path.is_file():
        return ()
    module = ModuleType(f"mistakes_{problem.id}")
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    except Exception as error:  # the module may raise anything
        raise PackError(f"{path}: {type(error).__name__}: {error}") from error
    classes = {entry.name.replace("-", "_"): entry.name for entry in problem.classes}
    found: list[KnownMistake] = []
    for name, value in module.__dict__.items():
        spelled, separator, what = name.partition("__")
        if not separator or not spelled or not callable(value):
            continue
        if spelled not in classes or not what:
            raise PackError(
                f"{path}: {name}: expected CLASS__what_is_wrong with a class of problem.toml: "
                + ", ".join(classes)
            )
        found.append(KnownMistake(name, classes[spelled], value))
    return tuple(found)


def find_escaped_mistakes(problem: Problem, seeds: Iterable[bytes]) -> list[EscapedMistake]:
    """Return the mistakes that escape the tests of one of ``seeds``, each with the first such seed.

    A mistake escapes if it passes all tests of its edge class.

    Raises PackError for an invalid judge or ``mistakes.py``.
    """
    by_class: defaultdict[str, list[KnownMistake]] = defaultdict(list)
    for mistake in load_mistakes(problem):
        by_class[mistake.edge_class].append(mistake)
    slots = TestSlots(problem)
    found: list[EscapedMistake] = []
    for seed in seeds:
        waiting = {edge_class: mistakes for edge_class, mistakes in by_class.items() if mistakes}
        for test in slots.tests(seed):
            if test.edge_class in waiting:
                waiting[test.edge_class] = _uncaught(test, waiting[test.edge_class])
        for edge_class, mistakes in waiting.items():
            for mistake in tuple(mistakes):
                found.append(EscapedMistake(mistake.name, seed))
                by_class[edge_class].remove(mistake)
    return found


def uncaught_mistakes(problem: Problem, tested_problem: Problem, seed: bytes) -> list[str]:
    """Return the names of the mistakes of a problem that pass all tests of ``tested_problem``.

    tested_problem: ``problem`` itself, or the same problem in another pack.
    seed: seed of the tests, if a judge generates them. Raises PackError if the tests cannot be
    generated.
    """
    mistakes: Sequence[KnownMistake] = load_mistakes(problem)
    for test in hidden_tests(tested_problem, seed):
        mistakes = _uncaught(test, mistakes)
    return [mistake.name for mistake in mistakes]


def _uncaught(test: HiddenTest, mistakes: Sequence[KnownMistake]) -> list[KnownMistake]:
    """Return the mistakes that a test does not catch: they give the expected result."""
    text, invocation = test.input.decode(), test.invocation
    arguments = invocation.arguments
    expected = (test.expected.decode(), invocation.exit_code, invocation.stderr.decode())
    found: list[KnownMistake] = []
    for mistake in mistakes:
        try:
            if read_answer(mistake.answer(text, *arguments)) == expected:
                found.append(mistake)
        except Exception:  # an exception counts as wrong output
            continue
    return found
