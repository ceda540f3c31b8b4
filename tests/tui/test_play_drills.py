"""Lessons on a small screen: the program, hints outside of notifications, and drills."""

from __future__ import annotations

import re

import pytest
from conftest import Play
from selection import slow_except

from esolangs.registry import language_ids
from esoplay.learning.lessons import get_course, visible_program

pytestmark = pytest.mark.slow  # each test walks through several views


def words_of(text: str) -> str:
    return " ".join(re.sub("[\u2500-\u259f]", " ", text).split())


@pytest.mark.parametrize("language", slow_except(language_ids(), "befunge-98"))
async def test_the_first_lesson_shows_its_program_and_task_in_a_small_terminal(
    play: Play, language: str
) -> None:
    lesson = get_course(language).lesson(1)
    async with play(size=(80, 24)) as player:
        player.screen.workspace.choose_language(language)
        await player.press("ctrl+l")
        pane = player.screen.lessons.pane
        pane.focus()
        pane.scroll_end(animate=False)
        await player.pilot.pause()
        shown = player.text(pane)
        assert "The program:" in words_of(player.text(pane)) or pane.max_scroll_y > 0
        first = visible_program(lesson).split("\n")[0][:20]
        pane.scroll_home(animate=False)
        await player.pilot.pause()
        assert first in shown + player.text(pane)


async def test_a_lesson_beside_its_program_does_not_show_it_again(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        lesson = get_course("brainfuck").lesson(1)
        player.screen.show_view("learn")
        await player.pilot.pause()
        assert "The program:" in player.text(player.screen.lessons.pane)
        await player.screen.lessons.open_task(lesson)
        await player.pilot.pause()
        assert "The program:" not in player.text(player.screen.lessons.pane)


async def test_hint_hides_no_text_in_a_small_terminal(play: Play) -> None:
    lesson = get_course("brainfuck").lesson(1)
    async with play(size=(80, 24)) as player:
        await player.screen.lessons.open_task(lesson)
        await player.pilot.pause()
        for number, hint in enumerate(lesson.task.hints, 1):
            await player.press("H")
            shown = words_of(player.text(player.screen.lessons.line))
            assert f"hint {number} {words_of(hint)[:40]}" in shown
        assert not player.app._notifications  # pyright: ignore[reportPrivateUsage]
        assert "tape  ptr 0" in player.text()


@pytest.mark.parametrize("size", slow_except([(80, 24), (120, 40)], (80, 24)))
async def test_finished_lesson_leads_to_its_drills(play: Play, size: tuple[int, int]) -> None:
    course = get_course("brainfuck")
    lesson = next(each for each in course if each.drills and each.task.kind == "program")
    solution = lesson.solution.program
    assert solution is not None
    many = "drill" if len(lesson.drills) == 1 else "drills"
    async with play(size=size) as player:
        screen = player.screen
        await screen.lessons.open_task(lesson)
        await player.pilot.pause()
        await player.write(solution)
        await player.press("f5")
        await player.graded()
        await player.until(lambda: screen.lessons.is_finished)
        await player.pilot.pause()
        words = words_of(player.text())
        assert f"{len(lesson.drills)} {many}" in words
        if size[0] == 80:
            assert f"^l: {len(lesson.drills)} {many}" in words
        await player.press("ctrl+l")
        await player.pilot.pause()
        assert screen.lessons.list.has_focus
        await player.press("enter")
        await player.pilot.pause()
        assert screen.lessons.current is lesson.drills[0]


@pytest.mark.parametrize(("number", "leads_to"), [(1, "next drill"), (2, "next lesson")])
async def test_finished_drill_shows_the_next_one(play: Play, number: int, leads_to: str) -> None:
    drill = get_course("whitespace").drill(9, number)
    async with play(size=(80, 24)) as player:
        player.screen.workspace.choose_language("whitespace")
        await player.screen.lessons.open_task(drill)
        await player.pilot.pause()
        await player.press(*str(drill.solution.step), "G")
        await player.pilot.pause()
        said = words_of(player.text(player.screen.lessons.line))
        assert said == f"✓ Done. Enter: {leads_to}"


async def test_new_lesson_shows_no_previous_results(play: Play) -> None:
    course = get_course("whitespace")
    async with play(size=(100, 30)) as player:
        screen = player.screen
        screen.workspace.choose_language("whitespace")
        await screen.lessons.open_task(course.lesson(4))
        await player.pilot.pause()
        await player.press("f5")
        await player.until(lambda: "wrong answer" in player.text(screen.results))
        await screen.lessons.open_task(course.lesson(5))
        await player.pilot.pause()
        await player.pilot.resize_terminal(120, 40)
        await player.pilot.pause()
        shown = words_of(player.text(screen.results))
        assert "out 511" in shown
        assert "wrong answer" not in shown


@pytest.mark.parametrize("size", slow_except([(80, 24), (120, 40)], (80, 24)))
async def test_a_question_leads_to_the_debugger(play: Play, size: tuple[int, int]) -> None:
    lesson = get_course("shakespeare").lesson(2)
    assert lesson.task.kind == "answer"
    async with play(size=size) as player:
        screen = player.screen
        screen.workspace.choose_language("shakespeare")
        await screen.lessons.open_task(lesson)
        if size[0] == 80:
            await player.press("ctrl+l")
            pane, shown = screen.lessons.pane, ""
            for line in range(0, int(pane.max_scroll_y) + 1, 8):
                pane.scroll_to(y=line, animate=False)
                await player.pilot.pause()
                shown += player.text(pane)
            assert "[Exeunt]" in shown  # all of the play that it asks about
        else:
            screen.lessons.pane.answer.focus()
            await player.pilot.pause()
        assert screen.lessons.pane.answer.has_focus
        hint = "Stuck? alt+h shows a hint"  # where H would be typed into the answer
        assert hint in words_of(player.text(screen.lessons.pane))
        await player.press("f2")
        assert screen.view == "debug"
        assert not screen.lessons.pane.has_focus_within
        await player.press("s", "f2")
        assert screen.debugger.time.target is not None
        assert screen.debugger.time.target.snapshot.step == 1
        assert screen.view == "edit"
