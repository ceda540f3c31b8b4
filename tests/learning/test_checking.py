"""Checks of tasks: programs within bounds, answers, further demands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esoplay.errors import UsageError
from esoplay.learning import checks
from esoplay.learning.checks import check_answer, check_program, check_state, open_debugger
from esoplay.learning.course import (
    MAX_STEPS,
    ExpectedMistake,
    Lesson,
    LessonTask,
    TaskRun,
    TaskSolution,
)
from esoplay.learning.lessons import get_course

ANY = get_course("brainfuck").lesson(3)
ECHO = LessonTask("Echo.", ("hint",), "done", runs=(TaskRun(b"ab", b"ab"), TaskRun(b"", b"")))


def lesson_with(task: LessonTask) -> Lesson:
    return replace(ANY, task=task)


def verdicts(lesson: Lesson, source: bytes) -> list[str]:
    report = check_program(lesson, source)
    assert report is not None
    assert report.done == (not report.reasons and all(test.passed for test in report.tests))
    return [test.verdict for test in report.tests]


def test_every_run_must_print_exactly_what_is_wanted() -> None:
    assert verdicts(lesson_with(ECHO), b",[.,]") == ["pass", "pass"]
    assert verdicts(lesson_with(ECHO), b",.,.") == ["pass", "wrong_answer"]
    assert verdicts(lesson_with(ECHO), b",[.,]++++++++++.") == ["wrong_answer", "wrong_answer"]


def test_checks_of_endless_and_broken_programs_end() -> None:
    lesson = lesson_with(ECHO)
    assert verdicts(lesson, b"+[]") == ["step_limit", "step_limit"]
    assert verdicts(lesson, b"+[.]") == ["output_limit", "output_limit"]
    assert verdicts(lesson, b"[") == ["parse_error", "parse_error"]
    assert verdicts(lesson, b"<") == ["fault", "fault"]
    report = check_program(lesson, b"+[]")
    assert report is not None
    assert report.tests[0].steps == MAX_STEPS


def test_a_check_can_be_cancelled() -> None:
    assert check_program(lesson_with(ECHO), b"+[]", cancelled=lambda: True) is None


@pytest.mark.parametrize(
    ("demand", "source", "reason"),
    [
        ({"most_bytes": 6}, b", [.,]", None),
        ({"most_bytes": 5}, b", [.,]", "6 bytes; the task allows 5"),
        ({"most_steps": 3}, b",[.,]", "9 steps; the task allows 3"),
        ({"must_use": ("[",)}, b",[.,]", None),
        ({"must_use": ("-", "[")}, b",[.,]", "the task requires - in the program"),
        ({"at_most_once": ("[", ".", "-")}, b",[.,]", None),
        (
            {"at_most_once": ("[", ",")},
            b",[.,]",
            "the task allows , once; the program contains it 2 times",
        ),
    ],
)
def test_missed_requirements_of_a_task_are_named(
    demand: dict[str, object], source: bytes, reason: str | None
) -> None:
    report = check_program(lesson_with(replace(ECHO, **demand)), source)
    assert report is not None
    assert report.reasons == (() if reason is None else (reason,))
    assert report.done == (reason is None)


@given(st.text(max_size=20))
def test_an_answer_counts_without_case_and_whitespace_around_it(answer: str) -> None:
    lesson = lesson_with(LessonTask("What?", ("hint",), "done", answers=("Nine", "9")))
    right = answer.strip().casefold() in ("nine", "9")
    assert check_answer(lesson, answer).done == right
    assert check_answer(lesson, f"\t{answer} ").done == right
    assert check_answer(lesson, " nINE ").done


def test_a_state_task_is_checked_at_the_current_step() -> None:
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


def test_a_task_can_be_checked_only_in_the_way_of_its_kind() -> None:
    state, program = get_course("brainfuck").lesson(1), ANY
    with pytest.raises(UsageError, match="requires a position"):
        check_program(state, b"+")
    with pytest.raises(UsageError, match="requires a program"):
        check_answer(program, "x")
    with pytest.raises(UsageError, match="requires a program"):
        check_state(program, open_debugger(program))


DRILL = LessonTask(
    "Print the sum of two digits, which is one digit.",
    (),
    "",
    runs=(TaskRun(b"12", b"3"),),
    inputs=("{0..4}{0..5}",),
)
SUM = b",>,[-<+>]++++++[<-------->-]<."


def drill(task: LessonTask, solution: bytes = SUM) -> Lesson:
    return replace(ANY, task=task, solution=TaskSolution(program=solution), drill_number=1)


def test_generated_inputs_of_a_drill_differ_for_each_program() -> None:
    def inputs(source: bytes) -> list[bytes]:
        report = check_program(drill(DRILL), source)
        assert report is not None
        assert report.done
        return [test.detail.input for test in report.tests if test.detail is not None]

    assert len(inputs(SUM)) == 6
    assert inputs(SUM) == inputs(SUM)
    assert len({tuple(inputs(SUM + b"+" * extra)) for extra in range(5)}) > 1


def test_a_constant_answer_fails_a_drill() -> None:
    assert verdicts(drill(DRILL), b"+++++[>++++++++++<-]>+.")[0] == "pass"
    report = check_program(drill(DRILL), b"+++++[>++++++++++<-]>+.")
    assert report is not None
    assert not report.done


def test_a_hidden_run_counts_but_is_not_reported() -> None:
    task = replace(ECHO, runs=(TaskRun(b"ab", b"ab"),), hidden_runs=(TaskRun(b"xyz", b"xyz"),))
    assert verdicts(lesson_with(task), b",.,.") == ["pass", "wrong_answer"]
    assert lesson_with(task).as_json()["runs"] == [{"input": "ab", "output": "ab"}]
    assert "hidden" not in str(lesson_with(task).as_json())


def test_an_instruction_that_is_asked_for_must_be_executed() -> None:
    task = replace(ECHO, must_use=(">",))
    report = check_program(lesson_with(task), b",[.,][>]")
    assert report is not None
    reason = "the task requires >: the program contains it, but never executes it"
    assert (report.done, report.reasons) == (False, (reason,))
    report = check_program(lesson_with(task), b",[.,]>")
    assert report is not None
    assert report.done


def test_one_run_looks_for_all_instructions_that_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs: list[set[str]] = []
    find = checks._find_executed_instructions  # pyright: ignore[reportPrivateUsage]

    def count(program: Any, sought: Any, *rest: Any) -> Any:
        runs.append(set(sought))
        return find(program, sought, *rest)

    monkeypatch.setattr(checks, "_find_executed_instructions", count)
    task = replace(ECHO, runs=(TaskRun(b"", b""), TaskRun(b"ab", b"ab")), must_use=(".", "]", ">"))
    report = check_program(lesson_with(task), b",[.,][>]")
    assert report is not None
    assert [text.split(":")[0] for text in report.reasons] == ["the task requires >"]
    assert runs == [{".", "]", ">"}, {".", "]", ">"}]


@pytest.mark.parametrize("ends", ["cancelled", "time limit"])
def test_an_unfinished_search_for_instructions_does_not_complete_a_task(
    monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    find = checks._find_executed_instructions  # pyright: ignore[reportPrivateUsage]
    entered: list[bool] = []

    def enter(*arguments: Any) -> Any:
        entered.append(ends == "cancelled")
        if ends == "time limit":
            monkeypatch.setattr(checks, "TIME_LIMIT", -1.0)
        return find(*arguments)

    monkeypatch.setattr(checks, "_find_executed_instructions", enter)
    task = replace(ECHO, must_use=(">",))
    report = check_program(lesson_with(task), b",[.,][>]", cancelled=lambda: any(entered))
    if ends == "cancelled":
        assert report is None
    else:
        assert report is not None
        assert report.reasons == (
            "the task requires >: no run executed it, and a run reached the limit of -1 s",
        )


def test_an_expected_mistake_gets_its_reply() -> None:
    forgot = "The digits are added, but so are their codes: take 48 away."
    task = replace(DRILL, replies=(ExpectedMistake(forgot, program=b",>,[-<+>]<."),))
    report = check_program(drill(task), b", > , [ <+>- ] < .")
    assert report is not None
    assert (report.reply, report.reasons) == (forgot, (forgot,))
    report = check_program(drill(task), b",.")
    assert report is not None
    assert report.reply is None

    asked = LessonTask(
        "How many?",
        ("hint",),
        "done",
        answers=("9",),
        replies=(ExpectedMistake("One less.", ("10",)),),
    )
    assert check_answer(lesson_with(asked), " 10").reasons == ("One less.",)
    assert check_answer(lesson_with(asked), "11").reasons == ("wrong answer",)


def test_a_place_that_learners_mistake_for_the_right_one_gets_its_reply() -> None:
    lesson = get_course("brainfuck").lesson(1)
    early = ExpectedMistake("Once: go on until it holds 2 again.", when="cell[0] == 2 and step < 3")
    lesson = replace(lesson, task=replace(lesson.task, replies=(early,)))
    debugger = open_debugger(lesson)
    debugger.seek(2)
    assert check_state(lesson, debugger).reply == early.say
    debugger.seek(6)
    assert check_state(lesson, debugger).done
