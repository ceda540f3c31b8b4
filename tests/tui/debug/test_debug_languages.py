"""Every installed language in the whole pane: its sample, forwards and back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from debug_app import MID, NARROW, PaneApp, do, inside, settle, text_of
from selection import slow_except
from textual.pilot import Pilot
from textual.widgets import Input

from esolangs.registry import find_language, language_ids
from esolangs.view import Grid
from esoplay.tui.debug.pane import DebugPane
from esoplay.tui.debug.target import DebugTarget

INPUT = b"you\n3 4\nabc\n"
STEPS = 25
"""Steps that are made one by one; the rest of a sample is run at once."""


def driver_of(pane: DebugPane) -> DebugTarget:
    driver = pane.time.target
    assert driver is not None
    return driver


@pytest.mark.parametrize("language_id", slow_except(language_ids()))
async def test_a_sample_steps_to_its_end_and_back(language_id: str) -> None:
    source = find_language(language_id).sample()
    pane = DebugPane()
    app = PaneApp(pane)
    async with app.run_test(size=NARROW) as pilot:
        pane.open(language_id, source, INPUT, None, "standard")
        pane.focus()
        await settle(pilot)
        seen = [_state(pane)]
        explained: set[str] = set()
        while not driver_of(pane).snapshot.has_ended and pane.step < STEPS:
            await pilot.press("l")
            seen.append(_state(pane))
            explained.add(text_of(pane.widgets.explanation)[0].strip())
        assert pane.step > 2
        assert len(explained) > 2
        assert all(text.startswith(("next", "end")) for text in explained)
        for step in range(pane.step - 1, -1, -1):
            await pilot.press("h")
            assert pane.step == step
            assert _state(pane) == seen[step]
        await do(pilot, "G")
        assert app.moved[-1][1] == "halted"
        assert "ENDED" in text_of(pane.widgets.status)[0]


def _state(pane: DebugPane) -> list[object]:
    """Return the data of the panels, without marks of change."""
    view = driver_of(pane).snapshot.view
    return [view.step, view.location, view.panels]


@pytest.mark.parametrize("language_id", language_ids())
async def test_every_panel_has_a_widget_of_its_own_and_rows_at_80_columns(
    language_id: str,
) -> None:
    source = find_language(language_id).sample()
    pane = DebugPane()
    async with PaneApp(pane).run_test(size=NARROW) as pilot:
        pane.open(language_id, source, INPUT, None, "standard")
        await settle(pilot)
        boxes = pane.widgets.state.boxes
        snapshot = driver_of(pane).snapshot
        listed = snapshot.listing is not None  # the code is shown in the program's place
        assert len(boxes) == len(snapshot.view.panels) - listed
        assert "FieldsPanel" not in {type(box).__name__ for box in boxes}
        assert boxes[0].size.height >= max(box.size.height for box in boxes)
        column = [box for box in boxes if box.parent is pane.widgets.state]
        assert sum(box.size.height for box in column) == pane.widgets.state.size.height


@pytest.mark.parametrize("language_id", slow_except(language_ids(), "whitespace"))
async def test_breakpoint_in_program_text_stops_and_is_shown(language_id: str) -> None:
    source = find_language(language_id).sample()
    pane = DebugPane()
    async with PaneApp(pane).run_test(size=MID) as pilot:
        pane.open(language_id, source, INPUT, None, "standard")
        pane.focus()
        await do(pilot, "l", "l", "l")
        span = driver_of(pane).snapshot.view.location.span
        await do(pilot, "b", "home")
        assert "breakpoint 1 set" not in text_of(pane.widgets.status)[0]
        await do(pilot, "c")
        assert driver_of(pane).snapshot.view.location.span == span
        assert any("●" in row for row in inside(pane.widgets.main_code))
        await do(pilot, "B")
        line = pane.query_one(Input).value
        assert line.startswith("change 1 at ")
        await do(pilot, "enter")
        assert len(driver_of(pane).debugger.breakpoints) == 1


@pytest.mark.parametrize(
    "language_id", slow_except(language_ids(), "befunge-98", "brainfuck", "unlambda")
)
async def test_breakpoints_accept_every_name_of_a_program(language_id: str) -> None:
    source = find_language(language_id).sample()
    pane = DebugPane()
    async with PaneApp(pane).run_test(size=MID) as pilot:
        pane.open(language_id, source, INPUT, None, "standard")
        pane.focus()
        await settle(pilot)
        for name in list(driver_of(pane).debugger.program.places())[:5]:
            await do(pilot, "colon")
            pane.query_one(Input).value = f"break {name.lower()}"
            await do(pilot, "enter")
            assert f"at {name}" in text_of(pane.widgets.status)[0]
            breakpoint = driver_of(pane).debugger.breakpoints[-1]
            assert breakpoint.spec.place == name
            pane.widgets.open_page("breaks")
            await settle(pilot)


def _with(kind: type) -> list[str]:
    """Languages whose sample shows a panel of this kind."""
    found: list[str] = []
    for language_id in language_ids():
        language = find_language(language_id)
        panels = language.parse(language.sample()).start().view().panels
        if any(isinstance(panel, kind) for panel in panels):
            found.append(language_id)
    return found


@asynccontextmanager
async def sample_of(language_id: str) -> AsyncIterator[tuple[Pilot[None], DebugPane]]:
    pane = DebugPane()
    async with PaneApp(pane).run_test(size=MID) as pilot:
        pane.open(language_id, find_language(language_id).sample(), INPUT, None, "standard")
        pane.focus()
        await settle(pilot)
        yield pilot, pane


async def command(pilot: Pilot[None], pane: DebugPane, line: str) -> str:
    """Run a command; return the status after it."""
    await do(pilot, "colon")
    pane.query_one(Input).value = line
    await do(pilot, "enter")
    return text_of(pane.widgets.status)[0]


@pytest.mark.slow
@pytest.mark.parametrize("language_id", _with(Grid))
async def test_plane_cells_can_be_breakpoints_and_run_targets(language_id: str) -> None:
    async with sample_of(language_id) as (pilot, pane):
        plane = pane.widgets.state.plane
        assert plane is not None
        await do(pilot, "l", "l", "l", "l")
        point = driver_of(pane).snapshot.view.location.address
        assert isinstance(point, tuple)
        plane.focus()
        await do(pilot, "b")
        assert [each.spec.position for each in driver_of(pane).debugger.breakpoints] == [point]
        assert any("●" in row for row in inside(plane))
        await do(pilot, "home", "c")
        assert driver_of(pane).snapshot.view.location.address == point
        await do(pilot, "b")
        assert driver_of(pane).debugger.breakpoints == ()
        x, y = point[0], point[1]
        assert f"at {x},{y}" in await command(pilot, pane, f"b {x},{y} if hits < 9")
        await do(pilot, "home", "c")
        assert driver_of(pane).snapshot.view.location.address == point


async def test_line_below_a_narrow_plane_is_not_cut() -> None:
    pane = DebugPane(id="debug")
    async with PaneApp(pane).run_test(size=NARROW) as pilot:
        pane.open("befunge-98", b"&&+.@", b"1 2", None, "standard")
        pane.focus()
        await settle(pilot)
        pane.look_up_last_write()
        await settle(pilot)
        plane = pane.widgets.state.plane
        assert plane is not None
        assert inside(plane)[-1] == " 0,0: 38 '&'  read a number  unwritten"


@pytest.mark.slow
@pytest.mark.parametrize("language_id", _with(Grid))
async def test_plane_can_be_scrolled_away_from_the_pointer(language_id: str) -> None:
    async with sample_of(language_id) as (pilot, pane):
        plane = pane.widgets.state.plane
        assert plane is not None
        before = inside(plane)[:4]
        plane.focus()
        await do(pilot, "j", "shift+right")
        assert "1,1: " in inside(plane)[-1]
        await command(pilot, pane, "cell -70,-90")
        assert any(row.lstrip(" ›").startswith("-90") for row in inside(plane))
        assert "-70,-90: 32 space" in inside(plane)[-1]
        assert "never written" in inside(plane)[-1]
        await do(pilot, "escape")
        assert inside(plane)[:4] == before
        plane.post_message(plane.Scrolled(500, 40))
        await do(pilot, "l")
        assert "▶" not in "".join(inside(plane))
        await do(pilot, "escape")
        assert any("▶" in row for row in inside(plane))
        assert "a column and a row such as" in await command(pilot, pane, "cell 3")


@pytest.mark.parametrize("language_id", _with(Grid))
async def test_changed_plane_cell_is_shown_in_the_program(language_id: str) -> None:
    async with sample_of(language_id) as (pilot, pane):
        plane = pane.widgets.state.plane
        assert plane is not None
        assert "3,2 is now 88" in await command(pilot, pane, "set 3,2 88")
        await command(pilot, pane, "cell 3,2")
        assert "3,2: 88 'X'" in inside(plane)[-1]
