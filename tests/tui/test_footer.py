"""The row of keys at the bottom of the screen."""

from __future__ import annotations

from conftest import Play

from esoplay.tui.frame import Footer


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
