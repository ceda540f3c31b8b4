"""Keys that arrive in one burst have the same effect as when typed one by one."""

from __future__ import annotations

import pytest
from conftest import Play
from play_pilot import Player
from textual import events


async def burst(player: Player, text: str) -> None:
    """Type as a script does: everything at once, without waiting in between."""
    app = player.app
    begun = app.keys_sent
    names = {"\r": "enter", ":": "colon", "/": "slash", "\x1b": "escape", " ": "space"}
    for character in text:
        printable = character if character.isprintable() else None
        app.post_message(events.Key(names.get(character, character), printable))
    await player.until(lambda: app.keys_sent >= begun + len(text) and not app.has_unhandled_keys)
    await player.pilot.pause()


async def test_text_after_a_colon_is_the_command(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("debug")
        pane = player.screen.debugger
        await burst(player, ":7\r")
        assert pane.step == 7
        assert not pane.widgets.prompt.is_open


@pytest.mark.slow
async def test_keys_after_enter_go_to_the_program(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("debug")
        pane = player.screen.debugger
        await burst(player, "ll:9\rll:+4\rh")
        assert pane.step == 14


async def test_a_search_typed_in_one_burst_finds_its_match(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("edit")
        await player.write(b"+++>>>.<<<")
        player.screen.show_view("debug")
        await player.pilot.pause()
        await burst(player, "/.\rt")
        assert player.screen.debugger.step == 6


@pytest.mark.slow
async def test_text_after_the_editor_key_is_inserted(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("score")
        await player.pilot.pause()
        await burst(player, "ge[-]")
        assert player.screen.view == "edit"
        assert b"\n[-]++++++++ " in player.screen.program.source


@pytest.mark.slow
async def test_a_key_whose_widget_was_removed_delays_nothing(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("score")
        await player.pilot.pause()
        await burst(player, "?\x1b?\x1bge+")
        assert player.screen.view == "edit"
        assert b"\n+++++++++ " in player.screen.program.source
