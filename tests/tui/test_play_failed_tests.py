"""Messages about failed tests, and the ways from there to the debugger."""

from __future__ import annotations

from conftest import Play

from esoplay.tui.debug.byte_glyphs import format_int


async def test_a_failed_test_says_what_differs_and_the_cause(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        player.screen.workspace.choose_language("befunge-98")
        await player.open("E04")
        await player.write(b"&&+.@")
        await player.press("f5")
        await player.graded()
        assert "one extra space at the end" in player.text(player.screen.results)
        assert "`.` prints a space" in player.text(player.screen.results)


async def test_one_key_on_a_failed_test_leads_before_its_first_wrong_byte(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        screen = player.screen
        await player.open("E02")
        await player.write(b",[.,]+.")  # echoes, and prints a byte more
        await player.press("f5")
        await player.graded()
        screen.results.focus()
        await player.press("o")
        await player.until(lambda: screen.debugger.step > 0)
        target = screen.debugger.time.target
        assert target is not None
        assert target.expected == screen.workspace.examples[0][1]
        printed = target.debugger.find_print_step(len(target.expected))
        assert screen.debugger.step + 1 == printed
        assert f"step {format_int(screen.debugger.step)}" in player.text()
        assert screen.view == "debug"


async def test_the_cause_of_a_failed_test_is_indented_in_all_its_rows(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        player.screen.workspace.choose_language("befunge-98")
        await player.open("E04")
        await player.write(b"&&+.@")
        await player.press("f5")
        await player.graded()
        results = player.screen.results
        results.scroll_home(animate=False)
        await player.pilot.pause()
        rows = [line.strip("│▇▆▅▄▃▂▁█ ") and line[1:] for line in player.lines(results)[1:-1]]
        below = [row for row in rows if row and "✗" not in row and "✓" not in row]
        assert any("space" in row for row in below)
        assert all(row.startswith("      ") for row in below), below
