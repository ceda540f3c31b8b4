"""What the last line offers beside the keys of panes, and keys that act where one is."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Play
from play_pilot import Player

from esoplay.tui.dialogs import ReadDialog
from esoplay.tui.workspace import LaunchRequest

pytestmark = pytest.mark.slow  # each test walks through several views


def last_line(player: Player) -> str:
    return player.lines()[-1].rstrip()


def last_message(player: Player) -> str:
    return list(player.app._notifications)[-1].message  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_failed_run_offers_the_key_to_the_first_wrong_byte(
    play: Play, size: tuple[int, int]
) -> None:
    async with play(size=size) as player:
        await player.open("E01")
        await player.write(b"+.")
        await player.until(lambda: last_line(player).startswith("Esc Leave f1 Help"))
        await player.press("f5")
        await player.graded()
        words = "o First wrong byte f2 Edit/debug f5 Examples "
        await player.until(lambda: last_line(player).startswith(f"Esc Leave, then {words}"))
        await player.press("escape")
        await player.until(lambda: words in last_line(player))
        assert "Enter Debug test" in last_line(player)
        await player.press("o")
        await player.until(lambda: player.screen.view == "debug")


async def test_unopened_program_of_a_folder_is_not_tested(play: Play, tmp_path: Path) -> None:
    (tmp_path / "mine.bf").write_bytes(b"+.")
    async with play(launch=LaunchRequest(folder=tmp_path)) as player:
        await player.until(lambda: player.screen.folder.path is not None)
        assert "Examples" not in last_line(player)
        for key in ("f5", "ctrl+t"):
            await player.press(key)
            assert last_message(player).startswith("No problem belongs to mine.bf; ")
            assert not player.screen.test_runner.is_running
            assert player.screen.view == "browse"
            player.app.clear_notifications()


async def test_a_listed_program_of_the_open_problem_is_tested(play: Play, tmp_path: Path) -> None:
    (tmp_path / "mine.bf").write_bytes(b",[.,]")
    async with play(launch=LaunchRequest(folder=tmp_path)) as player:
        await player.until(lambda: player.screen.folder.path is not None)
        workspace = player.screen.workspace
        workspace._open_file(LaunchRequest(problem_id="E01"), tmp_path / "mine.bf")  # pyright: ignore[reportPrivateUsage]
        await player.press("f5")
        await player.graded()
        assert player.screen.results.border_title == "E01 examples, standard"


async def test_file_without_tests_shows_the_key_to_the_list(play: Play, tmp_path: Path) -> None:
    own = tmp_path / "mine.bf"
    own.write_bytes(b"+.")
    async with play(launch=LaunchRequest(file=own)) as player:
        await player.until(lambda: last_line(player).startswith("Esc Leave "))
        assert "Examples" not in last_line(player)
        assert "Submit" not in last_line(player)
        await player.press("escape")
        await player.until(lambda: last_line(player).startswith("Enter Edit "))
        await player.press("enter")
        assert player.screen.program.editor.has_focus


@pytest.mark.parametrize("maximised", [False, True])
async def test_a_hint_in_the_debugger_is_shown_there(play: Play, maximised: bool) -> None:
    async with play() as player:
        await player.open("E04")
        await player.press("f2")
        debugger = player.screen.debugger
        await player.until(lambda: last_line(player).startswith("l/h step"))
        if maximised:
            await player.press("z")
        await player.press("H")
        assert isinstance(player.app.screen, ReadDialog)
        assert "E04" in player.text()
        assert "hint 1 of " in player.text()
        await player.until(lambda: last_line(player).endswith("Esc Close"))
        await player.press("escape")
        assert player.screen.view == "debug"
        assert debugger.has_focus_within
