"""Courses: the lessons of a language, read from a folder of TOML files.

Built-in courses are in ``courses/<language id>``; an added language may have a folder ``lessons``
in its own folder. The format is described in ``docs/learning.md``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, field

from esolangs.language import Language
from esolangs.registry import find_language
from esolangs.wording import plural
from esoplay.decoding import DecodingError, StrictTable, Text, Texts, decode_toml
from esoplay.errors import LessonError, UnknownLesson
from esoplay.learning.inputs import fill

View = Literal["debug", "edit"]
Kind = Literal["state", "program", "answer", "problem"]

MAX_STEPS = 2_000_000
"""The step limit of each run of a task."""


class TaskRun(NamedTuple):
    """One run of a learner's program: its ``input`` and the exact ``output`` expected."""

    input: bytes
    output: bytes


class ExpectedMistake(NamedTuple):
    """A mistake that learners are likely to make, and the reply to it.

    Exactly one of these is set: ``answers``, the wrong answers; ``when``, a condition that holds at
    a wrong position; ``program``, a program with the same mistake, which behaves like the learner's
    program in every run of the task.
    """

    say: str
    answers: tuple[str, ...] = ()
    when: str | None = None
    program: bytes | None = None


@dataclass(frozen=True, slots=True)
class LessonTask:
    """The task of a lesson; exactly one of ``when``, ``runs``, ``answers`` and ``problem`` is set.

    say: the text of the task, in Markdown.
    when: a condition that must hold at the learner's position in the debugger.
    runs: inputs, and the output that the learner's program must print for each of them.
    answers: the correct answers, one of which is sufficient.
    problem: a problem of the built-in pack, graded by its hidden tests.
    hidden_runs: further runs, shown only when they fail.
    inputs: patterns of further inputs, which differ from program to program (see
        ``esoplay.learning.inputs``); the solution's output is the correct one.
    most_bytes, most_steps, must_use, at_most_once: additional requirements for a program.
        ``must_use`` are instructions, in the notation of breakpoints, which the runs must execute,
        and ``at_most_once`` instructions that the program may contain only once.
    hints: shown one by one on request.
    done_text: a summary of what the learner has learned, shown at the end.
    replies: mistakes that are recognized, each with the reply that the learner gets.
    """

    say: str
    hints: tuple[str, ...]
    done_text: str
    when: str | None = None
    runs: tuple[TaskRun, ...] = ()
    answers: tuple[str, ...] = ()
    problem: str | None = None
    most_bytes: int | None = None
    most_steps: int | None = None
    must_use: tuple[str, ...] = ()
    at_most_once: tuple[str, ...] = ()
    hidden_runs: tuple[TaskRun, ...] = ()
    inputs: tuple[str, ...] = ()
    replies: tuple[ExpectedMistake, ...] = ()

    @property
    def kind(self) -> Kind:
        if self.when is not None:
            return "state"
        if self.runs:
            return "program"
        return "answer" if self.answers else "problem"


