"""What stays on the screen, or comes back to it, when something else goes wrong or ends."""

from __future__ import annotations

import pytest
from conftest import Play
from terminal import Start

from esoplay.tui.editor.blanks_entry import BlanksMode
from esoplay.tui.editor.grid import GridMode


async def test_the_last_run_stays_while_the_program_does_not_parse(play: Play) -> None:
    async with play() as player:
        await player.open("E02")
        await player.write(b"+>+")
        player.screen.show_view("debug")
        await player.press("l", "l", "f2")
        await player.write(b"+>+]")
        await player.press("f2")
        await player.until(lambda: "parsed; now 1:4" in player.text())
        assert player.screen.view == "debug"
        await player.press("h")
        assert player.screen.debugger.step == 1
        await player.press("left_square_bracket")
        assert player.screen.view == "edit"
        await player.press("escape")
        await player.press("right_square_bracket")
        assert player.screen.view == "debug"
        await player.press("f2")
        await player.write(b"+>++")
        await player.press("f2")
        await player.until(lambda: "STALE" not in player.text())


async def test_what_filled_the_screen_fills_it_again(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("edit")
        await player.press("f12")
        assert player.screen.maximised is player.screen.program
    async with play() as player:
        await player.until(lambda: player.screen.maximised is player.screen.program)
        await player.press("f12", "f2", "z")
        await player.until(lambda: player.screen.debugger.parts.zoomed)
    async with play() as player:
        assert player.screen.maximised is None
        parts = player.screen.debugger.parts
        await player.until(lambda: parts.zoomed)
        assert not parts.query_one("#pages").display
        assert parts.program.has_focus
        await player.press("z")
    async with play() as player:
        await player.press("l")
        assert not player.screen.debugger.parts.zoomed


async def test_the_way_of_typing_is_kept_for_each_language(play: Play) -> None:
    async with play() as player:
        player.screen.desk.choose_language("befunge-98")
        await player.open("E02")
        player.screen.show_view("edit")
        editor = player.screen.program.editor
        assert isinstance(editor.mode, GridMode)
        await player.press("insert")
        assert not isinstance(editor.mode, GridMode)
        player.screen.desk.choose_language("whitespace")
        await player.open("E02")
        assert isinstance(editor.mode, BlanksMode)
    async with play() as player:
        player.screen.desk.choose_language("befunge-98")
        await player.open("E02")
        assert not isinstance(player.screen.program.editor.mode, GridMode)


@pytest.mark.terminal
def test_a_garbled_screen_is_repaired(start: Start) -> None:
    with start() as terminal:
        terminal.wait_for("press l to step")
        terminal.draw(b"\x1b[1;1HGARBAGE")
        assert "GARBAGE" in terminal.text
        terminal.send("\x1c")
        terminal.wait_for(lambda text: "GARBAGE" not in text)
