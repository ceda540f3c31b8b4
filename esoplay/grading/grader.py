"""Grade submissions: run them on tests and compare the output.

Only this module and modules for operators read hidden tests.  A report contains details of hidden
tests only for the public practice seed or, for operators, on request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import NamedTuple

from esolangs.language import Program
from esoplay.errors import UsageError
from esoplay.grading.differences import RunEnding, TestedProgram, explain_difference
from esoplay.grading.hidden import HiddenTest, hidden_tests
from esoplay.grading.output_comparison import Compare, same_output, strip_ignored_whitespace
from esoplay.grading.problem import EdgeClass, Problem
from esoplay.grading.report import GradeReport, TestDetail, TestResult, Verdict
from esoplay.grading.seeds import PRACTICE_SEED, RunOrder, commitment, report_salt
from esoplay.running.invocation import PLAIN, ProgramInvocation
from esoplay.running.run import GRADING_LIMITS, Outcome, parse_source, run_program
from esoplay.running.worker import RunCancelled, Runner, runner_for

Progress = Callable[[int, int], None]
"""Callback after each test, with the number of finished tests and of all tests."""


class _HiddenTest(NamedTuple):
    edge_class: str | None
    input: bytes
    expected: bytes
    invocation: ProgramInvocation = PLAIN


class HiddenTestCache:
    """Cache of hidden tests, for processes that grade many submissions.

    Contains the tests of the last ``MAX_CACHED`` pairs of problem and seed; only the grader reads
    them.
    """

    MAX_CACHED = 500

    def __init__(self) -> None:
        self._tests: dict[tuple[Problem, bytes], tuple[HiddenTest, ...]] = {}

    def get(self, problem: Problem, seed: bytes) -> tuple[HiddenTest, ...]:
        """Return the hidden tests of a problem; only the grader may call this."""
        key = (problem, seed)
        tests = self._tests.pop(key, None) or hidden_tests(problem, seed)
        self._tests[key] = tests
        if len(self._tests) > self.MAX_CACHED:
            del self._tests[next(iter(self._tests))]
        return tests


class ProgramCache:
    """Cache of the last parsed program, for grading it several times in this process."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._parsed: Program | Outcome | None = None

    def parse(
        self,
        language_id: str,
        source: bytes,
        dialect: str,
        options: Mapping[str, str | int] | None,
    ) -> Program | Outcome:
        """Return the parsed program, or the outcome of a parse error."""
        key = language_id, source, dialect, dict(options or {})
        if self._parsed is None or key != self._key:
            self._parsed = None  # release it before parsing the next program: both may be large
            self._parsed = parse_source(language_id, source, dialect, options)
            self._key = key
        return self._parsed


def grade(
    problem: Problem,
    language_id: str,
    source: bytes,
    *,
    seed: bytes,
    dialect: str = "standard",
    options: Mapping[str, str | int] | None = None,
    compare: Compare | None = None,
    time_limit: float | None = None,
    worker: Runner | None = None,
    test_cache: HiddenTestCache | None = None,
    program_cache: ProgramCache | None = None,
    order: RunOrder | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    with_details: bool = False,
) -> GradeReport:
    """Grade ``source`` with the six hidden tests of ``seed``, or the problem's fixed tests, if any.

    compare, time_limit: override the values of the problem.  time_limit: maximum seconds of each
    run; a longer one is killed if it is in ``worker``, and stopped if it is in this process.
    with_details: include details of tests also for a secret seed, for operators.  worker: process
    to run in; programs of host lanes always run in new processes, and a ``HostRunner`` compiles
    them only once.  test_cache: cache of hidden tests.  program_cache: cache for grading a program
    several times without a worker.  order: order in which the tests run, which does not affect the
    report; None for the order of their numbers.

    Raises WorkerDied if a run failed for a reason other than the program; such an attempt must not
    be counted.  Raises RunCancelled if ``cancelled`` returns True, PackError for an invalid
    problem, and LaneError if a lane's toolchain is not installed.
    """
    require_target(problem, language_id)
    tests = hidden_tests(problem, seed) if test_cache is None else test_cache.get(problem, seed)
    public = with_details or seed == PRACTICE_SEED
    with runner_for(language_id, worker) as runner:
        seconds = time_limit or problem.time_limit
        run = _PreparedSubmission(
            *(language_id, source, dialect, options, runner, cancelled, seconds, problem),
            program_cache or ProgramCache(),
        )
        places = None if order is None else order.permutation(seed, problem.id, len(tests))
        waiting = [_HiddenTest(*test) for test in tests]
        results = _judge_all(waiting, run, compare or problem.compare, progress, public, places)
    return GradeReport(
        problem.id,
        language_id,
        dialect,
        results,
        commitment(seed, report_salt(seed), problem.pack),
        problem.has_fixed_tests,
        only_class=_only_failed_class(problem, results),
    )


