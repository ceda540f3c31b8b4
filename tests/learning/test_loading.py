"""Broken lessons are refused with the file and the line of what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from esoplay.errors import LessonError, UnknownLesson
from esoplay.learning.checks import check_answer, check_state, find_lesson_defects, open_debugger
from esoplay.learning.course import read_course, read_lesson
from esoplay.learning.lessons import get_course

GOOD = """\
title = "One"
text = '''
Press l.
title = "this line is text"
'''
view = "debug"
program = "++"
[task]
say = "Step."
hints = ["once"]
done = "You did."
when = "cell[0] == 1"
[solution]
step = 1
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "01-one.toml"


def test_a_lesson_is_read(file: Path) -> None:
    file.write_text(GOOD)
    lesson = read_lesson(file, "brainfuck")
    assert (lesson.slug, lesson.number, lesson.title) == ("01-one", 1, "One")
    assert (lesson.program, lesson.stdin, lesson.task.kind) == (b"++", b"", "state")
    assert find_lesson_defects(lesson) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('"One"', "1", 1, "title: expected a string that is not empty, found 1"),
        ('"debug"', '"watch"', 6, "view: expected debug | edit"),
        ('["once"]', "[]", 10, "task.hints: expected at least one string"),
        ('["once"]', '"once"', 10, "task.hints: expected a list of strings, found 'once'"),
        ('["once"]', "[3]", 10, "task.hints[0]: expected a string that is not empty, found 3"),
        ('say = "Step."\n', "", 8, "task.say: this field is missing"),
        ("step = 1", "steps = 1", 14, "solution.steps: unknown field"),
        ("step = 1", 'step = 1\nprogram = "+"', 15, "has no effect in a task of kind state"),
        ("step = 1", "", 13, "needs solution.step"),
        ('when = "cell[0] == 1"', 'answer = ["1"]\nwhen = "1"', 8, "exactly one of task.when"),
        ('when = "cell[0] == 1"', "most_bytes = 3\nanswer = ['1']", 12, "requires task.runs"),
        (
            'when = "cell[0] == 1"',
            '[[task.runs]]\ninput = ""\noutput = ""\n[[task.runs]]\ninput = ""\noutput = 3',
            17,
            "task.runs[1].output: expected a string",
        ),
    ],
)
def test_errors_are_reported_with_their_line(
    file: Path, old: str, new: str, line: int, words: str
) -> None:
    assert old in GOOD
    file.write_text(GOOD.replace(old, new))
    with pytest.raises(LessonError) as caught:
        read_lesson(file, "brainfuck")
    assert str(caught.value).startswith(f"{file}:{line}: ")
    assert words in str(caught.value)


def test_invalid_toml_is_reported_with_its_line(file: Path) -> None:
    file.write_text(GOOD.replace('view = "debug"', "view = debug"))
    with pytest.raises(LessonError, match=r"01-one\.toml: .*line 6"):
        read_lesson(file, "brainfuck")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"++"', '"["', "the program is invalid: line 1, column 1"),
        ('"++"', '"++"\nbroken = true', "the program is marked as broken, but it parses"),
        ("cell[0] == 1", "cell[0] < 2", "the task is done before the first step"),
        ("cell[0] == 1", "cell[0] == 5", "the task is not done at step 1"),
        ("cell[0] == 1", "cel[0] == 5", "only cell and stack can be indexed"),
        ("step = 1", "step = 9", "the program ends or waits at step 2"),
    ],
)
def test_defects_of_a_lesson_that_cannot_be_completed_are_reported(
    file: Path, old: str, new: str, complaint: str
) -> None:
    file.write_text(GOOD.replace(old, new))
    assert any(complaint in each for each in find_lesson_defects(read_lesson(file, "brainfuck")))


def test_lessons_are_numbered_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("10-last", "01-first", "02-second"):
        (tmp_path / f"{name}.toml").write_text(GOOD)
    course = read_course(tmp_path, "brainfuck")
    assert [lesson.slug for lesson in course] == ["01-first", "02-second", "10-last"]
    assert course.next_lesson(course.lesson(2)) is course.lesson(3)
    assert course.next_lesson(course.lesson(3)) is None


def test_missing_files_are_reported() -> None:
    with pytest.raises(UnknownLesson, match="has lessons 1 to 20"):
        get_course("brainfuck").lesson(99)


