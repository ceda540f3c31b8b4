"""The path after each course: problems from easy to hard, with the lessons that they need."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from esolangs.registry import language_ids
from esoplay.cli.main import main
from esoplay.errors import LessonError
from esoplay.learning import path as module
from esoplay.learning.lessons import get_course
from esoplay.learning.path import get_path, next_path_step, path_lines
from esoplay.packs.catalogue import get_pack

LANGUAGES = sorted(language_ids())


@pytest.mark.parametrize("language", LANGUAGES)
def test_fifteen_problems_lead_from_easy_to_hard(language: str) -> None:
    pack, steps = get_pack(), get_path(language)
    assert len({step.problem for step in steps}) == len(steps) == 15
    tiers = [pack.tiers.index(pack.problem(step.problem).tier) for step in steps]
    assert tiers == sorted(tiers)
    assert (steps[0].tier, steps[-1].tier) == ("easy", "hard")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_problem_names_lessons_of_the_course(language: str) -> None:
    course = get_course(language)
    for step in get_path(language):
        assert step.lessons
        assert all(lesson in course.lessons for lesson in step.lessons)
        numbers = [lesson.number for lesson in step.lessons]
        assert len(set(numbers)) == len(numbers)
        for lesson in step.lessons:
            assert f"{lesson.number} {lesson.title}" in step.lessons_text


def test_a_path_that_names_no_lesson_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "path.toml"
    file.write_text('[[steps]]\nproblem = "E02"\nsay = "x"\nlessons = {brainfuck = ["nowhere"]}\n')
    monkeypatch.setattr(module, "FILE", file)
    get_path.cache_clear()
    try:
        with pytest.raises(LessonError, match="E02: no lesson nowhere in brainfuck"):
            get_path("brainfuck")
        assert get_path("whitespace") == ()
        assert path_lines("whitespace", ()) == []
        assert next_path_step("whitespace", ()) is None
    finally:
        get_path.cache_clear()


def test_the_next_problem_is_the_first_unsolved_one() -> None:
    steps = get_path("brainfuck")
    assert next_path_step("brainfuck", ()) == steps[0]
    assert next_path_step("brainfuck", {steps[0].problem, steps[2].problem}) == steps[1]
    assert next_path_step("brainfuck", {step.problem for step in steps}) is None
    lines = path_lines("brainfuck", {steps[0].problem})
    assert lines[0] == "path after the course: 1 of 15 problems solved"
    assert lines[1].endswith(", easy, solved")
    assert len(lines) == 31


def test_the_command_lists_the_path_and_what_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path))
    assert main(["learn", "unlambda"]) == 0
    shown = capsys.readouterr().out
    assert "problems after the course, from easy to hard: 0 of 15 solved" in shown
    for step in get_path("unlambda"):
        assert f"· {step.problem} {step.title}" in shown
    assert main(["learn", "unlambda", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["path"]
    assert [row["problem"] for row in rows] == [step.problem for step in get_path("unlambda")]
    assert not any(row["solved"] for row in rows)
    assert not list(tmp_path.glob("play*"))