def require_target(problem: Problem, language_id: str) -> None:
    """Raise UsageError if the problem needs a host lane and the language is not one."""
    if problem.lane_requirements and not _is_lane(language_id):
        raise UsageError(
            f"{problem.id} cannot be solved in {language_id}: it needs "
            f"{problem.lane_requirements}, which only programs in host lanes have; "
            "`esoplay lanes` lists the host lanes"
        )


def _is_lane(language_id: str) -> bool:
    from esoplay.running.host.lanes import is_lane  # imported late: most tests do not use a lane

    return is_lane(language_id)


def revealed_tests(problem: Problem, seed: bytes) -> tuple[tuple[bytes, bytes], ...]:
    """Return the input and expected output of each hidden test for a revealed seed.

    Call this only after the session with the commitment to this seed is closed.
    """
    return tuple((test.input, test.expected) for test in hidden_tests(problem, seed))


def first_failure(
    problem: Problem,
    language_id: str,
    source: bytes,
    *,
    dialect: str,
    worker: Runner | None,
    test_cache: HiddenTestCache,
) -> TestResult | None:
    """Run practice tests until one fails; return its result, or None if all pass."""
    with runner_for(language_id, worker) as runner:
        run = _PreparedSubmission(
            language_id, source, dialect, None, runner, None, problem.time_limit, problem
        )
        for test in test_cache.get(problem, PRACTICE_SEED):
            (result,) = _judge_all([_HiddenTest(*test)], run, problem.compare, None, True)
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
    compare: Compare | None = None,
    time_limit: float | None = None,
    worker: Runner | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    max_examples: int | None = None,
    program_cache: ProgramCache | None = None,
) -> GradeReport:
    """Grade with the public examples, like :func:`grade`; the report contains all details.

    max_examples: maximum number of examples, None for all.
    """
    require_target(problem, language_id)
    tests = [_HiddenTest(None, *example) for example in problem.examples[:max_examples]]
    with runner_for(language_id, worker) as runner:
        seconds = time_limit or problem.time_limit
        run = _PreparedSubmission(
            *(language_id, source, dialect, options, runner, cancelled, seconds, problem),
            program_cache or ProgramCache(),
        )
        results = _judge_all(tests, run, compare or problem.compare, progress, True)
    return GradeReport(problem.id, language_id, dialect, results)


class BudgetSpent(Exception):
    """Raised if a regrading exceeds its step budget, or if one run exceeds its time limit."""


