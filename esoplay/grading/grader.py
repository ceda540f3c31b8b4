"""The grader: runs a submission on tests and gives verdicts.

No other module shows hidden tests to anybody but operators.  A report says which test was what
only if the seed is the public one of practice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from esolangs.language import Program
from esoplay.grading.differences import Ending, TestedProgram, explain
from esoplay.grading.hidden import HiddenTest, hidden_tests
from esoplay.grading.problem import EdgeClass, Problem
from esoplay.grading.report import GradeReport, TestDetail, TestResult, Verdict
from esoplay.grading.seeds import PRACTICE_SEED, RunOrder, commitment, report_salt
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT, Outcome, parse_source, run_program
from esoplay.running.worker import RunCancelled, Runner, runner_for

Compare = Literal["exact", "strip"]
"""How output is compared: byte by byte, or as text without white space at both ends."""

Progress = Callable[[int, int], None]
"""Called after each test with how many are done and the total."""


class _HiddenTest(NamedTuple):
    edge_class: str | None
    input: bytes
    expected: bytes


class DerivedTests:
    """Hidden tests that stay derived, for whoever grades many submissions in one process.

    Holds the tests of the last ``MOST`` problems and seeds; only the grader reads them.
    """

    MOST = 500

    def __init__(self) -> None:
        self._tests: dict[tuple[Problem, bytes], tuple[HiddenTest, ...]] = {}

    def of(self, problem: Problem, seed: bytes) -> tuple[HiddenTest, ...]:
        """For the grader alone."""
        key = (problem, seed)
        tests = self._tests.pop(key, None) or hidden_tests(problem, seed)
        self._tests[key] = tests
        if len(self._tests) > self.MOST:
            del self._tests[next(iter(self._tests))]
        return tests


def grade(
    problem: Problem,
    language_id: str,
    source: bytes,
    *,
    seed: bytes,
    dialect: str = "standard",
    options: Mapping[str, str | int] | None = None,
    compare: Compare = "exact",
    worker: Runner | None = None,
    derived: DerivedTests | None = None,
    order: RunOrder | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> GradeReport:
    """The verdict on ``source`` by the six hidden tests that ``seed`` gives, or the fixed ones.

    With a ``worker`` each run is killed after 60 s; without one it is run in this
    process, bounded by steps, output and memory.  Programs of host lanes always have a process of
    their own; a ``HostRunner`` as ``worker`` keeps what it compiled.  ``derived`` keeps the tests
    for next time.  ``order``: in which the tests run, else by their numbers; the report is the
    same, as all tests run and none depends on another.  Raises WorkerDied when a run failed for a
    reason other than the program: such an attempt does not count.  Raises Cancelled when
    ``cancelled`` said so, PackError for a broken problem, and LaneError where a lane's toolchain
    is not installed.
    """
    tests = hidden_tests(problem, seed) if derived is None else derived.of(problem, seed)
    public = seed == PRACTICE_SEED
    with runner_for(language_id, worker) as runner:
        run = _PreparedSubmission(language_id, source, dialect, options, runner, cancelled)
        places = None if order is None else order.of(seed, problem.id, len(tests))
        waiting = [_HiddenTest(*test) for test in tests]
        results = _judge_all(waiting, run, compare, progress, public, places)
    return GradeReport(
        problem.id,
        language_id,
        dialect,
        results,
        commitment(seed, report_salt(seed), problem.pack),
        problem.fixed,
        only_class=_only_class(problem, results),
    )


def revealed_tests(problem: Problem, seed: bytes) -> tuple[tuple[bytes, bytes], ...]:
    """Inputs and expected outputs of the hidden tests, for whom the seed was revealed to.

    To be asked for only when the session is over whose commitment holds for this seed.
    """
    return tuple((test.input, test.expected) for test in hidden_tests(problem, seed))


def first_failure(
    problem: Problem,
    language_id: str,
    source: bytes,
    *,
    dialect: str,
    worker: Runner,
    derived: DerivedTests,
) -> TestResult | None:
    """The first practice test that ``source`` does not pass; no further one is run."""
    with runner_for(language_id, worker) as runner:
        run = _PreparedSubmission(language_id, source, dialect, None, runner, None)
        for test in derived.of(problem, PRACTICE_SEED):
            (result,) = _judge_all([_HiddenTest(*test)], run, "exact", None, True)
            if not result.passed:
                return result
    return None


def grade_examples(
    problem: Problem,
    language_id: str,
    source: bytes,
    *,
    dialect: str = "standard",
    options: Mapping[str, str | int] | None = None,
    compare: Compare = "exact",
    worker: Runner | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> GradeReport:
    """Like :func:`grade`, by the public examples; the report contains everything."""
    tests = [_HiddenTest(None, *example) for example in problem.examples]
    with runner_for(language_id, worker) as runner:
        run = _PreparedSubmission(language_id, source, dialect, options, runner, cancelled)
        results = _judge_all(tests, run, compare, progress, True)
    return GradeReport(problem.id, language_id, dialect, results)


class BudgetSpent(Exception):
    """Grading a program again has taken all the steps that it may take, or a run all its time."""


class Regrading:
    """Grades a submission that failed again under other options, until a budget is spent.

    ``tests``: the same hidden tests, or the public examples.  It stops at the first test that
    fails, and begins with the one that failed last.
    """

    BUDGET = 50_000_000
    """Steps of all runs together; a run counts as at least ``LEAST``."""
    LEAST = 50_000
    SECONDS = 5.0
    """Longest time of one run in a worker."""

    def __init__(
        self,
        problem: Problem,
        language_id: str,
        source: bytes,
        *,
        seed: bytes | None,
        failed: Sequence[int] = (),
        compare: Compare = "exact",
        worker: Runner | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        """``seed``: of the hidden tests; None for the public examples.

        failed: the numbers of the tests to begin with.
        """
        if seed is None:
            tests = [_HiddenTest(None, *example) for example in problem.examples]
        else:
            tests = [_HiddenTest(*test) for test in hidden_tests(problem, seed)]
        first = [tests[number - 1] for number in failed if number <= len(tests)]
        self._tests = [*first, *(test for test in tests if test not in first)]
        self._program = language_id, source
        self._compare: Compare = compare
        self._worker = worker
        self._cancelled = cancelled
        self._left = self.BUDGET

    def passes(self, dialect: str, options: Mapping[str, str | int]) -> bool:
        """Whether all tests pass; false without any.  Raises BudgetSpent and like ``grade``."""
        run = _PreparedSubmission(
            *self._program,
            dialect,
            options,
            self._worker,
            self._cancelled,
            min(self.SECONDS, TIME_LIMIT),
        )
        for test in self._tests:
            if self._left <= 0:
                raise BudgetSpent
            outcome = run(test.input)
            if outcome.status == "time_limit":  # says nothing about what the program does
                raise BudgetSpent
            self._left -= max(self.LEAST, outcome.steps)
            if _verdict(outcome, test.expected, self._compare) != "pass":
                self._tests.remove(test)
                self._tests.insert(0, test)
                return False
        return bool(self._tests)


@dataclass(slots=True)
class _PreparedSubmission:
    """A submission that is ready to meet inputs."""

    language_id: str
    source: bytes
    dialect: str
    options: Mapping[str, str | int] | None
    worker: Runner | None
    cancelled: Callable[[], bool] | None
    most_seconds: float | None = None
    _parsed: Program | Outcome | None = None

    def __call__(self, stdin: bytes) -> Outcome:
        if self.worker is not None:
            return self.worker.run(
                self.language_id,
                self.source,
                dialect=self.dialect,
                options=self.options,
                stdin=stdin,
                limits=GRADING_LIMITS,
                time_limit=TIME_LIMIT if self.most_seconds is None else self.most_seconds,
                cancelled=self.cancelled,
            )
        return self._run_here(stdin)

    def _run_here(self, stdin: bytes) -> Outcome:
        cancelled = self.cancelled
        if cancelled is not None and cancelled():
            raise RunCancelled
        if self._parsed is None:
            self._parsed = parse_source(self.language_id, self.source, self.dialect, self.options)
        if isinstance(self._parsed, Outcome):
            return self._parsed
        outcome = run_program(
            self._parsed,
            self.dialect,
            stdin,
            GRADING_LIMITS,
            tick=None if cancelled is None else lambda _: not cancelled(),
        )
        if outcome.status == "time_limit":  # nothing but ``cancelled`` can have ended it so
            raise RunCancelled
        return outcome


def _judge_all(
    tests: Sequence[_HiddenTest],
    run: _PreparedSubmission,
    compare: Compare,
    progress: Progress | None,
    public: bool,
    order: Sequence[int] | None = None,
) -> tuple[TestResult, ...]:
    """Results by number, whatever the ``order`` in which the tests run."""
    results: dict[int, TestResult] = {}
    for place in range(len(tests)) if order is None else order:
        test = tests[place]
        outcome = run(test.input)
        results[place] = _result(place + 1, test, outcome, run, compare, public)
        if progress is not None:
            progress(len(results), len(tests))
    return tuple(results[place] for place in sorted(results))


def _result(
    index: int,
    test: _HiddenTest,
    outcome: Outcome,
    run: _PreparedSubmission,
    compare: Compare,
    public: bool,
) -> TestResult:
    """One result; what the test asks, and how the output differs, only where it is public."""
    verdict = _verdict(outcome, test.expected, compare)
    if not public:
        return TestResult(index, None, verdict, outcome.steps, outcome.memory)
    given, expected, got = test.input, test.expected, outcome.stdout
    detail = TestDetail(given, expected, got, outcome.stderr)
    if compare == "strip":
        expected, got = expected.strip(), got.strip()
    fault = "" if outcome.fault is None else outcome.fault.kind
    program = TestedProgram(run.language_id, run.source, run.options or {}, run.dialect)
    cause = explain(program, given, expected, got, Ending(verdict, fault))
    return TestResult(index, test.edge_class, verdict, outcome.steps, outcome.memory, detail, cause)


def _only_class(problem: Problem, results: Sequence[TestResult]) -> EdgeClass | None:
    """The class of all tests that failed, where others passed and the tests are shown."""
    failed = {each.edge_class for each in results if not each.passed}
    passed = {each.edge_class for each in results if each.passed}
    if len(failed) != 1 or not passed or failed & passed:
        return None
    return next((each for each in problem.classes if each.name in failed), None)


def _verdict(outcome: Outcome, expected: bytes, compare: Compare) -> Verdict:
    """A run that did not end well has failed, whatever it printed before."""
    if outcome.status != "ok":
        return outcome.status
    return "pass" if same_output(outcome.stdout, expected, compare) else "wrong_answer"


def same_output(got: bytes, expected: bytes, compare: Compare) -> bool:
    """Whether ``got`` counts as ``expected``."""
    return got == expected if compare == "exact" else _stripped(got) == _stripped(expected)


def _stripped(data: bytes) -> str:
    """As the published harness compares: text without what Unicode calls white space at its ends.

    Bytes that are not UTF-8 are read as one character each, as its interpreters print them.
    """
    try:
        return data.decode().strip()
    except UnicodeDecodeError:
        return data.decode("latin-1").strip()
