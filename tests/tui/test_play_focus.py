"""The focus is always on something visible."""

from __future__ import annotations

import pytest
from conftest import Play
from play_pilot import Player
from selection import slow_except

from esoplay.tui.frame import View
from esoplay.tui.help import JumpScreen

SIZES = [(80, 24), (120, 40), (200, 60)]
VIEWS: dict[str, View] = {"p": "browse", "e": "edit", "d": "debug", "c": "score", "l": "learn"}


def assert_visible(player: Player) -> None:
    focused = player.screen.focused
    assert focused is not None
    assert focused.region.area, focused
    assert focused.is_on_screen, focused


async def begin(player: Player, kind: str) -> None:
    if kind == "lesson":
        await player.screen.lessons.open_task(player.screen.lessons.course.lesson(1))
        await player.pilot.pause()
    else:
        await player.open("E08")


@pytest.mark.slow
@pytest.mark.parametrize("kind", slow_except(["lesson", "problem"], "lesson"))
@pytest.mark.parametrize("size", slow_except(SIZES, (80, 24)))
async def test_each_destination_of_g_is_visible(
    play: Play, size: tuple[int, int], kind: str
) -> None:
    async with play(size=size) as player:
        await begin(player, kind)
        for key, view in VIEWS.items():
            await player.press("alt+g", key)
            assert player.screen.view == view
            assert_visible(player)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["lesson", "problem"])
@pytest.mark.parametrize("size", SIZES)
async def test_jump_mode_offers_only_visible_panes(
    play: Play, size: tuple[int, int], kind: str
) -> None:
    async with play(size=size) as player:
        await begin(player, kind)
        for key in VIEWS:
            await player.press("alt+g", key)
            jump = JumpScreen(player.screen)
            assert jump.targets
            for target in jump.targets.values():
                target.focus()
                await player.pilot.pause()
                assert player.screen.focused is target
                assert_visible(player)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["lesson", "problem"])
async def test_another_size_leaves_the_focus_visible(play: Play, kind: str) -> None:
    async with play(size=SIZES[-1]) as player:
        await begin(player, kind)
        for key in VIEWS:
            await player.press("alt+g", key)
            for target in list(JumpScreen(player.screen).targets.values()):
                target.focus()
                await resize(player, SIZES[0], SIZES[1], SIZES[2])


@pytest.mark.slow
async def test_narrow_terminal_moves_the_focus_from_hidden_panes(play: Play) -> None:
    async with play(size=(200, 60)) as player:
        await player.open("E08")
        player.screen.problems.focus()
        await player.pilot.pause()
        assert player.screen.focused is player.screen.problems
        await resize(player, (80, 24))
        assert player.screen.focused is not player.screen.problems


async def resize(player: Player, *sizes: tuple[int, int]) -> None:
    for size in sizes:
        await player.pilot.resize_terminal(*size)
        await player.pilot.pause()
        assert_visible(player)
