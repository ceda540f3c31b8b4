"""Commands that take a lesson."""

from __future__ import annotations

from esoplay.cli.output import read_program
from esoplay.cli.repl.desk import Command, Desk, Reply
from esoplay.cli.repl.lesson_words import told_lines, told_phrase
from esoplay.cli.repl.syntax import Line, whole
from esoplay.errors import UsageError
from esoplay.service.lessons import (
    Lesson,
    TaskReport,
    check_answer,
    check_program,
    get_course,
    open_debugger,
)
from esoplay.timeline.places import bytes_text


def _lesson(desk: Desk, line: Line) -> Reply:
    language_id = desk.debugger.program.language.id
    course = get_course(language_id)
    if not line.arguments:
        lines = [f"{lesson.number}: {lesson.title}" for lesson in course]
        rows = [lesson.as_json_row() for lesson in course]
        return Reply(lines or [f"there is no course in {language_id}"], {"lessons": rows})
    lesson = course.lesson(whole(line.arguments[0], "the number of a lesson", 1))
    debugger = open_debugger(lesson)  # before anything changes: a broken program raises
    desk.take(lesson, debugger)
    text = told_lines(lesson.text)
    lines = [f"lesson {lesson.number}: {lesson.title}", *text]
    here = desk.here()
    return Reply(
        [*lines, f"task: {told_phrase(lesson.task.say)}", *here.lines],
        {"lesson": lesson.as_json(), **here.data},
    )


def _task(desk: Desk, line: Line) -> Reply:
    lesson = _taken(desk)
    state = "done" if desk.task_done else "not done yet"
    return Reply([f"task: {told_phrase(lesson.task.say)}", state], {"done": desk.task_done})


def _hint(desk: Desk, line: Line) -> Reply:
    lesson = _taken(desk)
    hints = lesson.task.hints
    desk.hints_told = min(desk.hints_told + 1, len(hints))
    text = hints[desk.hints_told - 1]
    words = f"hint {desk.hints_told} of {len(hints)}: {told_phrase(text)}"
    return Reply([words], {"hint": desk.hints_told, "of": len(hints), "text": text})


def _answer(desk: Desk, line: Line) -> Reply:
    lesson = _taken(desk)
    return _told(desk, check_answer(lesson, line.rest), lesson)


def _check(desk: Desk, line: Line) -> Reply:
    lesson = _taken(desk)
    if not line.rest.strip():
        raise UsageError("check takes the file of a program")
    report = check_program(
        lesson, read_program(line.rest.strip()), cancelled=lambda: desk.interrupted
    )
    if report is None:
        raise UsageError("interrupted")
    return _told(desk, report, lesson)


def _told(desk: Desk, report: TaskReport, lesson: Lesson) -> Reply:
    lines = list(report.reasons)
    for test in report.tests:
        lines.append(f"run {test.index}: {test.verdict.replace('_', ' ')}")
        if test.detail is not None and not test.passed:
            lines.append(
                f"  input {bytes_text(test.detail.input)}, "
                f"wanted {bytes_text(test.detail.expected)}, "
                f"got {bytes_text(test.detail.got)}"
            )
    desk.task_done = desk.task_done or report.done
    learnt = f"task done: {told_phrase(lesson.task.done)}"
    lines.append(learnt if report.done else "not done yet")
    return Reply(lines, report.as_json())


def _taken(desk: Desk) -> Lesson:
    if desk.lesson is None:
        raise UsageError("no lesson is being taken: lesson 1 begins the first")
    return desk.lesson


COMMANDS = (
    Command(
        ("lesson",),
        "[N]",
        "take a lesson of this language, which opens its program; without a number list them",
        _lesson,
        ("lesson", "lesson 1"),
    ),
    Command(("task",), "", "say what the lesson asks for, and whether it is done", _task),
    Command(("hint",), "", "say the next hint of the lesson", _hint),
    Command(("answer",), "TEXT", "answer the question of the lesson", _answer, ("answer 9",)),
    Command(
        ("check",),
        "FILE",
        "try a program that the lesson asks for",
        _check,
        ("check mine.bf",),
    ),
)
