"""Lessons as a conversation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from esoplay.cli.repl.debugger import DebuggerShell, LessonSession, lesson_phrase
from esoplay.debugging.debugger import Debugger
from esoplay.learning.lessons import get_course

COURSE = get_course("brainfuck")


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def shell(said: list[str]) -> DebuggerShell:
    return DebuggerShell(LessonSession(Debugger.open("brainfuck", b"+")), said.append)


def test_a_task_is_detected_once_where_it_is_done(shell: DebuggerShell, said: list[str]) -> None:
    lesson = COURSE.lesson(1)
    for line in ("lesson 1", "5 s", "task"):
        shell.run_line(line)
    assert f"task: {lesson_phrase(lesson.task.say)}" in said
    assert said[-1] == "not done yet"
    shell.run_line("s")
    assert f"task done: {lesson_phrase(lesson.task.done_text)}" in said
    shell.run_line("back")
    shell.run_line("s")
    assert said.count(f"task done: {lesson_phrase(lesson.task.done_text)}") == 1
    shell.run_line("task")
    assert said[-1] == "done"


def test_a_mistake_that_a_state_drill_expects_gets_its_reply(
    shell: DebuggerShell, said: list[str]
) -> None:
    early = COURSE.drill(1, 1).task.replies[0].say
    for line in ("lesson 1.1", "3 s", "task"):
        shell.run_line(line)
    assert said[-2:] == [early, "not done yet"]
    shell.run_line("6 s")
    assert "task done" in said


def test_hints_come_one_by_one(shell: DebuggerShell, said: list[str]) -> None:
    shell.run_line("hint")
    assert said == ["error: no lesson is open; `lesson 1` opens the first"]
    hints = COURSE.lesson(1).task.hints
    for line in ("lesson 1", "hint", "hint", "hint"):
        shell.run_line(line)
    told = [line for line in said if line.startswith("hint ")]
    assert told[:2] == [f"hint {n} of {len(hints)}: {lesson_phrase(hints[n - 1])}" for n in (1, 2)]
    assert told[-1].endswith(lesson_phrase(hints[-1]))


def test_check_runs_a_program_for_the_lesson(
    shell: DebuggerShell, said: list[str], tmp_path: Path
) -> None:
    lesson = next(each for each in COURSE if each.task.kind == "program")
    file = tmp_path / "mine.bf"
    file.write_bytes(lesson.program)
    shell.run_line(f"lesson {lesson.number}")
    shell.run_line(f"check {file}")
    assert said[-1] == "not done yet"
    assert "run 1: wrong answer" in said
    file.write_bytes(lesson.solution.program or b"")
    shell.run_line(f"check {file}")
    assert said[-1] == f"task done: {lesson_phrase(lesson.task.done_text)}"
    shell.run_line("answer 9")
    assert said[-1] == f"error: lesson {lesson.number} requires a program"


def test_lessons_are_available_as_json(said: list[str]) -> None:
    session = LessonSession(Debugger.open("brainfuck", b"+"))
    shell = DebuggerShell(session, said.append, as_json=True)
    for line in ("lesson", "lesson 1", "5 s", "s"):
        shell.run_line(line)
    listed, taken, before, done = map(json.loads, said)
    assert [row["title"] for row in listed["lessons"]] == [lesson.title for lesson in COURSE]
    assert taken["lesson"]["title"] == COURSE.lesson(1).title
    assert "task_done" not in before
    assert done["task_done"] is True


def test_a_number_that_is_not_there_is_refused(shell: DebuggerShell, said: list[str]) -> None:
    shell.run_line("lesson 99")
    shell.run_line("lesson one")
    assert said[0] == "error: the course in brainfuck has lessons 1 to 20"
    assert said[1].startswith("error: the number of a lesson must be an integer")
    assert shell.session.lesson is None


def test_other_programs_and_edits_do_not_complete_a_task(
    shell: DebuggerShell, said: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "other.bf"
    file.write_bytes(b"+++-.")
    for line in ("lesson 1", f"compare file {file}", "compare other", "goto 4"):
        shell.run_line(line)
    assert shell.session.debugger.view().step == 4
    shell.run_line("task")
    assert said[-1] == "not done yet"
    for line in ("compare other", "goto 3", "set 0 2", "task"):
        shell.run_line(line)
    assert said[-1] == "not done yet"
    for line in ("lesson 1", "goto 6", "task"):
        shell.run_line(line)
    assert said[-1] == "done"
