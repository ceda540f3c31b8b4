"""Loading courses: a folder of a language's lessons, one TOML file each.

Those that ship are in ``courses/<language id>``; a language that was added may have a folder
``lessons`` in its own.  The format is described in ``docs/learning.md``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated

from msgspec import Meta, field

from esolangs.language import Language
from esolangs.registry import find_language
from esoplay.decoding import Mistake, Table, Text, Texts, decode_toml
from esoplay.errors import LessonError
from esoplay.learning.lesson import Course, Kind, Lesson, Run, Solution, Task, View

_SHIPPED = Path(__file__).parent / "courses"

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.]+)\s*\]\]?")
_KEY = re.compile(r"\s*(\w+)\s*=")
_LONG = re.compile("'''|\"\"\"")

_OneOrMore = Meta(min_length=1, extra={"expected": "at least one text"})


class RunTable(Table):
    """A run of the learner's program in a lesson's task."""

    input: str
    output: str


class TaskTable(Table, kw_only=True):
    """The table ``[task]`` of a lesson."""

    say: Text
    hints: Annotated[tuple[Text, ...], _OneOrMore]
    done: Text
    when: Text | None = None
    runs: (
        Annotated[
            tuple[RunTable, ...],
            Meta(min_length=1, extra={"expected": "a list of at least one table"}),
        ]
        | None
    ) = None
    answer: Annotated[tuple[Text, ...], _OneOrMore] | None = None
    most_bytes: int | None = None
    most_steps: int | None = None
    must_use: Texts | None = None

    def __post_init__(self) -> None:
        for name in ("most_bytes", "most_steps", "must_use"):
            if getattr(self, name) is not None and not self.runs:
                raise Mistake(name, "goes with runs alone")


class SolutionTable(Table):
    """The table ``[solution]`` of a lesson."""

    step: int | None = None
    program: str | None = None


class LessonTable(Table, kw_only=True):
    """The file of a lesson."""

    title: Text
    text: Text
    view: View
    program: str | None = None
    stdin: str = ""
    broken: bool = False
    problem: Text | None = None
    task: TaskTable
    solution: SolutionTable = field(default_factory=SolutionTable)

    def __post_init__(self) -> None:
        checks = [self.task.when, self.task.runs, self.task.answer, self.problem]
        if sum(check is not None for check in checks) != 1:
            words = "exactly one of when, runs, answer, and problem outside of the task"
            raise Mistake("task", words)
        kind = self.kind
        wanted = {"state": "step", "answer": None}.get(kind, "program")
        for name in ("step", "program"):
            value = getattr(self.solution, name)
            if name == wanted and value is None:
                raise Mistake("solution", f"a task of kind {kind} needs solution.{name}")
            if name != wanted and value is not None:
                raise Mistake(f"solution.{name}", f"says nothing in a task of kind {kind}")

    @property
    def kind(self) -> Kind:
        """The kind of its task."""
        if self.task.when is not None:
            return "state"
        if self.task.runs is not None:
            return "program"
        return "answer" if self.task.answer is not None else "problem"


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
        source = file.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise LessonError(f"{file}: cannot be read: {error}") from error
    try:
        table = decode_toml(source, LessonTable)
    except Mistake as mistake:
        if mistake.__cause__ is not None:  # not TOML: its error names the line
            raise LessonError(f"{file}: {mistake}") from None
        line, path = line_of(source, mistake.path), mistake.path or "lesson"
        raise LessonError(f"{file}:{line}: {path}: {mistake.words}") from None
    program, solved = table.program, table.solution.program
    return Lesson(
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
        solution=Solution(table.solution.step, None if solved is None else solved.encode()),
        file=file,
    )


def _task(table: TaskTable, problem: str | None) -> Task:
    return Task(
        say=table.say.strip(),
        hints=table.hints,
        done=table.done.strip(),
        when=table.when,
        runs=tuple(Run(run.input.encode(), run.output.encode()) for run in table.runs or ()),
        answers=table.answer or (),
        problem=problem,
        most_bytes=table.most_bytes,
        most_steps=table.most_steps,
        must_use=table.must_use or (),
    )


def _folder_of(language: Language) -> Path:
    shipped = _SHIPPED / language.id
    if shipped.is_dir():
        return shipped
    module = sys.modules[type(language).__module__]
    return Path(str(module.__file__)).parent / "lessons"


def line_of(source: str, where: str) -> int:
    """The line, from 1, of the field at a path such as ``task.runs[1].output``.

    Of a field that is missing that of its table, of a table that is missing the first.
    """
    lines = {path: number for number, path in reversed(list(_paths(source)))}
    while where and where not in lines:
        where = where.rpartition(".")[0]
    return lines.get(where, 1)


def _paths(source: str) -> Iterator[tuple[int, str]]:
    """Lines and the tables and fields that begin in them."""
    table, ends = "", ""
    counts: dict[str, int] = {}
    for number, line in enumerate(source.split("\n"), 1):
        if ends:
            ends = "" if ends in line else ends
            continue
        if header := _HEADER.match(line):
            table = header[2]
            if header[1] == "[[":
                index = counts.get(table, 0)
                counts[table] = index + 1
                yield number, table
                table = f"{table}[{index}]"
            yield number, table
        elif key := _KEY.match(line):
            yield number, f"{table}.{key[1]}" if table else key[1]
            marks = _LONG.findall(line)
            ends = marks[0] if len(marks) == 1 else ""
