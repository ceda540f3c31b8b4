"""A key that cannot act says why, and no key types into a program by accident."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Play
from play_pilot import Player

from esoplay.tui.workspace import LaunchRequest

pytestmark = pytest.mark.slow  # each test walks through several views


def last_message(player: Player) -> str:
    return [each.message for each in player.app._notifications][-1]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_brackets_outside_the_editor_type_no_text(play: Play, size: tuple[int, int]) -> None:
    async with play(size=size) as player:
        await player.open("E01")
        before = player.screen.program.source
        await player.press("f2")
        for key in ("left_square_bracket", "right_square_bracket") * 2:
            await player.press(key)
            assert player.screen.view == "debug"
            assert "does nothing here" in last_message(player)
        assert player.screen.program.source == before


async def test_lesson_text_names_the_key_to_the_debugger(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.press("enter")  # lesson 1
        await player.until(lambda: player.lines()[-1].startswith("Enter Go to the task "))
        await player.press("l")
        assert "in the debugger (Enter) it is “Step”" in last_message(player)
        await player.press("enter")
        assert player.screen.view == "debug"
        await player.press("6", "l", "ctrl+l")
        await player.until(lambda: player.lines()[-1].startswith("Enter Begin "))
        player.screen.lessons.pane.focus()
        await player.until(lambda: player.lines()[-1].startswith("Enter Next lesson "))


async def test_key_without_effect_is_explained(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "own.bf"
    path.write_bytes(b"+[-]")
    async with play(launch=LaunchRequest(path)) as player:
        await player.press("escape", "H")
        assert last_message(player) == "Open a problem to see its hints."
        player.screen.set_focus(None)
        await player.press("z")
        assert last_message(player) == "No pane has the focus; ^o focuses one."
        player.screen.show_view("debug")
        await player.press("f12")
        assert last_message(player) == "No other pane is shown."
        player.screen.show_view("edit")
        await player.press("f5")
        assert last_message(player) == "Tests need a problem; choose one in the list."


async def test_hint_after_the_last_one_is_refused(play: Play) -> None:
    async with play() as player:
        await player.open("E08")
        count = len(player.screen.workspace.hints(player.screen.workspace.pack.problem("E08")))
        await player.press("escape", *["H"] * count)
        assert not player.app._notifications
        await player.press("H")
        assert last_message(player) == f"All {count} hints are shown."


async def test_unused_keys_of_debugger_boxes_are_explained(play: Play) -> None:
    async with play() as player:
        await player.open("E08")
        player.screen.show_view("debug")
        await player.pilot.pause()
        for box in player.screen.debugger.widgets.boxes:
            if box.display and box.region.area:
                box.focus()
                await player.press("K")
                assert last_message(player).startswith("K does nothing here"), box
                player.app.clear_notifications()
