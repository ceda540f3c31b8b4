"""``lesson.*``: courses, for whoever teaches; never for a solver in a session."""

from __future__ import annotations

from typing import Any

from esoplay.rpc.connection import Call
from esoplay.rpc.errors import cancelled, invalid_params
from esoplay.rpc.methods.shared import LANGUAGE, PROGRAM, read_program
from esoplay.rpc.parameters import Parameter, text, whole
from esoplay.rpc.table import Method
from esoplay.service.lessons import (
    check_answer,
    check_program,
    check_state,
    get_course,
    get_lesson,
    open_debugger,
)


def list_lessons(call: Call, *, language: str) -> dict[str, Any]:
    """The lessons of a language in their order."""
    course = get_course(language)
    return {
        "language": course.language_id,
        "lessons": [lesson.as_json_row() for lesson in course],
    }


def show_lesson(call: Call, *, language: str, lesson: int) -> dict[str, Any]:
    """One lesson: text, program, task, hints."""
    return get_lesson(language, lesson).as_json()


def check_lesson(
    call: Call,
    *,
    language: str,
    lesson: int,
    program: bytes | None = None,
    program_base64: bytes | None = None,
    path: str | None = None,
    debug: str | None = None,
    step: int | None = None,
    answer: str | None = None,
) -> dict[str, Any]:
    """Whether a task is done: by a program, a debugger or a step of its program, or an answer."""
    found = get_lesson(language, lesson)
    sources = (program, program_base64, path)
    ways = [any(each is not None for each in sources)]
    ways += [each is not None for each in (debug, step, answer)]
    if sum(ways) != 1:
        raise invalid_params("give exactly one of a program, debug, step, answer")
    if answer is not None:
        report = check_answer(found, answer)
    elif debug is not None:
        report = check_state(found, call.connection.debuggers.get(debug))
    elif step is not None:
        debugger = open_debugger(found)
        debugger.seek(step, call.tick)
        call.check()
        report = check_state(found, debugger)
    else:
        report = check_program(
            found,
            read_program(call, program, program_base64, path),
            worker=call.connection.worker,
            cancelled=lambda: call.is_cancelled,
        )
    if report is None:
        raise cancelled()
    data = report.as_json()
    return {**data, "learnt": found.task.done} if report.done else data


LESSON = Parameter("lesson", whole(1), required=True)

LESSON_METHODS = (
    Method("lesson.list", list_lessons, (LANGUAGE,)),
    Method("lesson.get", show_lesson, (LANGUAGE, LESSON)),
    Method(
        "lesson.check",
        check_lesson,
        (
            LANGUAGE,
            LESSON,
            *PROGRAM,
            Parameter("debug", text),
            Parameter("step", whole()),
            Parameter("answer", text),
        ),
    ),
)
"""None is for solvers: a session measures what somebody can do without being taught."""
