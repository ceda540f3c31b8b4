"""The instructions of lessons have their described effect on the screen.

The passages, keys and results are in ``tests/walks/instructions.txt``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from conftest import Play
from lesson_instructions import Instruction, all_instructions, lesson_of
from play_pilot import Player
from test_walks import wait_for_effects

from esolangs.registry import language_ids
from esoplay.tui.learn import lesson_progress
from esoplay.tui.workspace import LaunchRequest

pytestmark = pytest.mark.slow
"""The text debugger takes the same instructions fast: tests/learning/test_instructions.py."""

INSTRUCTIONS = all_instructions()
NAMES = {"Esc": "escape"}


def pressed(key: str) -> Iterator[str]:
    """How Textual names the keys of an instruction."""
    if key.startswith(":"):
        yield from ("colon", *key[1:], "enter")
    elif counted := re.fullmatch(r"(\d+)(\D+)", key):
        yield from (*counted[1], counted[2])
    else:
        yield NAMES.get(key) or (key.lower().replace("^", "ctrl+") if len(key) > 1 else key)


async def follow(player: Player, each: Instruction) -> None:
    for key in (*each.first, *each.keys):
        await player.press(*pressed(key))
        await wait_for_effects(player)
    if each.view == "help":
        assert player.app.screen is not player.screen
        await player.press("escape")
    if each.seen is not None:
        assert player.screen.debugger.step == each.seen, each.passage
    elif each.view != "help":
        assert player.screen.view == each.view, each.passage


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=str)
@pytest.mark.parametrize("language", sorted(language_ids()))
async def test_keys_named_in_lessons_work(language: str, size: tuple[int, int], play: Play) -> None:
    async with play(size=size, launch=LaunchRequest(language_id=language)) as player:
        for key, lines in INSTRUCTIONS.items():
            if key[0] != language:
                continue
            lesson = lesson_of(key)
            await player.screen.lessons.open(lesson)
            player.screen.show_view(lesson.view)
            for _ in range(2):
                await player.pilot.pause()
            for each in lines:
                await follow(player, each)
                done = lesson.slug in lesson_progress.finished_lessons(
                    player.screen.workspace.state, language
                )
                assert done or not each.done, (key, each.passage)


async def test_escape_stops_a_program_that_never_ends(play: Play) -> None:
    lesson = lesson_of(("brainfuck", "6"))
    assert "Esc stops a program that does not end" in " ".join(lesson.text.split())
    async with play(launch=LaunchRequest(language_id="brainfuck")) as player:
        await player.screen.lessons.open(lesson)
        player.screen.show_view("edit")
        await player.write(b"+[>+<]")
        await player.press("f2")
        await wait_for_effects(player)
        time = player.screen.debugger.time
        await player.press("c")
        assert time.is_busy
        await player.press("escape")
        await wait_for_effects(player)
        assert not time.is_busy
        assert player.screen.view == "debug"