class TaskSolution(NamedTuple):
    """The solution of a task: a position, ``step``, or a ``program``."""

    step: int | None = None
    program: bytes | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson or one of its drills: a text, an initial program and a task.

    number: position in the course, from 1. slug: the name of the file, and the key of saved
    progress. text: the lesson in Markdown. view: the screen that the lesson uses. program: the
    initial program; ``broken``: whether it is not valid yet. stdin: the input while stepping; if
    empty, the learner types it. drills: short exercises on the same idea, each a lesson with a task
    of any kind but ``problem``. drill_number: counts from 1; 0 for the lesson itself. former_names:
    slugs in earlier versions; progress saved under them still counts.
    """

    language_id: str
    number: int
    slug: str
    title: str
    text: str
    view: View
    program: bytes
    stdin: bytes
    broken: bool
    task: LessonTask
    solution: TaskSolution
    file: Path
    drills: tuple[Lesson, ...] = ()
    drill_number: int = 0
    former_names: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the number of the lesson or drill, such as ``3`` or ``3.1``."""
        return f"{self.number}.{self.drill_number}" if self.drill_number else f"{self.number}"

    def as_json_row(self) -> dict[str, Any]:
        """Return the row in a list of lessons."""
        return {
            "number": self.number,
            "slug": self.slug,
            "title": self.title,
            "task": self.task.kind,
        }

    def as_json(self) -> dict[str, Any]:
        """Return everything that a front end may show, without the solution."""
        task = self.task
        data: dict[str, Any] = {
            **self.as_json_row(),
            "language": self.language_id,
            "text": self.text,
            "view": self.view,
            "program": self.program.decode(),
            "stdin": self.stdin.decode(),
            "say": task.say,
            "hints": list(task.hints),
        }
        if task.when is not None:
            data["when"] = task.when
        if task.runs:
            data["runs"] = [
                {"input": run.input.decode(), "output": run.output.decode()} for run in task.runs
            ]
        if task.problem is not None:
            data["problem"] = task.problem
        for name in ("most_bytes", "most_steps"):
            if getattr(task, name) is not None:
                data[name] = getattr(task, name)
        for name in ("must_use", "at_most_once"):
            if getattr(task, name):
                data[name] = list(getattr(task, name))
        if self.drill_number:
            data["drill"] = self.drill_number
        if self.drills:
            data["drills"] = [
                {"number": each.drill_number, "say": each.task.say} for each in self.drills
            ]
        return data


@dataclass(frozen=True, slots=True)
class Course:
    """The lessons of a language in order; may be empty."""

    language_id: str
    lessons: tuple[Lesson, ...]

    def __iter__(self) -> Iterator[Lesson]:
        return iter(self.lessons)

    def __len__(self) -> int:
        return len(self.lessons)

    def lesson(self, number: int) -> Lesson:
        """Return the lesson with this number, from 1; raise UnknownLesson if it does not exist."""
        if not self.lessons:
            raise UnknownLesson(f"no course in {self.language_id}")
        if not 1 <= number <= len(self.lessons):
            count = len(self.lessons)
            raise UnknownLesson(f"the course in {self.language_id} has lessons 1 to {count}")
        return self.lessons[number - 1]

    def drill(self, number: int, drill_number: int) -> Lesson:
        """Return a drill of a lesson; both numbers start at 1.

        Raises UnknownLesson if the lesson or the drill does not exist.
        """
        drills = self.lesson(number).drills
        if not 1 <= drill_number <= len(drills):
            there_are = (
                f"has {plural(len(drills), 'drill')}, numbered from 1"
                if drills
                else "has no drills"
            )
            raise UnknownLesson(f"lesson {number} of the course in {self.language_id} {there_are}")
        return drills[drill_number - 1]

    def find_lesson(self, name: str) -> Lesson:
        """Return the lesson or drill with a name such as ``3`` or ``3.1``.

        Raises UnknownLesson if it does not exist.
        """
        number, dot, drill = name.partition(".")
        if not (number.isdecimal() and (drill.isdecimal() or not dot)):
            raise UnknownLesson(
                f"expected the number of a lesson, such as 3 or 3.1, found {name!r}"
            )
        return self.drill(int(number), int(drill)) if dot else self.lesson(int(number))

    def next_lesson(self, lesson: Lesson) -> Lesson | None:
        """Return the next drill after a drill, if any; otherwise the next lesson.

        Returns None if no further lesson exists.
        """
        drills = self.lessons[lesson.number - 1].drills
        if 0 < lesson.drill_number < len(drills):
            return drills[lesson.drill_number]
        return self.lessons[lesson.number] if lesson.number < len(self.lessons) else None


_BUILT_IN = Path(__file__).parent / "courses"

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.]+)\s*\]\]?")
_KEY = re.compile(r"\s*(\w+)\s*=")
_MULTILINE_QUOTE = re.compile("'''|\"\"\"")

