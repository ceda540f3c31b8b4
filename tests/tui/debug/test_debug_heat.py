"""Heat on the program and on the plane: digits, shades, what moving costs."""

from __future__ import annotations

import pytest
from debug_app import MID, PaneApp, do, inside, program, settle, text_of

from esoplay.tui.debug import heat
from esoplay.tui.debug.pane import DebugPane

PROGRAM = b"say a\n++[>++++<-]\n,[.]>."


async def test_heat_digits_are_below_instructions() -> None:
    async with program(PROGRAM, b"\0") as (pilot, pane, _):
        before = inside(pane.widgets.program)
        await do(pilot, "G", "e")
        rows = inside(pane.widgets.program)
        assert rows[2].strip().endswith("++[>++++<-]")
        assert rows[3].strip() == "11999999999"
        assert rows[5].strip() == "110011"
        assert "0 never, 1 once, 9 = 2×" in text_of(pane.widgets.program)[-1]
        await do(pilot, "e")
        rows = inside(pane.widgets.program)
        assert rows[3].strip() == ""
        assert rows[5].strip() == "00"
        await do(pilot, "e")
        assert "9 just now, 1 long ago, 0 never" in text_of(pane.widgets.program)[-1]
        assert inside(pane.widgets.program)[5].strip().endswith("9")
        await do(pilot, "e", "home")
        assert inside(pane.widgets.program) == before


async def test_shades_follow_the_digits_and_time() -> None:
    async with program(PROGRAM, b"\0", size=MID) as (pilot, pane, app):
        await do(pilot, "e", "4", "s")
        rows = inside(pane.widgets.program)
        assert rows[3].strip() == "11110000000"
        shades = [
            segment.style.bgcolor
            for segment in pane.widgets.program.render_line(3)
            if segment.style is not None and "[" in segment.text
        ]
        plain = pane.widgets.program.palette.base.bgcolor
        assert all(shade != plain for shade in shades)
        sent = app.wire.sent
        await do(pilot, "l")
        assert 0 < app.wire.sent - sent <= 2048
        assert inside(pane.widgets.program)[3].strip() == "11111000000"
        await do(pilot, "h", "h")
        assert inside(pane.widgets.program)[3].strip() == "11100000000"


async def test_clicks_work_with_heat_digits() -> None:
    async with program(PROGRAM, b"\0") as (pilot, pane, _):
        await do(pilot, "e")
        view = pane.widgets.program
        row = next(at for at, text in enumerate(inside(view)) if "++[>" in text)
        column = inside(view)[row].index("[")
        await pilot.click(view, offset=(column + 1, row + 1))
        await settle(pilot)
        assert view.cursor == PROGRAM.index(b"[")


async def test_a_plane_has_a_digit_beside_every_cell() -> None:
    pane = DebugPane(id="debug")
    async with PaneApp(pane).run_test(size=MID) as pilot:
        pane.open("befunge-98", b"1v\n @", b"", b"", "standard")
        pane.focus()
        await settle(pilot)
        await do(pilot, "2", "s", "e")
        plane = pane.widgets.state.plane
        assert plane is not None
        rows = inside(plane)
        assert any(row.strip().endswith("11v1") for row in rows), rows
        assert any("@0" in row for row in rows)
        assert "0 never, 1 once" in text_of(plane)[-1]
        await do(pilot, "e", "e", "e")
        assert any(row.strip().endswith("1v") for row in inside(plane))


async def test_coverage_is_shown() -> None:
    async with program(PROGRAM, b"\0") as (pilot, pane, _):
        pane.commands.run("coverage all")
        await settle(pilot)
        assert pane.time.notice == (
            "15 of 17 instructions executed (88 %) up to step 24; never: 3:3 3:4"
        )


async def test_heat_key_without_a_program_is_ignored() -> None:
    pane = DebugPane(id="debug")
    async with PaneApp(pane).run_test() as pilot:
        await do(pilot, "e")
        assert pane.heat.mode.value == "off"


async def test_long_counts_run_in_the_background(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with program(b"+[]", b"", size=MID) as (pilot, pane, _):
        await do(pilot, "e", "3", "s")
        assert inside(pane.widgets.program)[1].strip() == "111"
        monkeypatch.setattr(heat, "MAIN_THREAD_SECONDS", -1.0)
        monkeypatch.setattr(heat, "IDLE_SECONDS", 3600.0)
        pane.commands.run("400001")
        await settle(pilot)
        assert "as of step 3" in text_of(pane.widgets.program)[-1]
        pane.heat.count_in_thread()  # as a timer does after a moment of rest
        await settle(pilot)
        assert inside(pane.widgets.program)[1].strip() == "199"
        assert "0 never, 1 once, 9 = 200,000×" in text_of(pane.widgets.program)[-1]
