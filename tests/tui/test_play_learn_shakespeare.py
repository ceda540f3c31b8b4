"""The keys that lessons in Shakespeare name work on the screen."""

from __future__ import annotations

import pytest
from conftest import Play
from play_pilot import Player

from esoplay.learning.lessons import Lesson, get_course
from esoplay.tui.learn import lesson_progress

pytestmark = pytest.mark.slow

COURSE = get_course("shakespeare")


async def take(player: Player, slug: str) -> Lesson:
    lesson = next(each for each in COURSE if each.slug[3:] == slug)
    await player.screen.lessons.open(lesson)
    player.screen.show_view(lesson.view)
    await player.pilot.pause()
    await player.pilot.pause()
    return lesson


async def command(player: Player, text: str) -> None:
    await player.press("colon", *text, "enter")
    await player.pilot.pause()


async def test_breakpoint_on_a_scene_completes_the_task(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        lesson = await take(player, "back-to-an-earlier-scene")
        await command(player, "b juliet == 256")
        await player.press("c")
        assert player.screen.debugger.step == 24
        await command(player, "b at scene III")
        for _ in range(9):
            if player.screen.debugger.step >= 32:
                break
            await player.press("c")
        assert player.screen.debugger.step == 32
        assert lesson.slug in lesson_progress.finished_lessons(
            player.screen.workspace.state, "shakespeare"
        )


async def test_the_last_writes_of_two_characters_explain_a_mistake(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        await take(player, "finding-a-mistake-backwards")
        await player.press("G", "o")
        await command(player, "w juliet")
        assert player.screen.debugger.step == 2  # after the number was read
        await player.press("G")
        await command(player, "w romeo")
        assert player.screen.debugger.step == 4  # after the product became Romeo's
