"""Typed and pasted text reaches its target: keys with Alt, pastes, and inputs of examples."""

from __future__ import annotations

import pytest
from conftest import Play
from textual import events

from esoplay.tui.terminal import BytesPaste


async def test_alt_and_a_letter_never_type_the_letter(play: Play) -> None:
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
        assert screen.workspace.hints_shown(problem) == 1


async def test_a_paste_in_the_debugger_says_that_nothing_was_pasted(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.open("E08")
        player.screen.show_view("debug")
        await player.pilot.pause()
        focused = player.app.focused
        assert focused is not None
        focused.post_message(BytesPaste(b"+++"))
        await player.pilot.pause()
        assert "does not accept pastes" in player.text()


async def test_the_start_page_submits_nothing(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.pilot.pause()
        await player.press("ctrl+t")
        await player.pilot.pause()
        assert player.screen.starting
        assert not player.screen.testing.running


@pytest.mark.slow
async def test_an_example_that_is_opened_again_reads_its_own_input(play: Play) -> None:
    async with play() as player:
        await player.open("E08")
        screen = player.screen
        await player.write(b",[.,]")
        example = screen.workspace.examples[0]
        screen.debugging.take_input(*example)
        screen.show_view("debug")
        await player.pilot.pause()
        await player.press("colon", *"input", "space", *"zzz", "enter")
        await player.pilot.pause()
        screen.debugging.take_input(*example)
        screen.debugging.refresh()
        await player.pilot.pause()
        target = screen.debugger.time.target
        assert target is not None
        assert target.snapshot.input == example[0]
