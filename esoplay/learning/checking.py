"""Is a task done?  By a debugger's state, by runs of a program, or by an answer."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, NamedTuple

from esolangs.language import Program
from esolangs.limits import MEBIBYTE, Limits
from esoplay.errors import LessonError
from esoplay.grading.report import Detail, TestResult
from esoplay.learning.lesson import MOST_STEPS, Lesson, Run
from esoplay.running.run import Outcome, parse_source, run_program
from esoplay.timeline.conditions import Condition
from esoplay.timeline.states import MachineState
from esoplay.timeline.timeline import Timeline

TIME_LIMIT = 10.0
"""Seconds of wall clock for each run of a task: a backstop, not a measure."""

_OUTPUT, _MEMORY = 1 << 16, 64 * MEBIBYTE


class TaskReport(NamedTuple):
    """What a check came to.

    tests: the runs of a program, one by one.  reasons: what else is missing, in sentences.
    """

    done: bool
    tests: tuple[TestResult, ...] = ()
    reasons: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "done": self.done,
            "tests": [test.as_json() for test in self.tests],
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
        tests.append(_judge(index, run, outcome))
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
    outcome = run_program(program, "standard", run.input, limits, tick=tick)
    if outcome.status == "time_limit":
        outcome.stderr = f"the limit of {TIME_LIMIT:g} s was reached"
    return None if called_off else outcome


def _judge(index: int, run: Run, outcome: Outcome) -> TestResult:
    verdict = outcome.status
    if verdict == "ok":
        verdict = "pass" if outcome.stdout == run.output else "wrong_answer"
    detail = Detail(run.input, run.output, outcome.stdout, outcome.stderr)
    return TestResult(index, None, verdict, outcome.steps, outcome.memory, detail)


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
