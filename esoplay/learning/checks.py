"""Check the tasks of lessons, and prove that the tasks can be solved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from esolangs.errors import ParseError
from esolangs.language import Program
from esolangs.limits import MEBIBYTE, Limits
from esolangs.machine import FINAL
from esolangs.registry import find_language
from esolangs.stops import Address
from esolangs.wording import plural
from esoplay.debugging.debugger import Debugger
from esoplay.errors import EsoplayError, LessonError, UsageError
from esoplay.grading.differences import RunEnding, TestedProgram, explain_difference
from esoplay.grading.report import TestDetail, TestResult
from esoplay.learning.course import MAX_STEPS, Lesson, TaskRun
from esoplay.learning.inputs import fill
from esoplay.learning.lessons import lesson_input
from esoplay.programs.execution import check
from esoplay.running.run import SHOWN_IN_TEST, SLICE, Outcome, parse_source, run_program
from esoplay.timeline.conditions import Condition
from esoplay.timeline.states import MachineState
from esoplay.timeline.timeline import Timeline

if TYPE_CHECKING:
    from esoplay.running.worker import Worker


# Checks of a task, which requires a state of the debugger, a program or an answer.

TIME_LIMIT = 10.0
"""Seconds of wall clock for each run of a task, in addition to the step limit."""

DIALECT = "standard"
"""The dialect of all lessons."""

_MAX_OUTPUT, _MAX_MEMORY = 1 << 16, 64 * MEBIBYTE


def _limits() -> Limits:
    """Return the limits of each run of a task."""
    return Limits(steps=MAX_STEPS, output=_MAX_OUTPUT, memory=_MAX_MEMORY)


class TaskReport(NamedTuple):
    """The result of checking a lesson's task.

    tests: the runs of a program, one by one. reasons: further defects, in sentences. reply: the
    lesson's reply to an expected mistake; one of the reasons.
    """

    done: bool
    tests: tuple[TestResult, ...] = ()
    reasons: tuple[str, ...] = ()
    dialect: str = DIALECT
    reply: str | None = None

    def as_json(self, max_bytes: int | None = SHOWN_IN_TEST) -> dict[str, Any]:
        """Return the report as a JSON object.

        max_bytes: maximum number of bytes of each test's output, None for all.
        """
        return {
            "done": self.done,
            "dialect": self.dialect,
            "tests": [test.as_json(max_bytes) for test in self.tests],
            "reasons": list(self.reasons),
        }


def check_state_condition(lesson: Lesson, timeline: Timeline) -> TaskReport:
    """Check whether a task's condition on the state holds at the position of a timeline.

    Raises LessonError if the task has no condition.
    """
    task = lesson.task
    if task.when is None:
        raise LessonError(
            f"{lesson.file}: the task has no `when`; expected a condition on the state"
        )
    names, state = timeline.program.register_names(), MachineState(timeline.machine)
    if Condition(task.when, names).value(state):
        return TaskReport(True)
    for each in task.replies:
        if each.when is not None and Condition(each.when, names).value(state):
            return TaskReport(False, reasons=(each.say,), reply=each.say)
    return TaskReport(False, reasons=(f"not at step {timeline.step:,}",))


def check_answer_text(lesson: Lesson, answer: str) -> TaskReport:
    """Check an answer, ignoring surrounding whitespace and case."""
    if _matches_any(answer, lesson.task.answers):
        return TaskReport(True)
    for each in lesson.task.replies:
        if _matches_any(answer, each.answers):
            return TaskReport(False, reasons=(each.say,), reply=each.say)
    return TaskReport(False, reasons=("wrong answer",))


def _matches_any(answer: str, answers: tuple[str, ...]) -> bool:
    given = answer.strip().casefold()
    return any(given == each.strip().casefold() for each in answers)


GENERATED_RUNS = 5
"""Minimum number of runs with generated inputs; each pattern of the task is used at least once."""


def check_program_runs(
    lesson: Lesson,
    source: bytes,
    cancelled: Callable[[], bool] | None = None,
    options: Mapping[str, str | int] | None = None,
) -> TaskReport | None:
    """Check a program with the runs of a task; return None when cancelled."""
    parsed = parse_source(lesson.language_id, source, DIALECT, options)
    tested = TestedProgram(lesson.language_id, source, options or {})
    if isinstance(parsed, Outcome):
        runs = (*lesson.task.runs, *lesson.task.hidden_runs)
        tests = [_judge(index, run, parsed, tested) for index, run in enumerate(runs, 1)]
        return TaskReport(False, tuple(tests))
    runs = _runs_for(lesson, source, cancelled)
    tests: list[TestResult] = []
    for index, run in enumerate(runs, 1):
        outcome = _run(parsed, run.input, cancelled)
        if outcome is None:
            return None
        tests.append(_judge(index, run, outcome, tested))
    reasons = _violated_requirements(lesson, parsed, tests, cancelled)
    if reasons is None:
        return None
    done = not reasons and all(test.passed for test in tests)
    reply = None if done else _find_reply(lesson, tests, cancelled)
    if reply is not None:
        reasons = (reply, *reasons)
    return TaskReport(done, tuple(tests), reasons, reply=reply)


def _runs_for(
    lesson: Lesson, source: bytes, cancelled: Callable[[], bool] | None
) -> tuple[TaskRun, ...]:
    """Return the runs that check a program: the task's runs, and some with generated inputs.

    The same program always gets the same inputs; different programs get different ones.
    """
    task, solution = lesson.task, lesson.solution.program
    runs = (*task.runs, *task.hidden_runs)
    if not task.inputs or solution is None:
        return runs
    right = parse_source(lesson.language_id, solution)
    if isinstance(right, Outcome):
        raise LessonError(f"{lesson.file}: the solution does not parse: {right.stderr}")
    random = Random(lesson.slug.encode() + b"\0" + source)
    generated: list[TaskRun] = []
    for number in range(max(GENERATED_RUNS, len(task.inputs))):
        stdin = fill(task.inputs[number % len(task.inputs)], random).encode()
        outcome = _run(right, stdin, cancelled)
        if outcome is None:
            break
        if outcome.status != "ok":
            raise LessonError(f"{lesson.file}: the solution ended with {outcome.status}")
        generated.append(TaskRun(stdin, outcome.stdout))
    return (*runs, *generated)


def _find_reply(
    lesson: Lesson, tests: list[TestResult], cancelled: Callable[[], bool] | None
) -> str | None:
    """Return the reply to the mistake in the learner's program; None if it is unknown.

    A mistake is recognized if its program behaves like the learner's in all ``tests``. Also returns
    None when cancelled.
    """
    for each in lesson.task.replies:
        parsed = parse_source(lesson.language_id, each.program or b"")
        if each.program is None or isinstance(parsed, Outcome):
            continue
        for test in tests:
            assert test.detail is not None
            outcome = _run(parsed, test.detail.input, cancelled)
            if outcome is None:
                return None
            same = outcome.stdout == test.detail.got
            if not same or (outcome.status == "ok") != (test.verdict in ("pass", "wrong_answer")):
                break
        else:
            return each.say
    return None


def _run(program: Program, stdin: bytes, cancelled: Callable[[], bool] | None) -> Outcome | None:
    """Return the outcome of a run within limits; None when cancelled."""
    deadline = monotonic() + TIME_LIMIT
    called_off = False

    def tick(_steps: int) -> bool:
        nonlocal called_off
        called_off = cancelled is not None and cancelled()
        return not called_off and monotonic() < deadline

    outcome = run_program(program, DIALECT, stdin, _limits(), tick=tick)
    if outcome.status == "time_limit":
        outcome.stderr = f"the limit of {TIME_LIMIT:g} s was reached"
    return None if called_off else outcome


def _judge(index: int, run: TaskRun, outcome: Outcome, program: TestedProgram) -> TestResult:
    verdict = outcome.status
    if verdict == "ok":
        verdict = "pass" if outcome.stdout == run.output else "wrong_answer"
    detail = TestDetail(run.input, run.output, outcome.stdout, outcome.stderr)
    fault = "" if outcome.fault is None else outcome.fault.kind
    cause = explain_difference(
        program, run.input, run.output, outcome.stdout, RunEnding(verdict, fault)
    )
    return TestResult(index, None, verdict, outcome.steps, outcome.memory, detail, cause)


def _violated_requirements(
    lesson: Lesson,
    program: Program,
    tests: list[TestResult],
    cancelled: Callable[[], bool] | None,
) -> tuple[str, ...] | None:
    """Return a message about each violated requirement except output; None when cancelled."""
    task = lesson.task
    reasons: list[str] = []
    size = len(program.source)
    if task.most_bytes is not None and size > task.most_bytes:
        reasons.append(f"{plural(size, 'byte')}; the task allows {task.most_bytes:,}")
    steps = max((test.steps for test in tests), default=0)
    if task.most_steps is not None and steps > task.most_steps:
        reasons.append(f"{plural(steps, 'step')}; the task allows {task.most_steps:,}")
    for text in task.at_most_once:
        count = len(program.occurrences(text))
        if count > 1:
            reasons.append(f"the task allows {text} once; the program contains it {count} times")
    if task.must_use:
        unused = _find_unused(program, task.must_use, tests, cancelled)
        if unused is None:
            return None
        reasons += unused
    return tuple(reasons)


def _find_unused(
    program: Program,
    texts: tuple[str, ...],
    tests: list[TestResult],
    cancelled: Callable[[], bool] | None,
) -> list[str] | None:
    """Return a message about each required instruction that no run executed; None when cancelled.

    texts: required instructions.
    """
    places = {text: program.occurrences(text) for text in texts}
    sought = {text: found for text, found in places.items() if found}
    in_time = True
    for test in tests:
        if not sought:
            break
        executed = _find_executed_instructions(program, sought, test, cancelled)
        if cancelled is not None and cancelled():
            return None
        in_time &= executed.in_time
        sought = {text: sought[text] for text in sought if text not in executed.texts}
    reasons: list[str] = []
    for text in texts:
        if not places[text]:
            reasons.append(f"the task requires {text} in the program")
        elif text in sought and in_time:
            reasons.append(
                f"the task requires {text}: the program contains it, but never executes it"
            )
        elif text in sought:
            reasons.append(
                f"the task requires {text}: no run executed it, and a run reached the limit of "
                f"{TIME_LIMIT:g} s"
            )
    return reasons


class _ExecutedInstructions(NamedTuple):
    """The instructions that a run executed.  in_time: whether the time limit was not reached."""

    texts: set[str]
    in_time: bool


def _find_executed_instructions(
    program: Program,
    instructions: dict[str, tuple[Address, ...]],
    test: TestResult,
    cancelled: Callable[[], bool] | None,
) -> _ExecutedInstructions:
    """Run a program and return which of ``instructions`` it executed; stop once it executed all."""
    assert test.detail is not None
    machine, tally = program.start(test.detail.input, limits=_limits()), program.new_tally()
    deadline = monotonic() + TIME_LIMIT
    texts: set[str] = set()
    while machine.status not in FINAL and len(texts) < len(instructions):
        if monotonic() >= deadline or (cancelled is not None and cancelled()):
            return _ExecutedInstructions(texts, in_time=False)
        machine.tally(SLICE[program.engine], tally)
        texts |= {
            text
            for text, places in instructions.items()
            if any(tally.count_and_last_step(place)[0] for place in places)
        }
    return _ExecutedInstructions(texts, in_time=True)


def open_unsolved_debugger(lesson: Lesson) -> Debugger:
    """Return a debugger for a lesson's initial program or, if that is invalid, a sample program."""
    language = find_language(lesson.language_id)
    return Debugger.open(language.id, language.sample() if lesson.broken else lesson.program)