_NonEmpty = Meta(min_length=1, extra={"outside": "expected at least one string"})


class TaskRunTable(StrictTable):
    """A test of the learner's program in a lesson's task: input and expected output."""

    input: str
    output: str


class ReplyTable(StrictTable, kw_only=True):
    """A likely mistake in a lesson's task, and the reply to it."""

    say: Text
    answer: Annotated[Texts, _NonEmpty] | None = None
    when: Text | None = None
    program: str | None = None

    def __post_init__(self) -> None:
        if sum(each is not None for each in (self.answer, self.when, self.program)) != 1:
            raise DecodingError("", "expected exactly one of answer, when and program")


class TaskTable(StrictTable, kw_only=True):
    """The table ``[task]`` of a lesson."""

    say: Text
    hints: Annotated[Texts, _NonEmpty]
    done: Text
    when: Text | None = None
    runs: (
        Annotated[
            tuple[TaskRunTable, ...],
            Meta(min_length=1, extra={"expected": "a list of at least one table"}),
        ]
        | None
    ) = None
    answer: Annotated[Texts, _NonEmpty] | None = None
    most_bytes: int | None = None
    most_steps: int | None = None
    must_use: Texts | None = None
    at_most_once: Texts = ()
    hidden_runs: tuple[TaskRunTable, ...] = ()
    replies: tuple[ReplyTable, ...] = ()

    def __post_init__(self) -> None:
        for name in ("most_bytes", "most_steps", "must_use", "at_most_once", "hidden_runs"):
            if getattr(self, name) not in (None, ()) and not self.runs:
                raise DecodingError(name, "requires task.runs")
        for number, reply in enumerate(self.replies):
            for name, task_has in (("answer", self.answer), ("when", self.when)):
                if getattr(reply, name) is not None and task_has is None:
                    raise DecodingError(f"replies[{number}].{name}", f"requires task.{name}")
            if reply.program is not None and not self.runs:
                raise DecodingError(f"replies[{number}].program", "requires task.runs")


class DrillTable(StrictTable, kw_only=True):
    """An exercise: the learner writes a program, reaches a debugger state, or gives an answer."""

    say: Text
    solution: Text | None = None
    step: int | None = None
    runs: (
        Annotated[
            tuple[TaskRunTable, ...],
            Meta(min_length=1, extra={"expected": "a list of at least one table"}),
        ]
        | None
    ) = None
    when: Text | None = None
    answer: Annotated[Texts, _NonEmpty] | None = None
    inputs: Texts = ()
    view: View | None = None
    program: str = ""
    stdin: str = ""
    hints: Texts = ()
    done: str = ""
    most_bytes: int | None = None
    most_steps: int | None = None
    must_use: Texts = ()
    at_most_once: Texts = ()
    replies: tuple[ReplyTable, ...] = ()

    def __post_init__(self) -> None:
        if sum(each is not None for each in (self.when, self.runs, self.answer)) != 1:
            raise DecodingError("", "expected exactly one of runs, when and answer")
        kind = "program" if self.runs else "state" if self.when is not None else "answer"
        for name, wanted in (("solution", "program"), ("step", "state")):
            if getattr(self, name) is None and kind == wanted:
                raise DecodingError(name, "missing")
            if getattr(self, name) is not None and kind != wanted:
                raise DecodingError(name, f"has no effect in a task of kind {kind}")
        for name in ("inputs", "most_bytes", "most_steps", "must_use", "at_most_once"):
            if getattr(self, name) not in (None, ()) and kind != "program":
                raise DecodingError(name, "requires the field runs")
        for number, pattern in enumerate(self.inputs):
            try:
                fill(pattern, Random(0))
            except ValueError as error:
                raise DecodingError(f"inputs[{number}]", str(error)) from None
        wanted = {"program": "program", "state": "when"}.get(kind, kind)
        for number, reply in enumerate(self.replies):
            if getattr(reply, wanted) is None:
                words = f"the reply of a drill of kind {kind} requires {wanted}"
                raise DecodingError(f"replies[{number}]", words)


