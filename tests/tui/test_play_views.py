"""Views between runs, maximised panes, and files that solve a problem."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Play
from selection import slow_except

from esoplay.tui.workspace import LaunchRequest

pytestmark = pytest.mark.slow  # each test walks through several views

ECHO = b",[.,]"
REVERSE = b">,[>,]<[.<]"


@pytest.mark.parametrize("view", slow_except(["learn", "browse", "debug", "score"], "debug"))
async def test_the_view_of_the_last_run_is_restored(play: Play, view: str) -> None:
    async with play(size=(80, 24)) as player:
        await player.pilot.click(f"#tab-{view}")
        await player.pilot.pause()
        assert player.screen.view == view
    async with play(size=(80, 24)) as player:
        assert player.screen.view == view
        assert player.screen.focused is not None


PANES = [
    ("browse", "problems"),
    pytest.param("score", "score", marks=pytest.mark.slow),
    pytest.param("debug", "debug", marks=pytest.mark.slow),
    ("edit", "program"),
]


@pytest.mark.parametrize(("view", "pane"), PANES)
async def test_each_pane_can_be_maximised(play: Play, view: str, pane: str) -> None:
    async with play(size=(200, 60)) as player:
        await player.pilot.click(f"#tab-{view}")
        await player.press("f12")
        body = player.screen.query_one("#body")
        seen = {child.id for child in body.children if child.region.area}
        assert seen == {pane}
        assert player.screen.query_one(f"#{pane}").region == body.region
        await player.press("f12")
        assert len([child for child in body.children if child.region.area]) > 1


async def test_z_maximises_panes_and_is_a_letter_in_the_editor(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("browse")
        await player.pilot.pause()
        await player.press("tab", "z")
        assert player.screen.maximised_pane is player.screen.query_one("#statement")
        await player.press("escape")
        assert player.screen.maximised_pane is None
        await player.open("E08")
        await player.press("z")
        assert player.screen.maximised_pane is None
        assert b"z" in player.screen.program.source


@pytest.mark.slow
async def test_another_view_restores_all_panes(play: Play) -> None:
    async with play() as player:
        await player.open("E08")
        await player.press("f12")
        assert player.screen.maximised_pane is player.screen.program
        await player.press("f2")
        assert player.screen.maximised_pane is None


@pytest.mark.slow
async def test_a_file_is_tested_again_whenever_it_changes_on_disk(
    play: Play, tmp_path: Path
) -> None:
    path = tmp_path / "own.bf"
    path.write_bytes(REVERSE)
    async with play(launch=LaunchRequest(path, problem_id="E08")) as player:
        assert player.screen.program.source == REVERSE
        assert "own.bf E08" in player.text(player.screen.title_bar)
        await player.press("f8")
        assert player.app.screen is player.screen  # a file keeps its language
        await player.press("f5")
        await player.graded()
        assert "passed" in player.text(player.screen.results)
        path.write_bytes(ECHO)
        buffer = player.screen.workspace.buffer
        assert buffer is not None
        await player.screen.current_file.check_disk(buffer)
        assert player.screen.test_runner.is_running
        await player.graded()
        assert "wrong answer" in player.text(player.screen.results)
        assert "✗ examples" in player.text(player.screen.title_bar)
    assert path.read_bytes() == ECHO


@pytest.mark.slow
async def test_a_change_on_disk_keeps_step_and_breakpoints(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "own.bf"
    path.write_bytes(b"+++[>++<-]>.")
    async with play(launch=LaunchRequest(path, debug=True)) as player:
        pane = player.screen.debugger
        await player.press(*"9l", "colon", *"b at 1", "colon", *"12", "enter")
        driver = pane.time.target
        assert driver is not None
        assert len(driver.debugger.breakpoints) == 1
        path.write_bytes(b"+++[>++<-] well >+.")
        buffer = player.screen.workspace.buffer
        assert buffer is not None
        await player.screen.current_file.check_disk(buffer)
        await player.pilot.pause()
        assert pane.step == 9
        driver = pane.time.target
        assert driver is not None
        assert [each.spec.offset for each in driver.debugger.breakpoints] == [18]
