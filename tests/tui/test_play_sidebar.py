"""The sidebar can be hidden, and the borders of panes can be moved; both are remembered."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Play
from play_pilot import Player
from selection import slow_except
from textual.content import Content
from textual.events import MouseMove

from esoplay.tui.workspace import LaunchRequest

pytestmark = pytest.mark.slow  # each test walks through several views

SIDE = {"problems", "statement", "score"}


def shown(player: Player) -> set[str | None]:
    return {pane.id for pane in player.screen.panes if pane.region.area}


def messages(player: Player) -> list[str]:
    return [each.message for each in player.app._notifications]


@pytest.mark.parametrize("size", slow_except([(120, 40), (200, 60)], (120, 40)))
async def test_key_hides_the_sidebar_and_the_choice_is_saved(
    play: Play, size: tuple[int, int]
) -> None:
    async with play(size=size) as player:
        await player.open("E08")
        assert shown(player) == {*SIDE, "program", "results"}
        await player.press("alt+s")
        assert shown(player) == {"program", "results"}
        assert player.screen.focused is player.screen.program.editor
        await player.press("backslash")  # text, in the editor
        assert b"\\" in player.screen.program.source
        await player.press("escape")
    async with play(size=size) as player:
        assert shown(player) == {"program", "results"}
        await player.press("escape", "backslash")
        assert shown(player) == {*SIDE, "program", "results"}


async def test_sidebar_is_hidden_at_first_in_a_small_debugger(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        await player.open("E08")
        await player.press("f2")
        assert shown(player) == {"debug"}
        await player.press("backslash")
        assert shown(player) == {*SIDE, "debug"}
        await player.press("f2", "f2")
        assert shown(player) == {*SIDE, "debug"}
        await player.pilot.resize_terminal(80, 24)
        await player.pilot.pause()
        assert shown(player) == {"debug"}
        await player.press("backslash")
        assert "No room for the sidebar in fewer than 110 columns." in messages(player)


@pytest.mark.parametrize("debug", slow_except([True, False], False))
async def test_own_file_starts_without_the_sidebar(play: Play, tmp_path: Path, debug: bool) -> None:
    path = tmp_path / "own.bf"
    path.write_bytes(b"+[-]")
    async with play(size=(200, 60), launch=LaunchRequest(path, debug=debug)) as player:
        assert shown(player) == {"debug" if debug else "program"}
        await player.press("alt+s")
        assert shown(player) >= SIDE


async def test_views_without_a_sidebar_report_it(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        player.screen.show_view("browse")
        await player.press("backslash")
        assert "Only the editor and the debugger have a sidebar." in messages(player)


async def test_hiding_the_sidebar_moves_its_focus(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        await player.open("E08")
        player.screen.problems.focus()
        await player.press("alt+s")
        focused = player.screen.focused
        assert focused is not None
        assert focused.region.area


async def test_list_marks_and_shows_the_open_problem(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        await player.open("E20")
        await player.until(lambda: "E20" in player.text(player.screen.problems))
        bold = [
            option.id
            for option in player.screen.problems.options
            if isinstance(option.prompt, Content)
            and any(span.style == "bold" for span in option.prompt.spans)
        ]
        assert bold == ["E20"]


# Borders


@pytest.mark.slow
async def test_border_follows_the_mouse_and_a_double_click_resets_it(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        await player.open("E08")
        screen = player.screen
        before = screen.program.region
        await drag(player, (before.x, 12), (before.x + 9, 14))
        assert screen.program.region.x == before.x + 9
        assert screen.statement.region.right == before.x + 9
        bottom = screen.results.region.y
        await drag(player, (90, bottom), (90, bottom - 5))
        assert screen.results.region.y == bottom - 5
        assert not screen.selections
    async with play(size=(120, 40)) as player:
        screen = player.screen
        assert screen.program.region.x == before.x + 9
        assert screen.results.region.y == bottom - 5
        await player.pilot.click(offset=(before.x + 9, 12), times=2)
        await player.pilot.pause()
        assert screen.program.region.x == before.x
        assert screen.results.region.y == bottom - 5
        await player.press("alt+r")
        assert screen.program.region == before


@pytest.mark.slow
async def test_keys_move_the_borders_of_the_pane_with_the_keyboard(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        await player.open("E08")
        screen = player.screen
        program = screen.program.region
        await player.press("alt+shift+right", "alt+shift+up")
        assert screen.program.region.x == program.x + 4
        assert screen.program.region.bottom == program.bottom - 2
        screen.statement.focus()
        await player.press("alt+shift+left", "alt+shift+left")
        assert screen.program.region.x == program.x - 4
        await player.press("f12", "alt+shift+left")
        assert "Only this pane is shown; Esc shows the others." in messages(player)
        await player.press("escape", *["alt+shift+left"] * 9)
        assert screen.statement.region.width == 16
        assert "No border of this pane can move in this direction." in messages(player)


@pytest.mark.slow
async def test_the_borders_of_the_debugger_move_as_well(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        await player.open("E08")
        await player.press("f2")
        parts = player.screen.debugger.widgets
        await player.press("l")  # the tip goes
        state, pages = parts.state.region, parts.diff.region
        await player.press("alt+shift+left", "alt+shift+down")
        assert parts.state.region.x == state.x - 4
        assert parts.diff.region.y == pages.y + 2
        await drag(player, (state.x - 4, 10), (state.x - 8, 10))
        assert parts.state.region.x == state.x - 8
    async with play(size=(120, 40)) as player:
        parts = player.screen.debugger.widgets
        await player.until(lambda: bool(parts.state.region.area))
        assert parts.state.region.x == state.x - 8
        await player.press("alt+r")
        assert parts.state.region == state
        assert parts.diff.region == pages


async def drag(player: Player, start: tuple[int, int], end: tuple[int, int]) -> None:
    pilot = player.pilot
    await pilot.mouse_down(offset=start)
    between = ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
    for offset in (between, end):
        await pilot._post_mouse_events([MouseMove], offset=offset, button=1)
    await pilot.mouse_up(offset=end)
    await pilot.pause()


@pytest.mark.slow
async def test_a_dragged_border_leaves_the_focus_in_the_editor(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.open("E02")
        editor, statement = player.screen.program.editor, player.screen.statement
        edge, row = statement.region.right - 1, statement.region.y + 3
        before = player.screen.program.source
        await drag(player, (edge, row), (edge - 4, row))
        assert statement.region.right < edge + 1
        assert editor.has_focus
        await player.press("H")
        assert len(player.screen.program.source) == len(before) + 1
