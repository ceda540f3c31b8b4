"""The path after a course: problems by difficulty, and the lessons they require.

``path.toml`` has the problems, which are the same in every language.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from esoplay.decoding import DecodingError, StrictTable, Text, Texts, decode_toml
from esoplay.errors import LessonError
from esoplay.learning.course import Lesson
from esoplay.learning.lessons import get_course
from esoplay.packs.catalogue import get_problem

FILE = Path(__file__).with_name("path.toml")


class PathStepTable(StrictTable):
    """A problem of the path.  lessons: required lessons by language, as slugs without numbers."""

    problem: Text
    say: Text
    lessons: dict[str, Texts]


class PathTable(StrictTable):
    """The file ``path.toml``."""

    steps: tuple[PathStepTable, ...]


class PathStep(NamedTuple):
    """A problem on a language's learning path; ``description`` is about its new ideas."""

    problem: str
    title: str
    tier: str
    description: str
    lessons: tuple[Lesson, ...]

    @property
    def lessons_text(self) -> str:
        """The numbers and titles of the required lessons, such as ``lesson 3 Loops``."""
        names = [f"{each.number} {each.title}" for each in self.lessons]
        return f"lesson{'s' * (len(names) > 1)} {', '.join(names)}"

    def as_json(self, solved: Collection[str]) -> dict[str, Any]:
        return {
            "problem": self.problem,
            "title": self.title,
            "tier": self.tier,
            "say": self.description,
            "lessons": [each.number for each in self.lessons],
            "solved": self.problem in solved,
        }


@lru_cache(maxsize=16)
def get_path(language_id: str) -> tuple[PathStep, ...]:
    """Return the path in a language, in order; empty for a language without lessons.

    Raises LessonError if the path names a lesson that is not in the course.
    """
    try:
        table = decode_toml(FILE.read_text("utf-8"), PathTable)
    except DecodingError as mistake:
        raise LessonError(f"{FILE}: {mistake}") from None
    lessons = {each.slug.partition("-")[2]: each for each in get_course(language_id)}
    steps: list[PathStep] = []
    for each in table.steps:
        slugs = each.lessons.get(language_id)
        if slugs is None:
            continue
        missing = [slug for slug in slugs if slug not in lessons]
        if missing:
            raise LessonError(f"{FILE}: {each.problem}: no lesson {missing[0]} in {language_id}")
        problem = get_problem(each.problem)
        needed = tuple(lessons[slug] for slug in slugs)
        steps.append(PathStep(problem.id, problem.title, problem.tier, each.say, needed))
    return tuple(steps)


def next_path_step(language_id: str, solved: Collection[str]) -> PathStep | None:
    """Return the first unsolved problem of the path; None without a path or if all are solved."""
    return next((each for each in get_path(language_id) if each.problem not in solved), None)


def path_lines(language_id: str, solved: Collection[str]) -> list[str]:
    """Return the lines of a language's path, with the progress; [] for a language without one."""
    steps = get_path(language_id)
    if not steps:
        return []
    done = sum(each.problem in solved for each in steps)
    lines = [f"path after the course: {done} of {len(steps)} problems solved"]
    for number, each in enumerate(steps, 1):
        state = ", solved" if each.problem in solved else ""
        lines.append(f"{number}: {each.problem} {each.title}, {each.tier}{state}")
        lines.append(f"  {each.description} The problem needs {each.lessons_text}.")
    return lines
