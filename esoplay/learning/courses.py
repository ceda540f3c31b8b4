"""Loading courses: a folder of a language's lessons, one TOML file each.

Those that ship are in ``courses/<language id>``; a language that was added may have a folder
``lessons`` in its own.  The format is described in ``docs/learning.md``.
"""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from pathlib import Path

from esolangs.language import Language
from esolangs.registry import find_language
from esoplay.errors import LessonError
from esoplay.learning.fields import LessonFields
from esoplay.learning.lesson import VIEWS, Course, Lesson, Run, Solution, Task

_SHIPPED = Path(__file__).parent / "courses"


@cache
def load_course(language_id: str) -> Course:
    """The course in a language, which may be empty.

    Raises UnknownLanguage, and LessonError for a broken file.
    """
    language = find_language(language_id)
    return read_course(_folder_of(language), language.id)


def read_course(folder: Path, language_id: str) -> Course:
    """The course in a folder: its ``*.toml`` in the order of their names; raises LessonError."""
    files = sorted(folder.glob("*.toml"))
    lessons = tuple(read_lesson(file, language_id, at) for at, file in enumerate(files, 1))
    return Course(language_id, lessons)


def read_lesson(file: Path, language_id: str, number: int = 1) -> Lesson:
    """One lesson; raises LessonError, which names file and line."""
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise LessonError(f"{file}: {error}") from error
    except (OSError, ValueError) as error:
        raise LessonError(f"{file}: cannot be read: {error}") from error
    fields = LessonFields(table, str(file))
    problem = fields.text("problem") if fields.has("problem") else None
    lesson = Lesson(
        language_id=language_id,
        number=number,
        slug=file.stem,
        title=fields.text("title"),
        text=fields.text("text").strip(),
        view="debug" if fields.word("view", VIEWS) == "debug" else "edit",
        program=fields.bytes("program")
        if fields.has("program")
        else find_language(language_id).starter(),
        stdin=fields.bytes("stdin") if fields.has("stdin") else b"",
        broken=fields.flag("broken"),
        task=_read_task(fields.table("task"), problem),
        solution=_read_solution(fields.table("solution")),
        file=file,
    )
    fields.finish()
    _check_solution(fields, lesson)
    return lesson


def _read_task(fields: LessonFields, problem: str | None) -> Task:
    checks = [name for name in ("when", "runs", "answer") if fields.has(name)]
    if len(checks) + (problem is not None) != 1:
        fields.refuse("", "exactly one of when, runs, answer, and problem outside of the task")
    task = Task(
        say=fields.text("say").strip(),
        hints=fields.texts("hints"),
        done=fields.text("done").strip(),
        when=fields.text("when") if "when" in checks else None,
        runs=tuple(_read_run(table) for table in fields.tables("runs")) if "runs" in checks else (),
        answers=fields.texts("answer") if "answer" in checks else (),
        problem=problem,
        most_bytes=fields.integer("most_bytes") if fields.has("most_bytes") else None,
        most_steps=fields.integer("most_steps") if fields.has("most_steps") else None,
        must_use=fields.texts("must_use") if fields.has("must_use") else (),
    )
    for name, found in (("hints", task.hints), ("answer", task.answers or ("",))):
        if not found:
            fields.fail(name, "at least one text", [])
    for name in ("most_bytes", "most_steps", "must_use"):
        if fields.has(name) and not task.runs:
            fields.refuse(name, "goes with runs alone")
    fields.finish()
    return task


def _read_run(fields: LessonFields) -> Run:
    run = Run(fields.bytes("input"), fields.bytes("output"))
    fields.finish()
    return run


def _read_solution(fields: LessonFields) -> Solution:
    solution = Solution(
        fields.integer("step") if fields.has("step") else None,
        fields.bytes("program") if fields.has("program") else None,
    )
    fields.finish()
    return solution


def _check_solution(fields: LessonFields, lesson: Lesson) -> None:
    """The solution has what the kind of task asks for, and nothing else."""
    kind, solution = lesson.task.kind, lesson.solution
    wanted = {"state": "step", "answer": None}.get(kind, "program")
    for name, value in solution._asdict().items():
        if name == wanted and value is None:
            fields.refuse("solution", f"a task of kind {kind} needs solution.{name}")
        if name != wanted and value is not None:
            fields.refuse(f"solution.{name}", f"says nothing in a task of kind {kind}")


def _folder_of(language: Language) -> Path:
    shipped = _SHIPPED / language.id
    if shipped.is_dir():
        return shipped
    module = sys.modules[type(language).__module__]
    return Path(str(module.__file__)).parent / "lessons"