def open_debugger(lesson: Lesson, source: bytes | None = None) -> Debugger:
    """Return a debugger at step 0 of the lesson's or learner's program.

    Raises ParseError if the program is invalid.
    """
    stdin, expected = lesson_input(lesson)
    return Debugger.open(
        lesson.language_id,
        lesson.program if source is None else source,
        stdin=stdin,
        closed=bool(stdin) or expected is not None,
    )


EDITED_BY_HAND = "a cell was edited; the program itself must set it"
"""The message for a learner who edited a cell by hand in a task that checks the state."""


def check_state(lesson: Lesson, debugger: Debugger) -> TaskReport:
    """Check a task about the state at the debugger's current step.

    Raises UsageError if the lesson has a task of another kind.

    The task is not done if the debugger runs another program, or if cells were edited by hand.
    """
    _check_kind(lesson, "state")
    run = debugger.recording
    if (run.language, run.source) != (lesson.language_id, lesson.program):
        return TaskReport(False, reasons=("the debugger runs a program other than the lesson's",))
    if any(each.step <= debugger.step for each in run.edits):
        return TaskReport(False, reasons=(EDITED_BY_HAND,))
    return check_state_condition(lesson, debugger.timeline)


def check_answer(lesson: Lesson, answer: str) -> TaskReport:
    """Check a learner's answer; raises UsageError if the task has no question."""
    _check_kind(lesson, "answer")
    return check_answer_text(lesson, answer)


