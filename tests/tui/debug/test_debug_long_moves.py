"""Moves that take long: the screen stays responsive, Escape ends them, no other code interferes."""

from __future__ import annotations

import pytest
from debug_app import do, program, settle, text_of

from esoplay.tui.debug.pane import DebugPane

RUNAWAY = b"+[]"


def status(pane: DebugPane) -> str:
    return text_of(pane.widgets.status)[0]


@pytest.mark.slow
async def test_a_runaway_program_is_stopped_by_escape() -> None:
    async with program(RUNAWAY) as (pilot, pane, app):
        await pilot.press("c")
        assert "RUNNING" in status(pane)
        assert "Esc stops" in status(pane)
        await do(pilot, "escape")
        assert pane.step == 0
        assert "stopped continuing" in status(pane)
        await do(pilot, "l")
        assert pane.step == 1
        assert app.moved == [(0, "paused"), (1, "paused")]


@pytest.mark.slow
async def test_stop_running_reports_whether_a_move_was_stopped() -> None:
    async with program(RUNAWAY) as (pilot, pane, _):
        assert not pane.stop_running()
        await pilot.press("G")
        assert pane.stop_running()
        await settle(pilot)
        assert not pane.stop_running()


@pytest.mark.slow
async def test_only_the_cursor_moves_during_a_long_move() -> None:
    async with program(RUNAWAY) as (pilot, pane, _):
        await pilot.press("n", "c", "shift+right", "b")
        assert pane.widgets.program.has_own_cursor
        assert "RUNNING" in status(pane)
        assert pane.stop_running()
        await settle(pilot)
        assert pane.time.target is not None
        assert not pane.time.target.debugger.breakpoints


@pytest.mark.slow
async def test_new_move_replaces_a_running_move() -> None:
    async with program(RUNAWAY) as (pilot, pane, _):
        await pilot.press("l", "c")
        assert pane.time.is_running
        await do(pilot, *"7G")
        assert pane.step == 7


async def test_escape_cancels_the_waiting_move() -> None:
    async with program(RUNAWAY) as (pilot, pane, _):
        time = pane.time
        assert time.target is not None
        time.resume()
        time.seek_end()
        assert time.stop()
        await settle(pilot)
        assert not time.is_running
        assert "PAUSED" in status(pane)


@pytest.mark.slow
async def test_another_program_can_be_opened_during_a_move() -> None:
    async with program(RUNAWAY) as (pilot, pane, _):
        await pilot.press("c")
        pane.open("brainfuck", b"++.", b"", None, "standard")
        await settle(pilot)
        await do(pilot, "G")
        assert pane.step == 3


@pytest.mark.slow
async def test_closing_during_a_move_empties_the_pane() -> None:
    async with program(RUNAWAY) as (pilot, pane, _):
        await pilot.press("c")
        pane.close()
        await settle(pilot)
        assert "EMPTY" in status(pane)
        assert not pane.has_program


@pytest.mark.slow
async def test_long_seek_reaches_its_step() -> None:
    async with program(RUNAWAY) as (pilot, pane, _):
        await do(pilot, *"90000000G")
        assert pane.step == 90_000_000
        await do(pilot, *"89999999h")
        assert pane.step == 1


async def test_cancelled_steps_over_loops_are_counted() -> None:
    loop = b"-[>-[>-[-]<-]<-]"
    async with program(loop + b">" + loop) as (pilot, pane, _):
        await do(pilot, "n", "n")
        first = pane.step
        await do(pilot, "home", "l", *"2n")
        assert pane.step in (first, first + 1)


async def test_write_search_in_a_long_history_does_not_block(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("esoplay.tui.debug.target.EAGER_STEPS", {})
    monkeypatch.setattr("esoplay.tui.debug.target.IDLE_STEPS", {})
    async with program(b"+++[>++<-]>.") as (pilot, pane, _):
        await do(pilot, *"4l")
        await pilot.press("w")
        await settle(pilot)
        assert pane.step == 3
        await do(pilot, "W")
        assert pane.step == 9
        await do(pilot, "v")
        assert "its writes are listed in the log" in status(pane)
        await do(pilot, "home", "w")
        assert "no earlier write" in status(pane)
