"""The row of keys at the bottom of the screen."""

from __future__ import annotations

from threading import Event

import pytest
from conftest import Play

from esoplay.tui import test_runs
from esoplay.tui.frame import Footer
from esoplay.tui.test_runs import GradingJob


async def test_the_start_page_offers_no_key_that_it_would_refuse(play: Play) -> None:
    async with play() as player:
        footer = player.screen.query_one(Footer)
        await player.until(lambda: "f2 Edit/debug" in player.text(footer))
        assert "Examples" not in player.text(footer)
        assert "Submit" not in player.text(footer)
        assert "Sidebar" not in player.text(footer)
        await player.open("E01")
        await player.until(lambda: "f5 Examples" in player.text(footer))


async def test_it_names_the_keys_of_the_pane_and_a_click_presses_them(play: Play) -> None:
    async with play() as player:
        await player.open("E01")
        footer = player.screen.query_one(Footer)
        await player.until(lambda: "f5 Examples" in player.text(footer))
        row = player.lines(footer)[0]
        assert row.startswith("esc Leave f1 Help f2 Edit/debug ")
        assert player.screen.view == "edit"
        await player.pilot.click(footer, offset=(row.index("f2") + 1, 0))
        await player.until(lambda: player.screen.view == "debug")
        await player.pilot.click(footer, offset=(119, 0))  # beyond the last key
        await player.pilot.pause()
        assert player.screen.view == "debug"
        await player.press("f2")
        await player.until(lambda: player.screen.view == "edit")
        assert player.lines(footer)[0] == row


async def test_escape_stops_the_tests_and_leaves_the_editor_again_afterwards(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone_on = Event()

    class Slow(GradingJob):
        def run(self) -> None:
            gone_on.wait(300)

    monkeypatch.setattr(test_runs, "GradingJob", Slow)
    async with play() as player:
        try:
            await player.open("E01")
            footer = player.screen.query_one(Footer)
            await player.press("f5")
            await player.until(lambda: player.text(footer).startswith("esc Stop the tests "))
            await player.press("escape")
            await player.until(lambda: player.text(footer).startswith("esc Leave "))
            await player.press("f5")
            await player.until(lambda: player.text(footer).startswith("esc Stop the tests "))
            gone_on.set()
            await player.graded()
            await player.until(lambda: player.text(footer).startswith("esc Leave "))
        finally:
            gone_on.set()


async def test_the_line_that_finds_says_how_to_leave_it(play: Play) -> None:
    async with play() as player:
        await player.open("E01")
        footer = player.screen.query_one(Footer)
        await player.press("ctrl+f")
        await player.until(lambda: player.text(footer).startswith("esc Back to the program "))
