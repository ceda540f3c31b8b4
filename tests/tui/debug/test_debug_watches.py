"""Watch expressions in the pane: typed, changed, marked, saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from debug_app import (
    MID,
    WIDE,
    PaneApp,
    do,
    inside,
    make_loops,
    make_snapshot,
    make_tape,
    make_view,
    program,
    settle,
    status,
)

from esolangs.brainfuck import LANGUAGE
from esoplay.debugging.debugger import Breakpoint, BreakpointSpec
from esoplay.tui.debug.pane import DebugPane
from esoplay.tui.debug.widgets import MIN_STATE_ROWS, DebugWidgets

SOURCE = b"++[>+++<-]>."
PROGRAM = b"+>++>+++<.,"


@pytest.mark.slow
async def test_watches_show_current_and_previous_values() -> None:
    async with program(SOURCE, b"x") as (pilot, pane, _):
        await do(pilot, "u", *"cell[1]+1", "enter")
        await do(pilot, "colon", *"display nowhere", "enter")
        assert "unknown name 'nowhere'" in status(pane)
        await do(pilot, "u", *"nowhere", "enter")
        assert "watch 2: unknown name 'nowhere'" in status(pane)
        rows = inside(pane.widgets.watches)
        assert rows[0].split() == ["1", "cell[1]+1", "1"]
        assert "✗ unknown name 'nowhere'; expected cell[" in rows[1]
        await do(pilot, "5", "l")
        assert "2  was 1" in inside(pane.widgets.watches)[0]
        await do(pilot, "h")
        assert "1  was 2" in inside(pane.widgets.watches)[0]
        await do(pilot, "U", "j", "E")
        await do(pilot, *["backspace"] * 7, *"cell[0]*300", "enter")
        assert "cell[0]*300  600" in inside(pane.widgets.watches)[1]
        await do(pilot, "x")
        assert "cell[0]*300  258" in inside(pane.widgets.watches)[1]
        await do(pilot, "delete", "colon", *"unwatch 1", "enter")
        assert "no watches" in inside(pane.widgets.watches)[0]


@pytest.mark.slow
async def test_watches_are_listed_beside_the_program_in_a_wide_pane() -> None:
    async with program(PROGRAM, b"x", size=MID) as (pilot, pane, app):
        side = pane.widgets.side_watches
        assert not side.display
        assert not pane.widgets.side_notes.display
        for text in ("cell[1]", "cell[2]+cell[0]", "ptr"):
            await do(pilot, "u", *text, "enter")
        assert side.display
        assert pane.widgets.diff.display or not pane.widgets.watches.display
        sizes: list[int] = []
        for _ in range(6):
            app.wire.sent = 0
            await do(pilot, "l")
            sizes.append(app.wire.sent)
        assert max(sizes) <= 2048
        assert inside(side)[1].split() == ["2", "cell[2]+cell[0]", "2", "was", "1"]
        await do(pilot, "U")
        assert side.has_focus
        await do(pilot, "delete", "delete", "delete")
        assert not side.display
        assert pane.widgets.program.has_focus


@pytest.mark.slow
async def test_a_wide_pane_has_the_notebook_below_the_state() -> None:
    async with program(PROGRAM, b"x", size=WIDE) as (pilot, pane, _):
        await do(pilot, "u", *"ptr", "enter", "a", *"here", "enter")
        column = pane.widgets
        assert column.side_watches.display
        assert "here" in inside(column.side_notes)[0]
        await do(pilot, "A")
        assert column.side_notes.has_focus


@pytest.mark.slow
async def test_breakpoints_and_watches_are_restored(tmp_path: Path) -> None:
    for again in range(2):
        pane = DebugPane(id="debug")
        pane.notes_folder = tmp_path
        async with PaneApp(pane).run_test(size=MID) as pilot:
            pane.open("brainfuck", PROGRAM, b"x", None, "standard")
            pane.focus()
            await settle(pilot)
            if not again:
                await do(pilot, "colon", *"b output 0", "enter", "u", *"ptr*2", "enter")
            else:
                assert "ptr*2" in inside(pane.widgets.side_watches)[0]
                await do(pilot, "c")
                assert "breakpoint 1: output 0" in status(pane)
                pane.open("brainfuck", b"+" + PROGRAM, b"x", None, "standard")
                await settle(pilot)
                assert "ptr*2" in inside(pane.widgets.side_watches)[0]
                await do(pilot, "right_curly_bracket")
                assert "output 0" in inside(pane.widgets.breakpoints)[0]
                pane.open("brainfuck", b".", b"x", None, "standard")
                await settle(pilot)
                assert not pane.widgets.side_watches.display


@pytest.mark.slow
async def test_compared_run_shows_watches_and_saves_nothing(tmp_path: Path) -> None:
    pane = DebugPane(id="debug")
    pane.notes_folder = tmp_path
    async with PaneApp(pane).run_test(size=MID) as pilot:
        pane.open("brainfuck", b",[.,]", b"ab", None, "standard")
        pane.focus()
        await settle(pilot)
        await do(pilot, "u", *"value", "enter", "b")
        (file,) = (tmp_path / "kept").iterdir()
        kept = file.read_text()
        assert "value" in kept
        assert "breakpoints" in kept
        await do(pilot, "colon", *"compare input ax", "enter")
        await do(pilot, "colon", *"compare other", "enter")
        assert "value" in inside(pane.widgets.side_watches)[0]
        assert file.read_text() == kept
        await do(pilot, "colon", *"compare other", "enter")
        await do(pilot, "colon", *"unwatch 1", "enter")
        assert "value" not in file.read_text()


@pytest.mark.parametrize(
    ("size", "most"),
    [
        pytest.param((88, 38), 5, marks=pytest.mark.slow),
        ((88, 28), 4),
        ((96, 26), 0),
        ((80, 22), 0),
    ],
)
async def test_breakpoints_are_listed_below_the_state(size: tuple[int, int], most: int) -> None:
    parsed = LANGUAGE.parse(PROGRAM)
    breakpoints = [Breakpoint(at, BreakpointSpec(cell=at * 11), parsed) for at in range(1, 10)]
    view = make_view(panels=(make_tape((1, 2, 3)), make_loops()))
    parts = DebugWidgets()
    async with PaneApp(parts).run_test(size=size) as pilot:
        side, column = parts.side_breakpoints, parts.state
        parts.show_state(make_snapshot(view))
        await settle(pilot)
        alone = column.size.height
        for count in (0, 1, 2, 3, 9, 0):
            snapshot = make_snapshot(view, breakpoints=tuple(breakpoints[:count]))
            for breaks in (parts.breakpoints, parts.side_breakpoints):
                breaks.show(snapshot, PROGRAM)
            parts.update_list_layout()
            await settle(pilot)
            rows = min(count + 2, most) if count else 0
            assert side.display == (rows > 0)
            assert column.size.height == alone - rows
            if rows:
                assert side.size.height == rows
                assert "write 11" in inside(side)[0]
                assert column.size.height >= MIN_STATE_ROWS
            assert parts.breakpoints.item_count() == count


async def test_deleting_breakpoints_frees_their_rows() -> None:
    async with program(PROGRAM, b"x", size=MID) as (pilot, pane, app):
        side = pane.widgets.side_breakpoints
        await do(pilot, "b")
        assert "● 1  at 1:1" in inside(side)[0]
        sizes: list[int] = []
        for _ in range(4):
            app.wire.sent = 0
            await do(pilot, "l")
            sizes.append(app.wire.sent)
        assert max(sizes) <= 2048
        side.focus()
        await do(pilot, "delete")
        assert not side.display
        assert pane.widgets.program.has_focus
