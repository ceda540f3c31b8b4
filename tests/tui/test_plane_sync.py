"""A program on a plane is edited and debugged in one place."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Play
from play_pilot import Player
from textual.widgets import Input

from esolangs.registry import find_language
from esolangs.view import Point
from esoplay.errors import UsageError
from esoplay.tui.debug.debug_snapshot import first_grid
from esoplay.tui.plane_sync import source_with_cells
from esoplay.tui.workspace import LaunchRequest

FAR = b"\n".join([b">" + b" " * 400 + b"v", *[b""] * 60, b" " * 401 + b"@"])
"""A plane larger than any pane."""


def corner_of(player: Player) -> Point:
    target = player.screen.debugger.time.target
    assert target is not None
    grid = first_grid(target.snapshot.view)
    assert grid is not None
    return grid.left, grid.top


def selected(player: Player) -> object:
    target = player.screen.debugger.time.target
    return None if target is None else target.selected


async def command(player: Player, line: str) -> None:
    await player.press("colon")
    player.screen.debugger.query_one(Input).value = line
    await player.press("enter")


async def test_the_editor_opens_at_the_cell_and_leads_back_to_it(
    play: Play, tmp_path: Path
) -> None:
    path = tmp_path / "far.b98"
    path.write_bytes(FAR)
    async with play(size=(80, 24), launch=LaunchRequest(path, debug=True)) as player:
        editor = player.screen.program.editor
        await command(player, "cell 150,40")
        corner = corner_of(player)
        assert corner[0] > 0
        assert corner[1] > 0
        await player.press("f2")
        await player.pilot.pause()
        assert editor.drawn_cursor == (40, 150)
        assert tuple(editor.scroll_offset) == corner
        await player.press("down")
        offset = tuple(editor.scroll_offset)
        await player.press("f2")
        assert selected(player) == (150, 41)
        assert corner_of(player) == offset


@pytest.mark.slow
async def test_returning_does_not_select_the_next_cell(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "three.b98"
    path.write_bytes(b"1 .@")
    async with play(size=(80, 24), launch=LaunchRequest(path, debug=True)) as player:
        assert selected(player) is None
        await player.press("l", "f2")
        await player.pilot.pause()
        assert player.screen.program.editor.drawn_cursor == (0, 2)
        await player.press("f2")
        assert selected(player) is None


async def test_a_cell_is_set_by_key_applied_and_undone(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "set.b98"
    path.write_bytes(b"1.@")
    async with play(size=(80, 24), launch=LaunchRequest(path, debug=True)) as player:
        await command(player, "apply")
        assert "no cell of the program was set" in player.text()
        await player.press("E")
        line = player.screen.debugger.query_one(Input)
        assert line.value == "set 0,0 "
        line.value += "'7'"
        await player.press("enter")
        assert player.screen.program.source == b"1.@"
        await command(player, "set 4,2 'x'")
        await command(player, "apply")
        assert player.screen.program.source == b"7.@\n\n    x"
        assert "2 cells written into the program" in player.text()
        target = player.screen.debugger.time.target
        assert target is not None
        assert target.debugger.program.source == b"7.@\n\n    x"
        await player.press("f2", "ctrl+z")
        assert player.screen.program.source == b"1.@"


@pytest.mark.parametrize(
    ("cell", "value", "words"),
    [
        ((0, 0), 300, "cell 0,0 holds 300"),
        ((0, 0), 10, "cell 0,0 holds 10"),
        ((-1, 0), 65, "starts at 0,0"),
        ((9, 9), 65, "the text has a form feed or lone CR"),
        ((10**9, 0), 65, "cell 1000000000,0 is too far away"),
        ((0, 10**9), 65, "cell 0,1000000000 is too far away"),
    ],
)
def test_values_without_text_are_rejected(cell: Point, value: int, words: str) -> None:
    program = find_language("befunge-98").parse(b"1\r2")
    with pytest.raises(UsageError, match=words):
        source_with_cells(program, {cell: value})


def test_rows_grow_and_keep_line_ends() -> None:
    program = find_language("befunge-98").parse(b"ab\r\ncd\n")
    source = source_with_cells(program, {(3, 0): 120, (0, 1): 121, (1, 3): 122})
    assert source == b"ab x\r\nyd\n\n z"


@pytest.mark.slow
async def test_apply_writes_cells_set_so_far_and_reports_the_rest(
    play: Play, tmp_path: Path
) -> None:
    path = tmp_path / "later.b98"
    path.write_bytes(b"1.2.@")
    async with play(size=(120, 40), launch=LaunchRequest(path, debug=True)) as player:
        await player.press("l")
        await command(player, "set 0,0 '8'")
        await command(player, "set 2,0 300")
        await player.press("l")
        await command(player, "set 1,0 '9'")
        await player.press("home")
        await command(player, "apply")
        assert player.screen.program.source == b"1.2.@"
        assert (
            "no cell was set by hand up to this step; the first was set at step 1" in player.text()
        )
        await player.press("l")
        await command(player, "apply")
        assert player.screen.program.source == b"8.2.@"
        await player.until(lambda: "1 cell written" in player.text())
        assert "cell 2,0 holds 300" in player.text()


@pytest.mark.slow
async def test_a_set_cell_is_undone_by_key(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "undo.b98"
    path.write_bytes(b"1.@")
    async with play(size=(120, 40), launch=LaunchRequest(path, debug=True)) as player:
        await command(player, "set 0,0 '8'")
        await command(player, "set 1,0 '9'")
        target = player.screen.debugger.time.target
        assert target is not None
        await player.press("ctrl+z")
        assert [each.address for each in target.debugger.recording.edits] == [(0, 0)]
        assert "the change of cell 1,0 at step" in player.text()
        await command(player, "undo")
        assert not target.debugger.recording.edits
        await player.press("ctrl+z")
        assert "no cell was set by hand" in player.text()
