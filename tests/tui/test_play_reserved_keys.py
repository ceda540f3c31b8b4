"""Typed and pasted text reaches its target: keys with Alt, pastes, and inputs of examples."""

from __future__ import annotations

import pytest
from conftest import Play
from textual import events

from esoplay.tui.terminal import BytesPaste

pytestmark = pytest.mark.slow  # each test walks through several views


async def test_alt_with_a_letter_does_not_type_the_letter(play: Play) -> None:
    """Most terminals send Escape and the letter, which reads as a key with a character."""
    async with play(size=(120, 40)) as player:
        await player.open("E08")
        screen = player.screen
        screen.show_view("edit")
        problem, before = screen.workspace.problem, screen.program.source
        assert problem is not None
        for letter in "hsu":
            player.app.post_message(events.Key(f"alt+{letter}", letter))
            await player.pilot.pause()
        assert screen.program.source == before
        assert screen.workspace.shown_hint_count(problem) == 1


async def test_paste_in_the_debugger_is_refused_with_a_message(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.open("E08")
        player.screen.show_view("debug")
        await player.pilot.pause()
        focused = player.app.focused
        assert focused is not None
        focused.post_message(BytesPaste(b"+++"))
        await player.pilot.pause()
        assert "does not accept pastes" in player.text()


async def test_submit_key_does_nothing_on_the_start_page(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.pilot.pause()
        await player.press("ctrl+t")
        await player.pilot.pause()
        assert player.screen.shows_start_page
        assert not player.screen.test_runner.is_running


@pytest.mark.slow
async def test_reopened_example_reads_its_own_input(play: Play) -> None:
    async with play() as player:
        await player.open("E08")
        screen = player.screen
        await player.write(b",[.,]")
        example = screen.workspace.examples[0]
        screen.debug_launcher.set_input(*example)
        screen.show_view("debug")
        await player.pilot.pause()
        await player.press("colon", *"input", "space", *"zzz", "enter")
        await player.pilot.pause()
        screen.debug_launcher.set_input(*example)
        screen.debug_launcher.refresh()
        await player.pilot.pause()
        target = screen.debugger.time.target
        assert target is not None
        assert target.snapshot.input == example[0]
