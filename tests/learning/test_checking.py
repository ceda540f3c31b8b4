"""Checks of tasks: programs within bounds, answers, further demands."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esoplay.errors import UsageError
from esoplay.learning.course import MOST_STEPS, Lesson, Run, Task
from esoplay.learning.lessons import (
    check_answer,
    check_program,
    check_state,
    get_course,
    open_debugger,
)

ANY = get_course("brainfuck").lesson(3)
ECHO = Task("Echo.", ("hint",), "done", runs=(Run(b"ab", b"ab"), Run(b"", b"")))


def asking(task: Task) -> Lesson:
    return replace(ANY, task=task)


def verdicts(lesson: Lesson, source: bytes) -> list[str]:
    report = check_program(lesson, source)
    assert report is not None
    assert report.done == (not report.reasons and all(test.passed for test in report.tests))
    return [test.verdict for test in report.tests]


def test_every_run_must_print_exactly_what_is_wanted() -> None:
    assert verdicts(asking(ECHO), b",[.,]") == ["pass", "pass"]
    assert verdicts(asking(ECHO), b",.,.") == ["pass", "wrong_answer"]
    assert verdicts(asking(ECHO), b",[.,]++++++++++.") == ["wrong_answer", "wrong_answer"]


def test_endless_and_broken_programs_come_to_an_end() -> None:
    lesson = asking(ECHO)
    assert verdicts(lesson, b"+[]") == ["step_limit", "step_limit"]
    assert verdicts(lesson, b"+[.]") == ["output_limit", "output_limit"]
    assert verdicts(lesson, b"[") == ["parse_error", "parse_error"]
    assert verdicts(lesson, b"<") == ["fault", "fault"]
    report = check_program(lesson, b"+[]")
    assert report is not None
    assert report.tests[0].steps == MOST_STEPS


def test_a_check_can_be_called_off() -> None:
    assert check_program(asking(ECHO), b"+[]", cancelled=lambda: True) is None


@pytest.mark.parametrize(
    ("demand", "source", "reason"),
    [
        ({"most_bytes": 6}, b", [.,]", None),
        ({"most_bytes": 5}, b", [.,]", "6 bytes; the task allows 5"),
        ({"most_steps": 3}, b",[.,]", "9 steps; the task allows 3"),
        ({"must_use": ("[",)}, b",[.,]", None),
        ({"must_use": ("-", "[")}, b",[.,]", "the task asks for - in the program"),
    ],
)
def test_further_demands_are_named_when_they_are_missed(
    demand: dict[str, object], source: bytes, reason: str | None
) -> None:
    report = check_program(asking(replace(ECHO, **demand)), source)
    assert report is not None
    assert report.reasons == (() if reason is None else (reason,))
    assert report.done == (reason is None)


@given(st.text(max_size=20))
def test_an_answer_counts_without_case_and_blanks_around_it(answer: str) -> None:
    lesson = asking(Task("What?", ("hint",), "done", answers=("Nine", "9")))
    right = answer.strip().casefold() in ("nine", "9")
    assert check_answer(lesson, answer).done == right
    assert check_answer(lesson, f"\t{answer} ").done == right
    assert check_answer(lesson, " nINE ").done


def test_a_state_is_asked_where_the_debugger_stands() -> None:
    lesson = get_course("brainfuck").lesson(1)
    debugger = open_debugger(lesson)
    done: list[int] = []
    for step in range(8):
        debugger.seek(step)
        if check_state(lesson, debugger).done:
            done.append(debugger.step)
    assert done == [6]
    debugger.seek(5)
    assert not check_state(lesson, debugger).done


def test_a_task_is_checked_in_its_own_way_alone() -> None:
    state, program = get_course("brainfuck").lesson(1), ANY
    with pytest.raises(UsageError, match="asks for a place to stand"):
        check_program(state, b"+")
    with pytest.raises(UsageError, match="asks for a program"):
        check_answer(program, "x")
    with pytest.raises(UsageError, match="asks for a program"):
        check_state(program, open_debugger(program))
