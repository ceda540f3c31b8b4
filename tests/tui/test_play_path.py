"""The problems after a course, on the screen and in the text mode."""

from __future__ import annotations

import pytest
from conftest import Play
from test_play_plain import Talk, talk  # noqa: F401 (a fixture)

from esoplay.learning.lessons import get_course
from esoplay.learning.path import get_path
from esoplay.tui.learn.panes import PATH_PREFIX

ECHO = b",[.,]"


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_list_of_lessons_ends_with_the_problems(play: Play, size: tuple[int, int]) -> None:
    first = get_path("brainfuck")[0]
    async with play(size=size) as player:
        screen = player.screen
        await player.press("ctrl+l")
        rows = screen.lessons.list
        rows.focus()
        rows.highlighted = rows.get_option_index(PATH_PREFIX + first.problem)
        await player.pilot.pause()
        text = " ".join(player.text().split())
        assert "after the course: 0 of 15" in text
        assert f"{first.problem} {first.title}" in player.text(screen.lessons.pane)
        assert "not solved yet" in player.text(screen.lessons.pane)
        await player.press("enter")
        await player.pilot.pause()
        assert screen.workspace.problem is not None
        assert screen.workspace.problem.id == first.problem
        assert screen.view == "edit"
        await player.write(ECHO)
        await player.press("ctrl+t")
        await player.graded()
        await player.press("ctrl+l")
        await player.pilot.pause()
        rows.highlighted = rows.get_option_index(PATH_PREFIX + first.problem)
        await player.pilot.pause()
        assert f"✓ {first.problem}" in player.text(rows)
        await player.press("home")
        await player.pilot.pause()
        assert get_course("brainfuck").lesson(1).title in player.text(screen.lessons.pane)


@pytest.mark.slow
async def test_last_lesson_leads_to_the_problems_after_the_course(play: Play) -> None:
    course = get_course("brainfuck")
    lesson = course.lesson(len(course))
    program = lesson.solution.program
    assert program is not None
    async with play(size=(120, 40)) as player:
        screen = player.screen
        await screen.lessons.open_task(lesson)
        await player.pilot.pause()
        await player.write(program)
        await player.press("ctrl+t" if lesson.task.kind == "problem" else "f5")
        await player.graded()
        await player.until(lambda: screen.lessons.is_finished)
        await player.pilot.pause()
        screen.lessons.pane.scroll_end(animate=False)
        await player.pilot.pause()
        words = " ".join(player.text(screen.lessons.pane).replace("│", " ").split())
        assert "opens the problems after the course" in words
        await screen.lessons.advance()
        await player.pilot.pause()
        assert screen.view == "browse"
        assert screen.workspace.problem is not None
        assert screen.workspace.problem.id == get_path("brainfuck")[0].problem


def test_text_mode_lists_the_problems_after_the_course(talk: Talk) -> None:  # noqa: F811
    said = talk("problem E02", "type", ",[.,]", ".", "submit", "lessons", "path")
    assert "`path` lists the problems after the course" in said
    assert "path after the course: 1 of 15 problems solved" in said
    assert said[-1] == f"`problem {get_path('brainfuck')[1].problem}` opens the next problem"
