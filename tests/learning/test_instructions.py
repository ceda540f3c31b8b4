"""What lessons have a learner press or type exists on the screen, in the REPL and in ``learn``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from esolangs.registry import find_language, language_ids
from esoplay.cli.main import main
from esoplay.cli.repl.debugger import LessonSession, Shell, lesson_lines, repl_table
from esoplay.debugging.debugger import Debugger
from esoplay.learning.lessons import Lesson, get_course

PAGE = Path(__file__).parents[2] / "docs" / "keys.md"
PRESSED = re.compile(r"\b[Pp]ress(?: the key)? `([^`]+)`")
"""What is to be pressed."""
NAMED = re.compile(r"(?<![\w`])(F\d+|\^[a-z]|alt\+[a-z]|Esc|Tab)\b")
"""Keys that are named in prose."""
GOES_ON = re.compile(r"\b[Tt]hen `(\d*[A-Za-z])` (?:to|goes|continues)")
"""Keys of the debugger later in a sentence."""
TYPED = re.compile(r"\b[Tt]ype `:?([^`]+)`")
"""Lines for the debugger's command line."""

LESSONS = [lesson for id in sorted(language_ids()) for lesson in get_course(id)]
STATES = [each for each in LESSONS if each.task.kind == "state"]
each_lesson = pytest.mark.parametrize(
    "lesson", LESSONS, ids=[f"{each.language_id}-{each.number}" for each in LESSONS]
)


def texts(lesson: Lesson) -> Iterator[str]:
    task = lesson.task
    yield from (lesson.text, task.say, task.done, *task.hints)


def keys_of_page() -> set[str]:
    """The keys that the table on the page of keys has."""
    rows = [line.split("|")[2] for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    return {key for row in rows for key in re.findall(r"`([^`]+)`", row)}


def named_key(words: str) -> str:
    """A key as the page spells it."""
    key = words.replace("^", "ctrl+")
    return key.lower() if len(key) > 1 else key


@each_lesson
def test_every_key_that_a_lesson_names_works_on_the_screen(lesson: Lesson) -> None:
    known = keys_of_page()
    for text in texts(lesson):
        pressed = {*PRESSED.findall(text), *NAMED.findall(text), *GOES_ON.findall(text)}
        for words in pressed:
            key = named_key(words.lstrip("0123456789"))
            assert key in known, (words, text)


@each_lesson
def test_every_line_that_a_lesson_has_typed_is_a_command(lesson: Lesson) -> None:
    if lesson.view != "debug":
        return
    table = repl_table()
    for text in texts(lesson):
        for line in TYPED.findall(text):
            if len(line.split()) > 1:
                assert table.read(line) is not None


@each_lesson
def test_every_key_of_a_lesson_is_a_command_of_the_repl(lesson: Lesson) -> None:
    table = repl_table()
    for text in texts(lesson):
        for spoken in lesson_lines(text):
            for quoted in re.findall(r"\b[Pp]ress(?: the key)? '([^']+)'", spoken):
                if quoted != ":":
                    assert table.read(quoted) is not None, spoken


@each_lesson
def test_every_lesson_is_done_in_the_repl(lesson: Lesson, tmp_path: Path) -> None:
    if lesson.task.kind == "problem":
        return  # its tests take long; the learners below take them
    said: list[str] = []
    debugger = Debugger.open(lesson.language_id, find_language(lesson.language_id).sample())
    shell = Shell(LessonSession(debugger), said.append, strict=True)
    shell.do(f"lesson {lesson.number}")
    if lesson.task.kind == "state":
        shell.do(f"goto {lesson.solution.step}")
    elif lesson.task.kind == "answer":
        assert "answer TEXT answers" in said
        shell.do(f"answer {lesson.task.answers[0]}")
    else:
        assert "here check FILE tests a program; F2, F5 and ^t are keys of the screen" in said
        file = tmp_path / "mine"
        assert lesson.solution.program is not None
        file.write_bytes(lesson.solution.program)
        shell.do(f"check {file}")
    assert any(line.startswith("task done") for line in said)


@pytest.mark.parametrize(
    "lesson", STATES[::4], ids=lambda each: f"{each.language_id}-{each.number}"
)
def test_learn_says_where_the_keys_of_a_lesson_work(
    lesson: Lesson, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn", lesson.language_id, str(lesson.number)]) == 0
    shown = capsys.readouterr().out
    assert "Keys are those of the screen; --repl takes the lesson in the text debugger." in shown
    assert f"Check: esoplay learn {lesson.language_id} {lesson.number} --step STEP" in shown
