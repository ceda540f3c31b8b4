"""``g`` and a letter go somewhere; a key without a meaning says so."""

from __future__ import annotations

import pytest
from conftest import Play

from esoplay.tui.go_menu import DestinationLine, GoMenu, explain_unbound


@pytest.mark.slow
async def test_g_menu_lists_destinations_and_opens_one(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.open("E08")
        player.screen.show_view("browse")
        await player.press("g")
        assert isinstance(player.app.screen, GoMenu)
        assert "p  Problems" in player.text()
        assert "The pack's solution: solve" in player.text()
        await player.press("e")
        assert player.screen.view == "edit"
        await player.press("g")
        assert b"g>,  " in player.screen.program.source  # text is being typed
        await player.press("alt+g", "d")
        assert player.screen.view == "debug"


@pytest.mark.slow
async def test_menu_shows_why_a_destination_is_unavailable(play: Play) -> None:
    async with play() as player:
        await player.open("E08")
        player.screen.show_view("browse")
        await player.press("g", "r")
        assert player.app.screen is player.screen
        assert "Solve the problem first, in any language." in messages(player.app)
        await player.press("g", "x")
        assert "g x is not a key of this menu." in messages(player.app)
        assert player.screen.view == "browse"


async def test_long_menu_entry_wraps(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.open("E08")
        player.screen.show_view("browse")
        await player.press("g")
        entries = list(player.app.screen.query(DestinationLine))
        assert any(entry.size.height > 1 for entry in entries)
        for entry in entries:
            first, *more = player.lines(entry)
            assert first[1:3] == "  "
            assert all(line.startswith("   ") for line in more)


@pytest.mark.slow
async def test_click_on_an_entry_opens_it_and_click_beside_closes_the_menu(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.open("E08")
        player.screen.show_view("browse")
        await player.press("g")
        await player.pilot.click("DestinationLine:last-of-type", offset=(1, 0))
        assert player.app.screen is player.screen
        await player.press("g")
        await player.pilot.click(offset=(3, 2))
        assert player.app.screen is player.screen
        assert player.screen.view == "browse"


@pytest.mark.slow
async def test_g_g_goes_to_the_start_of_a_run(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("debug")
        await player.press("l", "l")
        assert player.screen.debugger.step == 2
        await player.press("g", "g")
        await player.until(lambda: player.screen.debugger.step == 0)


async def test_unbound_key_reports_its_meaning_elsewhere(play: Play) -> None:
    async with play() as player:
        await player.open("E08")
        player.screen.show_view("browse")
        await player.press("e")
        assert player.screen.view == "browse"
        where = "in the debugger (f2) it is “Heat: how often executed”; g e is “Editor”"
        assert messages(player.app) == [f"e does nothing here: {where}"]
        await player.press("e")  # the notice is shown once
        assert messages(player.app) == [f"e does nothing here: {where}"]
        player.screen.show_view("debug")
        await player.press("K")
        assert "K does nothing here: ? lists the keys that do" in messages(player.app)
    assert explain_unbound("cent_sign", "").startswith("¢ does nothing here")


def messages(app: object) -> list[str]:
    """Return the notifications of the application."""
    return [each.message for each in app._notifications]  # type: ignore[attr-defined]
