"""What a course holds, as frozen values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from esoplay.errors import UnknownLesson

View = Literal["debug", "edit"]
Kind = Literal["state", "program", "answer", "problem"]

MOST_STEPS = 2_000_000
"""Steps of each run of a task, where the lesson asks for no fewer."""


class Run(NamedTuple):
    """One run of a learner's program: ``output`` is exactly what ``input`` must produce."""

    input: bytes
    output: bytes


@dataclass(frozen=True, slots=True)
class Task:
    """What the learner is to do; exactly one of ``when``, ``runs``, ``answers`` and ``problem``.

    when: a condition that must hold where the learner stands in the debugger.
    runs: what the learner's program must print.  answers: any of them is right.
    problem: of the pack that ships, to be solved by its hidden tests.
    most_bytes, most_steps, must_use: further demands on a program; ``must_use`` are
    instructions, as breakpoints name them.
    hints: asked for one by one.  done: what was learnt, said at the end.
    """

    say: str
    hints: tuple[str, ...]
    done: str
    when: str | None = None
    runs: tuple[Run, ...] = ()
    answers: tuple[str, ...] = ()
    problem: str | None = None
    most_bytes: int | None = None
    most_steps: int | None = None
    must_use: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        if self.when is not None:
            return "state"
        if self.runs:
            return "program"
        return "answer" if self.answers else "problem"


class Solution(NamedTuple):
    """How a task can be done: stand at ``step``, or write ``program``."""

    step: int | None = None
    program: bytes | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson.

    number: from 1, in the course.  slug: its file's name, by which progress is kept.
    text: Markdown.  view: where it happens.  program: what it opens with; ``broken`` says that
    it is no program yet.  stdin: the input while stepping; empty leaves it open, to be typed.
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
    task: Task
    solution: Solution
    file: Path

    def as_json_row(self) -> dict[str, Any]:
        """The line that a list of lessons shows."""
        return {
            "number": self.number,
            "slug": self.slug,
            "title": self.title,
            "task": self.task.kind,
        }

    def as_json(self) -> dict[str, Any]:
        """What a front end may show: everything but how the task is done."""
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
        if task.must_use:
            data["must_use"] = list(task.must_use)
        return data


@dataclass(frozen=True, slots=True)
class Course:
    """The lessons of a language in their order; none where nobody has written any."""

    language_id: str
    lessons: tuple[Lesson, ...]

    def __iter__(self) -> Iterator[Lesson]:
        return iter(self.lessons)

    def __len__(self) -> int:
        return len(self.lessons)

    def lesson(self, number: int) -> Lesson:
        """The lesson of this number, from 1; raises UnknownLesson."""
        if not self.lessons:
            raise UnknownLesson(f"there is no course in {self.language_id}")
        if not 1 <= number <= len(self.lessons):
            count = len(self.lessons)
            raise UnknownLesson(f"the course in {self.language_id} has lessons 1 to {count}")
        return self.lessons[number - 1]

    def after(self, lesson: Lesson) -> Lesson | None:
        """The lesson that follows, or None behind the last."""
        return self.lessons[lesson.number] if lesson.number < len(self.lessons) else None