class SolutionTable(StrictTable):
    """The table ``[solution]`` of a lesson."""

    step: int | None = None
    program: str | None = None


class LessonTable(StrictTable, kw_only=True):
    """A lesson file."""

    title: Text
    text: Text
    view: View
    program: str | None = None
    stdin: str = ""
    broken: bool = False
    problem: Text | None = None
    task: TaskTable
    solution: SolutionTable = field(default_factory=SolutionTable)
    drills: tuple[DrillTable, ...] = ()
    former_names: Texts = ()
    was: Texts = ()

    def __post_init__(self) -> None:
        checks = [self.task.when, self.task.runs, self.task.answer, self.problem]
        if sum(check is not None for check in checks) != 1:
            words = "expected exactly one of task.when, task.runs, task.answer and problem"
            raise DecodingError("task", words)
        kind = self.kind
        wanted = {"state": "step", "answer": None}.get(kind, "program")
        for name in ("step", "program"):
            value = getattr(self.solution, name)
            if name == wanted and value is None:
                raise DecodingError("solution", f"a task of kind {kind} needs solution.{name}")
            if name != wanted and value is not None:
                raise DecodingError(f"solution.{name}", f"has no effect in a task of kind {kind}")

    @property
    def kind(self) -> Kind:
        """Return the kind of the lesson's task."""
        if self.task.when is not None:
            return "state"
        if self.task.runs is not None:
            return "program"
        return "answer" if self.task.answer is not None else "problem"


@cache
def load_course(language_id: str) -> Course:
    """Return the course in a language, which may be empty.

    Raises UnknownLanguage if the language is not installed, and LessonError if a file is invalid.
    """
    language = find_language(language_id)
    return read_course(_course_folder(language), language.id)


def load_first_lesson(language_id: str) -> Lesson:
    """Return lesson 1 of a course without reading the others.

    Raises UnknownLanguage if the language is not installed, UnknownLesson if the course is empty,
    and LessonError if a file is invalid.
    """
    language = find_language(language_id)
    files = lesson_files(_course_folder(language))
    return read_lesson(files[0], language.id) if files else load_course(language_id).lesson(1)


def read_course(folder: Path, language_id: str) -> Course:
    """Read a course from a folder of ``*.toml`` files in order of name.

    Raises LessonError if a file is invalid.
    """
    files = lesson_files(folder)
    lessons = tuple(read_lesson(file, language_id, at) for at, file in enumerate(files, 1))
    return Course(language_id, lessons)


def lesson_files(folder: Path) -> list[Path]:
    """Return the files of a course, in the order of the lessons."""
    return sorted(folder.glob("*.toml"))


def read_lesson(file: Path, language_id: str, number: int = 1) -> Lesson:
    """Read one lesson; raise LessonError, which names file and line, if it is invalid."""
    try:
        source = file.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise LessonError(f"{file}: cannot be read: {error}") from error
    try:
        table = decode_toml(source, LessonTable)
    except DecodingError as mistake:
        if mistake.__cause__ is not None:  # invalid TOML: the error names the line
            raise LessonError(f"{file}: {mistake}") from None
        line, path = find_line(source, mistake.path), mistake.path or "lesson"
        raise LessonError(f"{file}:{line}: {path}: {mistake.message}") from None
    program, solved = table.program, table.solution.program
    lesson = Lesson(
        language_id=language_id,
        number=number,
        slug=file.stem,
        title=table.title,
        text=table.text.strip(),
        view=table.view,
        program=find_language(language_id).starter() if program is None else program.encode(),
        stdin=table.stdin.encode(),
        broken=table.broken,
        task=_task(table.task, table.problem),
        solution=TaskSolution(table.solution.step, None if solved is None else solved.encode()),
        file=file,
        former_names=(*table.former_names, *table.was),
    )
    drills = (_drill(lesson, each, at) for at, each in enumerate(table.drills, 1))
    return replace(lesson, drills=tuple(drills))


