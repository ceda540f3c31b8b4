"""Help, palette, jump mode and keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Play
from textual.screen import Screen
from textual.widgets import Markdown

from esoplay.tui.debug.keys import ACTIONS
from esoplay.tui.help import HelpScreen, JumpScreen, describe_keys

pytestmark = pytest.mark.slow  # each test walks through several views

ECHO = b",[.,]"
REVERSE = b">,[>,]<[.<]"
SIZES = [(80, 24), (120, 40), (200, 60)]


@pytest.mark.slow
async def test_help_lists_the_keys_of_the_current_view(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("debug")
        await player.pilot.pause()
        await player.press("question_mark")
        assert isinstance(player.app.screen, HelpScreen)
        assert "Step back" in player.text()
        assert "Memory model" in player.text()
        await player.press("escape")
        player.screen.show_view("edit")
        await player.press("f1")
        assert "Leave" in player.text()
        assert "Select the line" in player.text()
        assert "Show the IP's path" not in player.text()  # that is Befunge's
        assert "Step back" not in player.text()


async def test_jump_mode_goes_to_the_pane_of_a_letter(play: Play) -> None:
    async with play() as player:
        await player.open("E02")
        await player.press("ctrl+o")
        assert isinstance(player.app.screen, JumpScreen)
        await player.press("a")
        assert player.screen.focused is player.screen.focus_chain[0]


@pytest.mark.slow
async def test_help_begins_with_the_focused_pane(play: Play) -> None:
    async with play() as player:
        for pane, first, key in (
            (player.screen.debugger.widgets.program, "the program", "Toggle breakpoint"),
            (
                player.screen.debugger.widgets.state.boxes[0],
                "the state",
                "List the writes or pushes",
            ),
            (player.screen.debugger.widgets.output, "the output", "Output raw"),
        ):
            player.screen.debugger.widgets.open_page("out")
            player.screen.set_focus(pane)
            words = describe_keys(player.screen, player.app).plain
            mine, _, rest = words.partition("\n\n")
            assert mine.startswith(first)
            assert key in mine
            assert key not in rest
            assert "Step back" in rest
        known = {action.id.removeprefix("debug.") for action in ACTIONS}
        named = {each for box in player.screen.debugger.widgets.boxes for each in box.ACTIONS}
        assert named <= known


async def test_every_key_is_found_in_the_palette(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("edit")
        await player.write(b"+++")
        commands = list(player.app.get_system_commands(player.screen))
        titles = [command.title for command in commands]
        assert len(set(titles)) == len(titles)
        assert "Jump to a pane" in titles
        assert "Go to…" in titles
        step = next(command for command in commands if command.title == "Debug: Step")
        await step.callback()
        await player.pilot.pause()
        assert player.screen.view == "debug"
        assert player.screen.debugger.step == 1


@pytest.mark.slow
async def test_the_palette_opens_problems(play: Play) -> None:
    async with play() as player:
        await player.press("ctrl+p")
        await player.press(*"E17")
        await player.until(lambda: "E17 Uppercase String" in player.text())
        await player.press("down", "enter")
        await player.until(
            lambda: (
                player.screen.workspace.problem is not None
                and player.screen.workspace.problem.id == "E17"
            )
        )


async def test_keys_can_be_remapped(play: Play, home: Path) -> None:
    (home / "keys.toml").write_text('"view.toggle" = "f8"\n')
    async with play() as player:
        player.screen.show_view("debug")
        await player.press("f2")
        assert player.screen.view == "debug"
        await player.press("f8")
        assert player.screen.view == "edit"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_help_is_painted_before_the_card_is_built(play: Play, size: tuple[int, int]) -> None:
    async with play(size=size) as player:
        player.screen.action_help()
        await player.until(lambda: isinstance(player.app.screen, HelpScreen))
        widgets: list[int] = []
        paint = player.app._display

        def note(screen: Screen[Any], renderable: Any) -> None:
            if "keys here" in player.text():
                widgets.append(len(screen.query("*")))
            paint(screen, renderable)

        player.app._display = note  # type: ignore[method-assign]
        await player.until(lambda: bool(widgets))
        assert widgets[0] < 6
        if size[0] < 110:
            await player.pilot.pause()
            assert not player.app.screen.query(Markdown)
            await player.press("tab")
        await player.until(lambda: bool(player.app.screen.query(Markdown)))
