"""Find a lesson, its initial program and its input."""

from __future__ import annotations

from esolangs.errors import EngineError
from esolangs.registry import find_language
from esoplay.errors import UsageError
from esoplay.learning.course import Course, Lesson, LessonTask, load_course, load_first_lesson
from esoplay.packs.catalogue import get_problem

__all__ = [
    "Course",
    "Lesson",
    "LessonTask",
    "get_course",
    "get_drill",
    "get_first_lesson",
    "get_lesson",
    "lesson_input",
    "visible_program",
]


def get_course(language_id: str) -> Course:
    """Return the course in a language.

    Raises UsageError if the language is unknown, and LessonError if a file is invalid.
    """
    try:
        return load_course(language_id)
    except EngineError as error:
        raise UsageError(str(error)) from None


def get_first_lesson(language_id: str) -> Lesson:
    """Return lesson 1 without reading the others; raise the errors of :func:`get_lesson`."""
    try:
        return load_first_lesson(language_id)
    except EngineError as error:
        raise UsageError(str(error)) from None


def get_lesson(language_id: str, number: int) -> Lesson:
    """Return one lesson, counted from 1.

    Raises UnknownLesson if the course has no such lesson, and the errors of :func:`get_course`.
    """
    return get_course(language_id).lesson(number)


def get_drill(language_id: str, number: int, drill_number: int) -> Lesson:
    """Return a drill of a lesson, both counted from 1; raise the errors of :func:`get_lesson`."""
    return get_course(language_id).drill(number, drill_number)


def lesson_input(lesson: Lesson) -> tuple[bytes, bytes | None]:
    """Return the input of a lesson's program in the debugger, and the expected output if known.

    If the input is empty, the user types it.
    """
    if lesson.task.runs and not lesson.stdin:
        return lesson.task.runs[0]
    if lesson.task.problem is not None and not lesson.stdin:
        example = get_problem(lesson.task.problem).examples[0]
        return example.input, example.output
    return lesson.stdin, None


def visible_program(lesson: Lesson) -> str:
    """Return a lesson's initial program; Whitespace programs are shown with visible signs."""
    text = lesson.program.decode()
    if not find_language(lesson.language_id).editing().letters:
        return text
    return text.replace(" ", "·").replace("\t", "→").replace("\n", "¶\n")
