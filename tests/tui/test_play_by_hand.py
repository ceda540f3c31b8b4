"""A state task of a lesson, and cells that were set by hand."""

from __future__ import annotations

import pytest
from conftest import Play

from esoplay.learning.checks import EDITED_BY_HAND
from esoplay.learning.lessons import get_course


@pytest.mark.slow
async def test_manual_changes_do_not_complete_a_task_and_are_reported(play: Play) -> None:
    lesson = next(each for each in get_course("brainfuck") if each.task.kind == "state")
    assert lesson.solution.step is not None
    async with play() as player:
        await player.screen.lessons.open(lesson)
        player.screen.show_view("debug")
        await player.pilot.pause()
        told = " ".join(EDITED_BY_HAND.split()[:6])
        assert told not in player.text()
        player.screen.debugger.commands.run("set 0 5")
        await player.until(lambda: told in player.text())
        for _ in range(lesson.solution.step):
            await player.press("l")
        assert not player.screen.lessons.is_finished
        assert told in player.text()