DRILLED = (
    GOOD
    + """\
[[drills]]
say = "Print the digit twice."
inputs = ["{digit}"]
solution = ",.."
[[drills.runs]]
input = "1"
output = "11"
[[drills.replies]]
program = ",."
say = "That is once."
"""
)


def test_a_drill_is_a_lesson_of_its_own(file: Path) -> None:
    file.write_text(DRILLED)
    lesson = read_lesson(file, "brainfuck")
    (drill,) = lesson.drills
    assert (drill.slug, drill.name, drill.task.kind) == ("01-one.1", "1.1", "program")
    assert find_lesson_defects(lesson) == []
    course = read_course(file.parent, "brainfuck")
    assert course.drill(1, 1).task.say == "Print the digit twice."
    with pytest.raises(UnknownLesson, match="brainfuck has 1 drill, numbered from 1"):
        course.drill(1, 2)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"{digit}"', '"{9..1}"', r"17: drills\[0\].inputs\[0\]: {9..1}: expected {LOW..HIGH}"),
        ('program = ",."\n', "", r"replies\[0\]: expected exactly one of answer, when and program"),
        ('output = "11"', "output = 11", r"21: drills\[0\].runs\[0\].output: expected"),
        ('solution = ",.."\n', "", r"15: drills\[0\].solution: missing"),
        ('solution = ",.."\n', 'when = "1"\n', r"drills\[0\]: expected exactly one of runs, when"),
        (
            'solution = ",.."',
            'solution = ",.."\nstep = 3',
            r"19: .*step: has no effect in a task of kind",
        ),
    ],
)
def test_a_broken_drill_is_refused(file: Path, old: str, new: str, words: str) -> None:
    file.write_text(DRILLED.replace(old, new))
    with pytest.raises(LessonError, match=words):
        read_lesson(file, "brainfuck")


STATE = (
    GOOD
    + """\
[[drills]]
say = "Stop at three."
program = ",++"
stdin = "1"
when = "cell[0] == 51"
step = 3
[[drills.replies]]
when = "cell[0] == 50"
say = "One more."
[[drills]]
say = "How much is it?"
answer = ["four", "4"]
program = "+++--+++"
[[drills.replies]]
answer = ["3"]
say = "Count again."
"""
)


def test_a_drill_may_ask_for_a_state_or_an_answer(file: Path) -> None:
    file.write_text(STATE)
    lesson = read_lesson(file, "brainfuck")
    state, answer = lesson.drills
    assert (state.task.kind, state.view, state.program) == ("state", "debug", b",++")
    debugger = open_debugger(state)
    debugger.seek(2)
    assert check_state(state, debugger).reply == "One more."
    debugger.seek(3)
    assert check_state(state, debugger).done
    assert (answer.task.kind, answer.stdin) == ("answer", b"")
    assert check_answer(answer, "3").reply == "Count again."
    assert check_answer(answer, " Four").done
    assert find_lesson_defects(lesson) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("step = 3\n", "", r"15: drills\[0\].step: missing"),
        (
            "step = 3",
            'step = 3\ninputs = ["{digit}"]',
            r"21: drills\[0\].inputs: requires the field runs",
        ),
        (
            "step = 3",
            "step = 3\nmost_bytes = 9",
            r"21: drills\[0\].most_bytes: requires the field runs",
        ),
        (
            'when = "cell[0] == 50"',
            'answer = ["1"]',
            r"reply of a drill of kind state requires when",
        ),
        ('answer = ["3"]', 'program = "+"', r"reply of a drill of kind answer requires answer"),
        ('stdin = "1"', 'view = "watch"', r"18: drills\[0\].view: expected debug \| edit"),
    ],
)
def test_a_broken_drill_without_a_program_is_refused(
    file: Path, old: str, new: str, words: str
) -> None:
    file.write_text(STATE.replace(old, new))
    with pytest.raises(LessonError, match=words):
        read_lesson(file, "brainfuck")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('solution = ",.."', 'solution = ",."', "drill 1: the solution fails run 1"),
        (
            'program = ",."',
            'program = ",.."',
            "drill 1: reply 1 is for a wrong program, but its program is correct",
        ),
    ],
)
def test_a_drill_that_does_not_work_is_reported(file: Path, old: str, new: str, words: str) -> None:
    file.write_text(DRILLED.replace(old, new))
    assert any(
        each.startswith(words) for each in find_lesson_defects(read_lesson(file, "brainfuck"))
    )