def check_program(
    lesson: Lesson,
    source: bytes,
    *,
    worker: Worker | None = None,
    cancelled: Callable[[], bool] | None = None,
    options: Mapping[str, str | int] | None = None,
) -> TaskReport | None:
    """Check a program for a lesson's task; return None when cancelled.

    options: options of the dialect, such as the notation of the source. A problem is graded by its
    hidden practice tests. Raises UsageError if the task of the lesson does not require a program.
    """
    _check_kind(lesson, "program", "problem")
    problem = lesson.task.problem
    if problem is None:
        return check_program_runs(lesson, source, cancelled, options)
    from esoplay.packs.grading import grade_source  # imported late, as it imports multiprocessing

    report = grade_source(
        problem,
        lesson.language_id,
        source,
        options=options,
        worker=worker,
        cancelled=cancelled,
    )
    return TaskReport(report.solved, report.tests)


def find_lesson_defects(lesson: Lesson, worker: Worker | None = None) -> list[str]:
    """Return a sentence about each defect of a lesson; an empty list if it has none.

    The program of a lesson without defects parses, or fails to parse if it is marked as broken; the
    task is not done at the start, and the solution completes it. Drills are checked in the same
    way.
    """
    error = check(lesson.language_id, lesson.program)
    if error is not None and not lesson.broken:
        return [
            f"the program is invalid: line {error.line}, column {error.column}: {error.message}"
        ]
    found = (
        ["the program is marked as broken, but it parses"] if lesson.broken and not error else []
    )
    try:
        found += _find_solution_defects(lesson, worker)
        found += _find_reply_defects(lesson)
    except (EsoplayError, ParseError) as wrong:
        found.append(str(wrong))
    for drill in lesson.drills:
        found += [
            f"drill {drill.drill_number}: {complaint}"
            for complaint in find_lesson_defects(drill, worker)
        ]
    return found