def _drill(lesson: Lesson, table: DrillTable, number: int) -> Lesson:
    task = LessonTask(
        say=table.say.strip(),
        hints=table.hints,
        done_text=table.done.strip(),
        when=table.when,
        runs=_runs(table.runs or ()),
        answers=table.answer or (),
        inputs=table.inputs,
        most_bytes=table.most_bytes,
        most_steps=table.most_steps,
        must_use=table.must_use,
        at_most_once=table.at_most_once,
        replies=_replies(table.replies),
    )
    return replace(
        lesson,
        slug=f"{lesson.slug}.{number}",
        title=f"{lesson.title}, drill {number}",
        text=task.say,
        view=table.view or ("edit" if table.runs else "debug"),
        program=table.program.encode(),
        stdin=table.stdin.encode(),
        broken=False,
        task=task,
        solution=TaskSolution(
            table.step, None if table.solution is None else table.solution.encode()
        ),
        drill_number=number,
        former_names=tuple(f"{each}.{number}" for each in lesson.former_names),
    )


def _runs(tables: Iterable[TaskRunTable]) -> tuple[TaskRun, ...]:
    return tuple(TaskRun(run.input.encode(), run.output.encode()) for run in tables)


def _replies(tables: Iterable[ReplyTable]) -> tuple[ExpectedMistake, ...]:
    return tuple(
        ExpectedMistake(
            each.say.strip(),
            each.answer or (),
            each.when,
            None if each.program is None else each.program.encode(),
        )
        for each in tables
    )


def _task(table: TaskTable, problem: str | None) -> LessonTask:
    return LessonTask(
        say=table.say.strip(),
        hints=table.hints,
        done_text=table.done.strip(),
        when=table.when,
        runs=_runs(table.runs or ()),
        answers=table.answer or (),
        problem=problem,
        most_bytes=table.most_bytes,
        most_steps=table.most_steps,
        must_use=table.must_use or (),
        at_most_once=table.at_most_once,
        hidden_runs=_runs(table.hidden_runs),
        replies=_replies(table.replies),
    )


def _course_folder(language: Language) -> Path:
    shipped = _BUILT_IN / language.id
    if shipped.is_dir():
        return shipped
    module = sys.modules[type(language).__module__]
    return Path(str(module.__file__)).parent / "lessons"


def find_line(source: str, field: str) -> int:
    """Return the line, from 1, of the field at a path such as ``task.runs[1].output``.

    If the field is missing, returns the line of the nearest table around it, or 1.
    """
    lines = {path: number for number, path in reversed(list(_paths(source)))}
    while field and field not in lines:
        field = field.rpartition("[" if field.endswith("]") else ".")[0]
    return lines.get(field, 1)


def _paths(source: str) -> Iterator[tuple[int, str]]:
    """Yield line numbers with the path of the table or field that starts there."""
    table, ends = "", ""
    counts: dict[str, int] = {}
    latest: dict[str, str] = {}  # arrays of tables: the path of the current element
    for number, line in enumerate(source.split("\n"), 1):
        if ends:
            ends = "" if ends in line else ends
            continue
        if header := _HEADER.match(line):
            parent, dot, name = header[2].rpartition(".")
            table = latest.get(parent, parent) + dot + name
            if header[1] == "[[":
                index = counts.get(table, 0)
                counts[table] = index + 1
                yield number, table
                table = latest[header[2]] = f"{table}[{index}]"
            yield number, table
        elif key := _KEY.match(line):
            yield number, f"{table}.{key[1]}" if table else key[1]
            marks = _MULTILINE_QUOTE.findall(line)
            ends = marks[0] if len(marks) == 1 else ""
