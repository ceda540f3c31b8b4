"""What stays on the screen, or comes back to it, when something else goes wrong or ends."""

from __future__ import annotations

from conftest import Play


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