def _find_reply_defects(lesson: Lesson) -> list[str]:
    """Return the defects of replies to expected mistakes.

    A reply is defective if one of its wrong answers is accepted, or if its wrong program is correct
    or does not get this reply.
    """
    found: list[str] = []
    for number, each in enumerate(lesson.task.replies, 1):
        wrong = [answer for answer in each.answers if check_answer(lesson, answer).done]
        found += [
            f"reply {number} treats the answer {answer!r} as wrong, but it is correct"
            for answer in wrong
        ]
        if each.when is not None:
            Condition(each.when, open_debugger(lesson).program.register_names())
        if each.program is not None:
            report = check_program_runs(lesson, each.program)
            if report is None or report.done:
                found.append(f"reply {number} is for a wrong program, but its program is correct")
            elif report.reply != each.say:
                reasons = "; ".join(report.reasons) or "no reply"
                found.append(
                    f"the program of reply {number} must get this reply, but gets: {reasons}"
                )
    return found


def _find_solution_defects(lesson: Lesson, worker: Worker | None) -> list[str]:
    kind, solution = lesson.task.kind, lesson.solution
    if kind == "answer":
        return [
            f"the answer {answer!r} is not accepted"
            for answer in lesson.task.answers
            if not check_answer(lesson, f" {answer.upper()} ").done
        ] + (["an empty answer is accepted"] if check_answer(lesson, " ").done else [])
    found: list[str] = []
    if kind == "state":
        debugger = open_debugger(lesson)
        if check_state(lesson, debugger).done:
            found.append("the task is done before the first step")
        debugger.seek(solution.step or 0)
        if debugger.step != solution.step:
            found.append(
                f"the program ends or waits at step {debugger.step}, before step {solution.step} "
                "of the solution"
            )
        if not check_state(lesson, debugger).done:
            found.append(f"the task is not done at step {solution.step}")
        return found
    before = check_program(lesson, lesson.program, worker=worker)
    after = check_program(lesson, solution.program or b"", worker=worker)
    if before is not None and before.done:
        found.append("the initial program already does the task")
    if after is not None and not after.done:
        failed = [test for test in after.tests if not test.passed]
        found += [f"the solution fails run {test.index}: {test.detail}" for test in failed[:1]]
        found += [f"the solution: {reason}" for reason in after.reasons]
    return found


def _check_kind(lesson: Lesson, *kinds: str) -> None:
    if lesson.task.kind in kinds:
        return
    wanted = {
        "state": "a position in the debugger",
        "answer": "an answer",
        "program": "a program",
        "problem": "a program",
    }
    raise UsageError(f"lesson {lesson.number} requires {wanted[lesson.task.kind]}")