class Regrading:
    """Repeated grading of a submission with other options, within a budget of steps.

    The tests are the hidden tests of a seed, or the public examples.  Grading starts with the test
    that failed in the previous grading, and stops at the first test that fails.
    """

    BUDGET = 50_000_000
    """Maximum steps of all runs together; each run counts as at least ``MIN_STEPS`` steps."""
    MIN_STEPS = 50_000
    SECONDS = 5.0
    """Maximum seconds of one run in a worker."""

    def __init__(
        self,
        problem: Problem,
        language_id: str,
        source: bytes,
        *,
        seed: bytes | None,
        failed_tests: Sequence[int] = (),
        compare: Compare | None = None,
        time_limit: float | None = None,
        worker: Runner | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        """Prepare the tests; seed: seed of the hidden tests, None for the public examples.

        failed_tests: numbers of the tests to run first.
        """
        if seed is None:
            tests = [_HiddenTest(None, *example) for example in problem.examples]
        else:
            tests = [_HiddenTest(*test) for test in hidden_tests(problem, seed)]
        first = [tests[number - 1] for number in failed_tests if number <= len(tests)]
        self._tests = [*first, *(test for test in tests if test not in first)]
        self._program = language_id, source
        self._problem = problem
        self._compare: Compare = compare or problem.compare
        self._seconds = min(self.SECONDS, time_limit or problem.time_limit)
        self._worker = worker
        self._cancelled = cancelled
        self._steps_left = self.BUDGET

    def passes(self, dialect: str, options: Mapping[str, str | int]) -> bool:
        """Return whether all tests pass; False without tests.

        Raises BudgetSpent if the budget is exceeded, and the errors of ``grade``.
        """
        run = _PreparedSubmission(
            *self._program,
            dialect,
            options,
            self._worker,
            self._cancelled,
            self._seconds,
            self._problem,
        )
        for test in self._tests:
            if self._steps_left <= 0:
                raise BudgetSpent
            outcome = run(test)
            if outcome.status == "time_limit":  # the result is inconclusive
                raise BudgetSpent
            self._steps_left -= max(self.MIN_STEPS, outcome.steps)
            if _verdict(outcome, test.expected, self._compare) != "pass":
                self._tests.remove(test)
                self._tests.insert(0, test)
                return False
        return bool(self._tests)


@dataclass(slots=True)
class _PreparedSubmission:
    """Submission that can be run on the inputs of tests."""

    language_id: str
    source: bytes
    dialect: str
    options: Mapping[str, str | int] | None
    worker: Runner | None
    cancelled: Callable[[], bool] | None
    time_limit: float
    problem: Problem
    program_cache: ProgramCache = field(default_factory=ProgramCache)

    def __call__(self, test: _HiddenTest) -> Outcome:
        if self.problem.lane_requirements or (
            test.invocation != PLAIN and _is_lane(self.language_id)
        ):
            return self._run_in_lane(test)
        stdin = test.input
        if self.worker is not None:
            return self.worker.run(
                self.language_id,
                self.source,
                dialect=self.dialect,
                options=self.options,
                stdin=stdin,
                limits=GRADING_LIMITS,
                time_limit=self.time_limit,
                cancelled=self.cancelled,
            )
        return self._run_here(stdin)

    def _run_in_lane(self, test: _HiddenTest) -> Outcome:
        """Run a program with arguments, files or a server, in a host lane."""
        from esoplay.running.host.runner import HostRunner, describe_missing_files

        worker = self.worker
        assert isinstance(worker, HostRunner), "require_target has refused other languages"
        complaint = describe_missing_files(self.language_id, self.source, self.problem.files)
        if complaint:
            return Outcome(self.language_id, self.dialect, {}, "parse_error", b"", complaint)
        return worker.run(
            self.language_id,
            self.source,
            dialect=self.dialect,
            options=self.options,
            stdin=test.input,
            limits=GRADING_LIMITS,
            time_limit=self.time_limit,
            cancelled=self.cancelled,
            invocation=test.invocation._replace(server=self.problem.server()),
        )

    def _run_here(self, stdin: bytes) -> Outcome:
        cancelled = self.cancelled
        if cancelled is not None and cancelled():
            raise RunCancelled
        parsed = self.program_cache.parse(self.language_id, self.source, self.dialect, self.options)
        if isinstance(parsed, Outcome):
            return parsed
        deadline = monotonic() + self.time_limit
        in_time = True

        def tick(_steps: int) -> bool:
            nonlocal in_time
            if cancelled is not None and cancelled():
                return False
            in_time = monotonic() < deadline
            return in_time

        outcome = run_program(parsed, self.dialect, stdin, GRADING_LIMITS, tick=tick)
        if outcome.status == "time_limit":
            if in_time:
                raise RunCancelled
            outcome.limit = self.time_limit
            outcome.stderr = f"the limit of {self.time_limit:g} s was reached"
        return outcome


def _judge_all(
    tests: Sequence[_HiddenTest],
    run: _PreparedSubmission,
    compare: Compare,
    progress: Progress | None,
    public: bool,
    order: Sequence[int] | None = None,
) -> tuple[TestResult, ...]:
    """Run the tests; return the results in the order of the tests.

    order: the indexes of the tests in the order in which they run; None to run them as listed.
    """
    results: dict[int, TestResult] = {}
    for place in range(len(tests)) if order is None else order:
        test = tests[place]
        outcome = run(test)
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
    """Return the result of a test, with input and difference only if it is ``public``."""
    verdict = _verdict(outcome, test.expected, compare)
    if not public:
        return TestResult(index, None, verdict, outcome.steps, outcome.memory)
    given, expected, got = test.input, test.expected, outcome.stdout
    detail = TestDetail(given, expected, got, outcome.stderr, test.invocation)
    expected, got = (
        strip_ignored_whitespace(expected, compare),
        strip_ignored_whitespace(got, compare),
    )
    fault = "" if outcome.fault is None else outcome.fault.kind
    program = TestedProgram(run.language_id, run.source, run.options or {}, run.dialect)
    cause = explain_difference(program, given, expected, got, RunEnding(verdict, fault))
    return TestResult(index, test.edge_class, verdict, outcome.steps, outcome.memory, detail, cause)


def _only_failed_class(problem: Problem, results: Sequence[TestResult]) -> EdgeClass | None:
    """Return the edge class whose tests failed while all other tests passed, or None.

    None if every test failed, or if the tests are hidden.
    """
    failed = {each.edge_class for each in results if not each.passed}
    passed = {each.edge_class for each in results if each.passed}
    if len(failed) != 1 or not passed or failed & passed:
        return None
    return next((each for each in problem.classes if each.name in failed), None)


def _verdict(outcome: Outcome, expected: bytes, compare: Compare) -> Verdict:
    """Return the verdict on a run, which fails if it did not end normally."""
    if outcome.status != "ok":
        return outcome.status
    return "pass" if same_output(outcome.stdout, expected, compare) else "wrong_answer"
