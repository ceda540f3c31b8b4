"""Open lessons, check whether their tasks are done, and prove that they can be done."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from esolangs.errors import EngineError, ParseError
from esolangs.language import Program
from esolangs.limits import MEBIBYTE, Limits
from esoplay.debugging.debugger import Debugger
from esoplay.errors import EsoplayError, LessonError, UsageError
from esoplay.grading.differences import Ending, TestedProgram, explain
from esoplay.grading.report import Detail, TestResult
from esoplay.learning.course import MOST_STEPS, Course, Lesson, Run, Task, load_course
from esoplay.packs.catalogue import get_problem
from esoplay.programs.execution import check
from esoplay.running.run import SHOWN_IN_TEST, Outcome, parse_source, run_program
from esoplay.timeline.conditions import Condition
from esoplay.timeline.states import MachineState
from esoplay.timeline.timeline import Timeline

if TYPE_CHECKING:
    from esoplay.running.worker import Worker


__all__ = [
    "TIME_LIMIT",
    "Course",
    "Lesson",
    "Task",
    "TaskReport",
    "answer_report",
    "check_answer",
    "check_program",
    "check_state",
    "complaints",
    "get_course",
    "get_lesson",
    "input_of",
    "open_debugger",
    "program_report",
    "state_report",
]


# Reports on a task: by a state of the debugger, by runs of a program, or by an answer

TIME_LIMIT = 10.0
"""Seconds of wall clock for each run of a task: a backstop, not a measure."""

DIALECT = "standard"
"""The dialect that all lessons are about."""

_OUTPUT, _MEMORY = 1 << 16, 64 * MEBIBYTE


class TaskReport(NamedTuple):
    """What a check came to.

    tests: the runs of a program, one by one.  reasons: what else is missing, in sentences.
    """

    done: bool
    tests: tuple[TestResult, ...] = ()
    reasons: tuple[str, ...] = ()
    dialect: str = DIALECT

    def as_json(self) -> dict[str, Any]:
        return {
            "done": self.done,
            "dialect": self.dialect,
            "tests": [test.as_json(SHOWN_IN_TEST) for test in self.tests],
            "reasons": list(self.reasons),
        }


def state_report(lesson: Lesson, timeline: Timeline) -> TaskReport:
    """Whether the condition of a task holds where a timeline stands.  Raises LessonError."""
    when = lesson.task.when
    if when is None:
        raise LessonError(f"{lesson.file}: its task asks for no state")
    condition = Condition(when, timeline.program.register_names())
    if condition.value(MachineState(timeline.machine)):
        return TaskReport(True)
    return TaskReport(False, reasons=(f"not at step {timeline.step:,}",))


def answer_report(lesson: Lesson, answer: str) -> TaskReport:
    """Whether an answer is right, blanks around it and capitals aside."""
    given = answer.strip().casefold()
    if any(given == each.strip().casefold() for each in lesson.task.answers):
        return TaskReport(True)
    return TaskReport(False, reasons=("that is not it",))


def program_report(
    lesson: Lesson, source: bytes, cancelled: Callable[[], bool] | None = None
) -> TaskReport | None:
    """Whether a program does what a task asks for; None when cancelled."""
    task = lesson.task
    parsed = parse_source(lesson.language_id, source)
    tests: list[TestResult] = []
    for index, run in enumerate(task.runs, 1):
        if isinstance(parsed, Outcome):
            outcome = parsed
        else:
            found = _run(parsed, run, cancelled)
            if found is None:
                return None
            outcome = found
        tests.append(_judge(index, run, outcome, TestedProgram(lesson.language_id, source)))
    reasons = () if isinstance(parsed, Outcome) else _shortcomings(lesson, parsed, tests)
    done = not reasons and all(test.passed for test in tests)
    return TaskReport(done, tuple(tests), reasons)


def _run(program: Program, run: Run, cancelled: Callable[[], bool] | None) -> Outcome | None:
    """The outcome of a run within bounds; None when it was called off."""
    deadline = monotonic() + TIME_LIMIT
    called_off = False

    def tick(_steps: int) -> bool:
        nonlocal called_off
        called_off = cancelled is not None and cancelled()
        return not called_off and monotonic() < deadline

    limits = Limits(steps=MOST_STEPS, output=_OUTPUT, memory=_MEMORY)
    outcome = run_program(program, DIALECT, run.input, limits, tick=tick)
    if outcome.status == "time_limit":
        outcome.stderr = f"the limit of {TIME_LIMIT:g} s was reached"
    return None if called_off else outcome


def _judge(index: int, run: Run, outcome: Outcome, program: TestedProgram) -> TestResult:
    verdict = outcome.status
    if verdict == "ok":
        verdict = "pass" if outcome.stdout == run.output else "wrong_answer"
    detail = Detail(run.input, run.output, outcome.stdout, outcome.stderr)
    fault = "" if outcome.fault is None else outcome.fault.kind
    cause = explain(program, run.input, run.output, outcome.stdout, Ending(verdict, fault))
    return TestResult(index, None, verdict, outcome.steps, outcome.memory, detail, cause)


def _shortcomings(lesson: Lesson, program: Program, tests: list[TestResult]) -> tuple[str, ...]:
    """What a program lacks besides right output."""
    task = lesson.task
    reasons: list[str] = []
    size = len(program.source)
    if task.most_bytes is not None and size > task.most_bytes:
        reasons.append(f"{size:,} bytes; the task allows {task.most_bytes:,}")
    steps = max((test.steps for test in tests), default=0)
    if task.most_steps is not None and steps > task.most_steps:
        reasons.append(f"{steps:,} steps; the task allows {task.most_steps:,}")
    for text in task.must_use:
        if not program.occurrences(text):
            reasons.append(f"the task asks for {text} in the program")
    return tuple(reasons)


def get_course(language_id: str) -> Course:
    """The course in a language; raises UsageError for an unknown one, LessonError."""
    try:
        return load_course(language_id)
    except EngineError as error:
        raise UsageError(str(error)) from None


def get_lesson(language_id: str, number: int) -> Lesson:
    """One lesson, counted from 1; raises UnknownLesson and like :func:`get_course`."""
    return get_course(language_id).lesson(number)


def input_of(lesson: Lesson) -> tuple[bytes, bytes | None]:
    """What a program reads in the debugger during a lesson, and what it should print.

    Without either the input is to be typed.
    """
    if lesson.task.runs and not lesson.stdin:
        return lesson.task.runs[0]
    if lesson.task.problem is not None and not lesson.stdin:
        return get_problem(lesson.task.problem).examples[0]
    return lesson.stdin, None


def open_debugger(lesson: Lesson, source: bytes | None = None) -> Debugger:
    """A debugger at step 0 of a lesson's program, or of the learner's own; raises ParseError."""
    stdin, expected = input_of(lesson)
    return Debugger.open(
        lesson.language_id,
        lesson.program if source is None else source,
        stdin=stdin,
        closed=bool(stdin) or expected is not None,
    )


BY_HAND = "a cell was set by hand, which does not count: the program must do it"
"""Why a state task is not done, whatever the state is."""


def check_state(lesson: Lesson, debugger: Debugger) -> TaskReport:
    """Whether a state task is done where a debugger stands; raises UsageError for others.

    It is about the lesson's program, and what was written into its cells by hand does not count.
    """
    _check_kind(lesson, "state")
    run = debugger.recording
    if (run.language, run.source) != (lesson.language_id, lesson.program):
        return TaskReport(False, reasons=("that is not the program of the lesson",))
    if any(each.step <= debugger.step for each in run.edits):
        return TaskReport(False, reasons=(BY_HAND,))
    return state_report(lesson, debugger.timeline)


def check_answer(lesson: Lesson, answer: str) -> TaskReport:
    """Whether an answer is right; raises UsageError where nothing was asked."""
    _check_kind(lesson, "answer")
    return answer_report(lesson, answer)


def check_program(
    lesson: Lesson,
    source: bytes,
    *,
    worker: Worker | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> TaskReport | None:
    """Whether a program does what a lesson asks for; None when cancelled.

    A problem is graded by its hidden tests of practice.  Raises UsageError for a lesson that
    asks for no program.
    """
    _check_kind(lesson, "program", "problem")
    problem = lesson.task.problem
    if problem is None:
        return program_report(lesson, source, cancelled)
    from esoplay.packs.grading import grade_source  # late: it brings multiprocessing with it

    report = grade_source(problem, lesson.language_id, source, worker=worker, cancelled=cancelled)
    return TaskReport(report.solved, report.tests)


def complaints(lesson: Lesson, worker: Worker | None = None) -> list[str]:
    """What is wrong with a lesson, in sentences; none when it has proved itself.

    Its program parses unless it is meant to be broken, its task is not done at the start, and
    the solution does it.
    """
    error = check(lesson.language_id, lesson.program)
    if error is not None and not lesson.broken:
        return [f"the program is none: line {error.line}, column {error.column}: {error.message}"]
    found = ["the program is called broken, but it parses"] if lesson.broken and not error else []
    try:
        found += _unproved(lesson, worker)
    except (EsoplayError, ParseError) as wrong:
        found.append(str(wrong))
    return found


def _unproved(lesson: Lesson, worker: Worker | None) -> list[str]:
    kind, solution = lesson.task.kind, lesson.solution
    if kind == "answer":
        return [
            f"the answer {answer!r} is not taken"
            for answer in lesson.task.answers
            if not check_answer(lesson, f" {answer.upper()} ").done
        ] + (["an empty answer is taken"] if check_answer(lesson, " ").done else [])
    found: list[str] = []
    if kind == "state":
        debugger = open_debugger(lesson)
        if check_state(lesson, debugger).done:
            found.append("the task is done before the first step")
        debugger.seek(solution.step or 0)
        if debugger.step != solution.step:
            found.append(f"the program ends or waits at step {debugger.step}")
        if not check_state(lesson, debugger).done:
            found.append(f"the task is not done at step {solution.step}")
        return found
    before = check_program(lesson, lesson.program, worker=worker)
    after = check_program(lesson, solution.program or b"", worker=worker)
    if before is not None and before.done:
        found.append("the task is done before anything is written")
    if after is not None and not after.done:
        failed = [test for test in after.tests if not test.passed]
        found += [f"the solution fails run {test.index}: {test.detail}" for test in failed[:1]]
        found += [f"the solution: {reason}" for reason in after.reasons]
    return found


def _check_kind(lesson: Lesson, *kinds: str) -> None:
    if lesson.task.kind in kinds:
        return
    wanted = {
        "state": "a place to stand in the debugger",
        "answer": "an answer",
        "program": "a program",
        "problem": "a program",
    }
    raise UsageError(f"lesson {lesson.number} asks for {wanted[lesson.task.kind]}")
