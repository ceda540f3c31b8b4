"""Lessons of Whitespace on the screen, key by key as their texts say."""

from __future__ import annotations

import pytest
from conftest import Play
from play_pilot import Player

from esoplay.learning.lessons import Lesson, get_course
from esoplay.tui.learn import lesson_progress

pytestmark = pytest.mark.slow


def lesson(title: str) -> Lesson:
    return next(each for each in get_course("whitespace") if each.title == title)


async def follow(player: Player, taken: Lesson, keys: list[str]) -> bool:
    """Take a lesson, press keys, and say whether its task is done."""
    await player.screen.lessons.open(taken)
    player.screen.show_view(taken.view)
    for _ in range(2):
        await player.pilot.pause()
    for key in keys:
        await player.press(key)
        await player.pilot.pause()
    if taken.view == "edit":
        player.screen.idle_checker._check_after_pause()  # pyright: ignore[reportPrivateUsage]
        await player.graded()
    return taken.slug in lesson_progress.finished_lessons(
        player.screen.workspace.state, taken.language_id
    )


def line(text: str) -> list[str]:
    """The keys of a command on the command line."""
    names = {" ": "space", "[": "left_square_bracket", "]": "right_square_bracket"}
    names |= {">": "greater_than_sign", "=": "equals_sign"}
    return ["colon", *(names.get(each, each) for each in text), "enter"]


@pytest.mark.parametrize(
    ("title", "keys"),
    [
        ("An empty page", ["l", "l", "l"]),
        ("A place to keep things", ["G", *line("cell 1"), "w"]),
        ("Signposts and jumps", ["c", "h"]),
        ("Stop where it matters", [*line("b cell[0] > 3000"), "c"]),
        ("There and back", ["l", "n", "l", "n", "l", "l", *line("b output == 11"), "c"]),
        ("The lower one first", [*["down"] * 2, "home", "space", "enter", "tab"]),
        ("Words for whitespace", list("SSSLTLTTSSSLTTTSSSTSTSLTSSLTLSTLLL")),
    ],
)
async def test_lesson_keys_complete_its_task(play: Play, title: str, keys: list[str]) -> None:
    async with play(size=(120, 40)) as player:
        assert await follow(player, lesson(title), keys)
