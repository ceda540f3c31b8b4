"""Drills that ask for a state or an answer, on the screen."""

from __future__ import annotations

import pytest
from conftest import Play
from test_play_drills import words_of

from esolangs.registry import language_ids
from esoplay.learning.lessons import get_course

pytestmark = pytest.mark.slow  # each test walks through several views

FIRST = get_course("brainfuck").lesson(1)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_drill_is_done_when_its_state_is_reached(play: Play, size: tuple[int, int]) -> None:
    drill = FIRST.drills[0]
    assert drill.task.kind == "state"
    async with play(size=size) as player:
        lessons = player.screen.lessons
        await lessons.open_task(drill)
        await player.pilot.pause()
        assert player.screen.view == "debug"
        assert lessons.current is drill
        early, *_ = drill.task.replies
        told = lessons.pane if size[0] > 80 else lessons.line
        await player.press(*"3l")
        await player.until(lambda: words_of(early.say) in words_of(player.text(told)))
        assert not lessons.is_finished
        await player.press(*"6l")
        await player.until(lambda: lessons.is_finished)
        assert words_of(early.say) not in words_of(player.text(told))


async def test_breakpoints_of_a_lesson_do_not_stop_its_drill(play: Play) -> None:
    lesson = get_course("unlambda").lesson(8)
    async with play() as player:
        player.screen.workspace.choose_language("unlambda")
        lessons, debugger = player.screen.lessons, player.screen.debugger
        await lessons.open_task(lesson)
        await player.pilot.pause()
        await player.press("colon", *"b output 9", "enter", "c")
        await player.until(lambda: lessons.is_finished)
        await lessons.open_task(lesson.drills[0])
        await player.pilot.pause()
        assert debugger.time.target is not None
        assert not debugger.time.target.debugger.breakpoints
        await player.press("colon", *"b output 24", "enter", "c")
        await player.until(lambda: lessons.is_finished)


async def test_a_drill_that_asks_for_an_answer_shows_its_program(play: Play) -> None:
    drill = FIRST.drills[1]
    assert drill.task.kind == "answer"
    async with play(size=(80, 24)) as player:
        screen = player.screen
        screen.show_view("learn")
        screen.lessons.show(FIRST)
        screen.lessons.show_named(drill.name)
        await player.pilot.pause()
        assert drill.program.decode() in player.text(screen.lessons.pane)
        assert "other inputs" not in player.text(screen.lessons.pane)
        await screen.lessons.open_task(drill)
        await player.pilot.pause()
        screen.lessons.check_answer("10")
        await player.pilot.pause()
        reply = drill.task.replies[0].say.replace("`", "")
        assert words_of(reply)[:40] in words_of(player.text())
        assert not screen.lessons.is_finished
        screen.lessons.check_answer("4")
        await player.pilot.pause()
        assert screen.lessons.is_finished


@pytest.mark.slow
@pytest.mark.parametrize("language", language_ids())
async def test_each_debugger_drill_can_be_done_on_the_screen(play: Play, language: str) -> None:
    drills = [each for lesson in get_course(language) for each in lesson.drills]
    async with play(size=(120, 40)) as player:
        lessons = player.screen.lessons
        player.screen.workspace.choose_language(language)
        for drill in (each for each in drills if each.view == "debug"):
            await lessons.open_task(drill)
            await player.pilot.pause()
            assert player.screen.view == "debug", drill.name
            if drill.task.kind == "state":
                await player.press(*str(drill.solution.step), "G")
            elif drill.task.kind == "answer":
                lessons.check_answer(drill.task.answers[0])
            else:
                assert drill.solution.program is not None
                await player.press("f2")
                await player.write(drill.solution.program)
                await player.press("f5")
            await player.until(lambda: lessons.is_finished)
            assert lessons.current is drill
