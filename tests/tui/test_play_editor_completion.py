"""Completion helps on request, and does not interfere with typing."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Play
from play_pilot import Player

from esoplay.tui.editor.completion import CompletionList
from esoplay.tui.workspace import LaunchRequest

PLAY = b"""The Test.

Romeo, a man.
Juliet, a woman.

Act I: The act.
Scene I: The scene.

[Enter Romeo and Juliet]

Juliet: """


async def writing(player: Player) -> None:
    await player.write(PLAY)
    player.screen.show_view("edit")
    editor = player.screen.program.editor
    editor.move_cursor(editor.document.end)


def typed(player: Player) -> bytes:
    return player.screen.program.source.removeprefix(PLAY)


def list_of(player: Player) -> CompletionList:
    return player.screen.query_one(CompletionList)


@pytest.mark.slow
async def test_automatic_completions_use_only_tab(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.spl")) as player:
        await writing(player)
        await player.press(*"You are a co")
        assert "coward" in player.text(list_of(player))
        assert "noun: −1" in player.text(list_of(player))
        await player.press("enter")
        assert not list_of(player).display
        assert typed(player) == b"You are a co\n"
        await player.press("backspace", "w", "a")
        assert list_of(player).display
        await player.press("tab")
        assert typed(player) == b"You are a coward"
        assert not list_of(player).display
        await player.press("ctrl+z")
        assert typed(player) == b"You are a cowa"


@pytest.mark.slow
async def test_requested_completions_are_selected_with_arrows(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.spl")) as player:
        await writing(player)
        await player.press(*"You are ", "ctrl+@")
        assert "the sum of" in player.text(list_of(player))
        assert "a + b" in player.text(list_of(player))
        await player.press("down", "enter")
        assert typed(player) == b"You are the difference between"


async def test_escape_closes_the_list_first(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.spl")) as player:
        await writing(player)
        await player.press(*"Spe")
        assert list_of(player).display
        await player.press("escape")
        assert not list_of(player).display
        assert player.app.focused is player.screen.program.editor
        await player.press("escape")
        assert player.app.focused is not player.screen.program.editor
        assert typed(player) == b"Spe"


async def test_tab_completes_a_word_and_is_a_tab_elsewhere(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.spl")) as player:
        await writing(player)
        await player.press("tab", "S", "p", "tab", "tab")
        assert typed(player) == b"\tSpeak your mind!\t"


@pytest.mark.slow
async def test_click_inserts_the_completion(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.spl")) as player:
        await writing(player)
        await player.press(*"You are ", "ctrl+@")
        await player.pilot.click(CompletionList, offset=(4, 2))
        await player.pilot.pause()
        assert typed(player) == b"You are the product of"


async def test_completion_list_is_only_for_languages_with_words(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.unl")) as player:
        await player.write(b"")
        player.screen.show_view("edit")
        await player.press(*"`ki", "ctrl+@")
        assert not list_of(player).display
        await player.press("tab")
        assert player.screen.program.source == b"`ki\t"
