"""The row of keys at the bottom of the screen."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from conftest import Play
from play_pilot import Player

from esoplay.tui import test_runs
from esoplay.tui.footer import Footer
from esoplay.tui.test_runs import GradingJob

pytestmark = pytest.mark.slow  # each test walks through several views


async def test_start_page_footer_has_only_available_keys(play: Play) -> None:
    async with play() as player:
        footer = player.screen.query_one(Footer)
        await player.until(lambda: "f2 Edit/debug" in player.text(footer))
        assert "Examples" not in player.text(footer)
        assert "Submit" not in player.text(footer)
        assert "Sidebar" not in player.text(footer)
        await player.open("E01")
        await player.until(lambda: "f5 Examples" in player.text(footer))


@pytest.mark.slow
async def test_footer_shows_the_panes_keys_and_accepts_clicks(play: Play) -> None:
    async with play() as player:
        await player.open("E01")
        footer = player.screen.query_one(Footer)
        await player.until(lambda: "f5 Examples" in player.text(footer))
        row = player.lines(footer)[0]
        assert row.startswith("Esc Leave f1 Help f2 Edit/debug ")
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
            await player.until(lambda: player.text(footer).startswith("Esc Stop the tests "))
            await player.press("escape")
            await player.until(lambda: player.text(footer).startswith("Esc Leave "))
            await player.press("f5")
            await player.until(lambda: player.text(footer).startswith("Esc Stop the tests "))
            gone_on.set()
            await player.graded()
            await player.until(lambda: player.text(footer).startswith("Esc Leave "))
        finally:
            gone_on.set()


async def test_search_line_shows_how_to_close_it(play: Play) -> None:
    async with play() as player:
        await player.open("E01")
        footer = player.screen.query_one(Footer)
        await player.press("ctrl+f")
        await player.until(lambda: player.text(footer).startswith("Esc Back to the program "))


def last_line(player: Player) -> str:
    return player.lines()[-1].rstrip()


DEBUGGER_LINES = {
    "colon": "Enter run the command",
    "slash": "Enter search",
    "B": "Enter set the breakpoint",
    "u": "Enter watch its value",
    "a": "Enter save the note",
    "E": "Enter set the cell",
    "D": "Enter compare the runs",
    "ctrl+g": "Enter go to the cell",
    "m": "press a letter to name the mark",
    "apostrophe": "press the letter of a mark",
}


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_debugger_prompt_shows_its_keys_in_the_last_line(
    play: Play, size: tuple[int, int]
) -> None:
    async with play(size=size) as player:
        await player.open("E01")
        await player.press("f2")
        await player.until(lambda: last_line(player).startswith("l/h step "))
        assert last_line(player).endswith("f2 leave ? help")
        for key, words in DEBUGGER_LINES.items():
            await player.press(key)
            await player.until(lambda words=words: last_line(player).startswith(words))
            assert " Esc " in last_line(player)
            await player.press("escape")
            await player.until(lambda: last_line(player).startswith("l/h step "))
        assert ("f5 examples" in last_line(player)) == (size[0] >= 120)
        assert player.screen.debugger.step == 0


async def test_click_on_one_of_two_keys_presses_that_key(play: Play) -> None:
    async with play() as player:
        await player.open("E01")
        await player.write(b"+++")
        await player.press("f2")
        debugger, footer = player.screen.debugger, player.screen.query_one(Footer)
        await player.until(lambda: last_line(player).startswith("l/h step "))
        for column, step in ((0, 1), (5, 2), (2, 1)):
            await player.pilot.click(footer, offset=(column, 0))
            await player.until(lambda step=step: debugger.step == step)


async def test_footer_shows_remapped_keys(play: Play, home: Path) -> None:
    (home / "keys.toml").write_text('"debug.step" = "f9"\n')
    async with play() as player:
        await player.open("E01")
        await player.press("f2")
        await player.until(lambda: last_line(player).startswith("f9/h step "))


async def test_a_prompt_shows_its_keys_in_place_of_the_timeline(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.open("E01")
        await player.press("f2", "colon")
        parts = player.screen.debugger.widgets
        await player.until(lambda: last_line(player).startswith("Enter run the command"))
        assert not parts.timeline.display
        await player.press("c", "e", "l", "l", "space")
        await player.until(lambda: last_line(player).startswith("Enter go to the cell"))
        await player.press("escape")
        assert parts.timeline.display


async def test_the_filter_of_the_problems_offers_no_letters(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.press("g", "p", "slash")
        await player.until(lambda: last_line(player).endswith("Esc Show all problems"))
        assert "Sidebar" not in last_line(player)
        await player.press("escape")
        await player.until(lambda: "g Go" in last_line(player))


MODAL_LINES = {
    ("g",): "Esc Close",
    ("g", "m"): "Esc Close",
    ("ctrl+o",): "Press the letter of a pane to focus it Esc Cancel",
    ("f1",): "Esc Close",
    ("ctrl+p",): "Esc Close",
    ("f8",): "Esc Cancel",
}


@pytest.mark.slow
async def test_the_last_line_of_a_modal_screen_shows_its_own_keys(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.press("g", "p")
        for keys, words in MODAL_LINES.items():
            await player.press(*keys)
            await player.until(lambda words=words: last_line(player).endswith(words))
            await player.press("escape")
            await player.until(lambda: last_line(player).startswith("Enter Open"))
