"""What lessons ask learners to press and type: the passages, keys and results of ``tests/walks``.

A line of ``instructions.txt`` has a passage of a lesson, the keys that it names, and their result.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from esoplay.learning.lessons import Lesson, get_course

FILE = Path(__file__).parent / "walks" / "instructions.txt"


class Instruction(NamedTuple):
    """A passage and the keys that it names.

    first: keys that come before them.  step: where they lead.  seen: where they lead on the screen,
    which stops before an instruction that reads or prints where the text debugger stops after it.
    """

    passage: str
    first: tuple[str, ...]
    keys: tuple[str, ...]
    step: int | None
    seen: int | None
    view: str | None
    done: bool


def all_instructions() -> dict[tuple[str, str], list[Instruction]]:
    """The instructions of each lesson and drill, by language and name, in their order."""
    found: dict[tuple[str, str], list[Instruction]] = {}
    lines: list[Instruction] = []
    for line in FILE.read_text().splitlines():
        if line.startswith("== "):
            language, name = line.removeprefix("== ").split()
            lines = found[language, name] = []
        elif line and not line.startswith("#"):
            lines.append(_instruction(line))
    return found


def _instruction(line: str) -> Instruction:
    passage, keys, result = line.split(" => ")
    first, _, rest = keys.partition("] ") if keys.startswith("[") else ("", "", keys)
    words = result.split()
    steps = [int(each) for each in words[0].split("/") if each.isdigit()]
    return Instruction(
        passage,
        _keys(first.removeprefix("[")),
        _keys(rest),
        steps[0] if steps else None,
        steps[-1] if steps else None,
        None if steps else words[0],
        "done" in words,
    )


def _keys(text: str) -> tuple[str, ...]:
    return tuple(each for each in text.split("; ") if each not in ("", "-"))


def passages(lesson: Lesson) -> Iterator[str]:
    """All texts of a lesson or drill, each paragraph or sentence with single spaces."""
    task = lesson.task
    replies = (each.say for each in task.replies)
    own = () if lesson.drill_number else (lesson.text,)
    for text in (*own, task.say, task.done_text, *task.hints, *replies):
        yield " ".join(text.split())


def lesson_of(key: tuple[str, str]) -> Lesson:
    return get_course(key[0]).find_lesson(key[1])
