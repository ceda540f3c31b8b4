"""Every language that is installed, in the whole pane: its sample there and back again."""

from __future__ import annotations

import pytest
from debug_app import MID, NARROW, PaneApp, do, inside, settle, text_of
from textual.widgets import Input

from esolangs.registry import find_language, language_ids
from esoplay.tui.debug import DebugPane
from esoplay.tui.debug.driver import Driver

INPUT = b"you\n3 4\nabc\n"
STEPS = 60
"""Steps that are taken one by one; the rest of a sample is run through at once."""


def driver_of(pane: DebugPane) -> Driver:
    driver = pane.navigator.driver
    assert driver is not None
    return driver


@pytest.mark.parametrize("language_id", language_ids())
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
        while not driver_of(pane).moment.ended and pane.step < STEPS:
            await pilot.press("l")
            seen.append(_state(pane))
            explained.add(text_of(pane.parts.explain)[0].strip())
        assert pane.step > 2
        assert len(explained) > 2
        assert all(text.startswith(("next", "end")) for text in explained)
        for step in range(pane.step - 1, -1, -1):
            await pilot.press("h")
            assert pane.step == step
            assert _state(pane) == seen[step]
        await do(pilot, "G")
        assert app.moved[-1][1] == "halted"
        assert "ENDED" in text_of(pane.parts.status)[0]


def _state(pane: DebugPane) -> list[object]:
    """What the panels are told, which is what they show but for marks of change."""
    view = driver_of(pane).moment.view
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
        boxes = pane.parts.state.boxes
        assert len(boxes) == len(driver_of(pane).moment.view.panels)
        assert "FieldsPanel" not in {type(box).__name__ for box in boxes}
        assert boxes[0].size.height >= max(box.size.height for box in boxes)
        assert sum(box.size.height for box in boxes) == pane.parts.state.size.height


@pytest.mark.parametrize("language_id", language_ids())
async def test_a_breakpoint_in_the_program_text_is_met_and_shown(language_id: str) -> None:
    source = find_language(language_id).sample()
    pane = DebugPane()
    async with PaneApp(pane).run_test(size=MID) as pilot:
        pane.open(language_id, source, INPUT, None, "standard")
        pane.focus()
        await do(pilot, "l", "l", "l")
        span = driver_of(pane).moment.view.location.span
        await do(pilot, "b", "g")
        assert "breakpoint 1 set" not in text_of(pane.parts.status)[0]
        await do(pilot, "c")
        assert driver_of(pane).moment.view.location.span == span
        assert any("●" in row for row in inside(pane.parts.program))
        await do(pilot, "B")
        line = pane.query_one(Input).value
        assert line.startswith("b at ")
        await do(pilot, "enter")
        assert len(driver_of(pane).debugger.breakpoints) == 1


@pytest.mark.parametrize("language_id", language_ids())
async def test_every_name_that_a_program_has_can_be_stopped_at(language_id: str) -> None:
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
            assert f"at {name}" in text_of(pane.parts.status)[0]
            placed = driver_of(pane).debugger.breakpoints[-1]
            assert placed.spec.place == name
            pane.parts.open_page("breaks")
            await settle(pilot)


@pytest.mark.parametrize("language_id", language_ids())
async def test_a_step_sends_little_in_every_language(language_id: str) -> None:
    source = find_language(language_id).sample()
    pane = DebugPane()
    app = PaneApp(pane)
    async with app.run_test(size=NARROW) as pilot:
        pane.open(language_id, source, INPUT, None, "standard")
        pane.focus()
        await settle(pilot)
        sizes: list[int] = []
        for _each in range(15):
            app.sent = 0
            await do(pilot, "l")
            sizes.append(app.sent)
        assert sorted(sizes)[len(sizes) // 2] <= 4096
