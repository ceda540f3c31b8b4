"""Breakpoints move with edits, wait while their text is deleted, and return with it."""

from __future__ import annotations

import pytest
from debug_app import MID, PaneApp, do, inside, program, settle
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from esoplay.debugging.debugger import BreakpointSpec
from esoplay.tui.debug.breakpoints import anchor_at
from esoplay.tui.debug.pane import DebugPane

FIRST = b"+++[>.<-]\n,[.,]\n"
WITHOUT = b"+++[><-]\n,[.,]\n"


async def edit(pilot: Pilot[None], pane: DebugPane, source: bytes, language: str) -> None:
    pane.open(language, source, b"x", None, "standard")
    await settle(pilot)


def places(pane: DebugPane) -> list[object]:
    driver = pane.time.target
    assert driver is not None
    specs = [each.spec for each in driver.debugger.breakpoints]
    return [each.offset if each.position is None else each.position for each in specs]


async def test_breakpoint_returns_with_its_text() -> None:
    async with program(FIRST, b"x", size=MID) as (pilot, pane, _):
        pane.commands.run("b at 1:6 if step > 3")
        pane.commands.run("b at 2:3")
        await settle(pilot)
        await edit(pilot, pane, WITHOUT, "brainfuck")
        assert places(pane) == [11]
        pane.widgets.open_page("breaks")
        await settle(pilot)
        listed = inside(pane.widgets.breakpoints)
        assert "at 2:3" in listed[0]
        assert listed[1].strip().startswith("◌")
        assert "deleted with its text; undo" in listed[1]
        assert inside(pane.widgets.program)[0].startswith("◌")
        assert inside(pane.widgets.program)[1].startswith("●")
        await edit(pilot, pane, b"a comment\n" + FIRST, "brainfuck")
        assert sorted(map(str, places(pane))) == ["15", "22"]
        driver = pane.time.target
        assert driver is not None
        assert {each.spec.condition for each in driver.debugger.breakpoints} == {None, "step > 3"}
        assert not driver.orphans
        assert any("is restored" in entry.text for entry in driver.log)


async def test_breakpoints_moved_to_one_place_both_remain() -> None:
    loop = b"[.->->->->->]\n"
    async with program(b"+" + loop + b"," + loop, b"x", size=MID) as (pilot, pane, _):
        pane.commands.run("b at 1:3 if step > 3")
        pane.commands.run("b at 2:3")
        await settle(pilot)
        await edit(pilot, pane, b"," + loop, "brainfuck")
        assert places(pane) == [2, 2]
        driver = pane.time.target
        assert driver is not None
        assert {each.spec.condition for each in driver.debugger.breakpoints} == {None, "step > 3"}


async def test_an_orphan_can_be_deleted() -> None:
    async with program(FIRST, b"x", size=MID) as (pilot, pane, _):
        pane.commands.run("b at 1:6")
        await settle(pilot)
        await edit(pilot, pane, WITHOUT, "brainfuck")
        pane.widgets.open_page("breaks")
        pane.widgets.breakpoints.focus()
        await do(pilot, "enter", "delete")
        assert "no breakpoints" in inside(pane.widgets.breakpoints)[0]
        await edit(pilot, pane, FIRST, "brainfuck")
        assert places(pane) == []


@pytest.mark.slow
async def test_plane_breakpoints_move_with_the_text() -> None:
    pane = DebugPane(id="debug")
    async with PaneApp(pane).run_test(size=MID) as pilot:
        await edit(pilot, pane, b">12+.@\n^    <\n", "befunge-98")
        driver = pane.time.target
        assert driver is not None
        driver.breakpoints.put(BreakpointSpec(position=(4, 0)))
        driver.breakpoints.put(BreakpointSpec(position=(40, 2)))
        await edit(pilot, pane, b"v  .\n>12+.@\n^    <\n", "befunge-98")
        assert places(pane) == [(4, 1), (40, 2)]


async def test_label_breakpoint_returns_with_its_name() -> None:
    play = (
        b"A.\nRomeo, a man.\nJuliet, a woman.\nAct I: A.\nScene I: S.\n"
        b"[Enter Romeo and Juliet]\nRomeo: You are a cat.\nScene II: T.\nRomeo: Speak your mind.\n"
    )
    pane = DebugPane(id="debug")
    async with PaneApp(pane).run_test(size=MID) as pilot:
        await edit(pilot, pane, play, "shakespeare")
        pane.commands.run("b Act I Scene II")
        await settle(pilot)
        await edit(pilot, pane, play.replace(b"Scene II: T.\n", b""), "shakespeare")
        driver = pane.time.target
        assert driver is not None
        assert len(driver.orphans) == 1
        assert not driver.debugger.breakpoints
        await edit(pilot, pane, play, "shakespeare")
        driver = pane.time.target
        assert driver is not None
        assert [each.spec.place for each in driver.debugger.breakpoints] == ["Act I Scene II"]


@given(st.binary(min_size=1, max_size=60), st.data(), st.binary(max_size=9))
def test_text_that_was_only_moved_is_found(
    source: bytes, data: st.DataObject, front: bytes
) -> None:
    at = data.draw(st.integers(0, len(source) - 1))
    anchor = anchor_at(source, (at, at + 1))
    if not anchor.before and not anchor.after:
        return
    found = anchor.find(front + source, at + len(front))
    assert found == at + len(front)


def test_text_in_other_context_does_not_match() -> None:
    anchor = anchor_at(b"+++[>.<-]", (5, 6))
    assert anchor.find(b",[.,]", 2) is None


@pytest.mark.parametrize("near", [0, 20])
def test_nearest_match_is_used(near: int) -> None:
    anchor = anchor_at(b"[->+<]", (2, 3))
    source = b"[->+<]" + b"." * 14 + b"[->+<]"
    assert anchor.find(source, near) == near + 2


async def test_spaces_after_an_instruction_do_not_identify_it() -> None:
    lines = b"+++\n>.            one\n>+.           two\n,[.,]\n"
    async with program(lines, b"x", size=MID) as (pilot, pane, _):
        pane.commands.run("b at 2:2")
        pane.commands.run("b at 3:3 if step > 3")
        await settle(pilot)
        await edit(pilot, pane, lines.replace(b">.            one", b""), "brainfuck")
        driver = pane.time.target
        assert driver is not None
        assert [each.spec.condition for each in driver.debugger.breakpoints] == ["step > 3"]
        assert len(driver.orphans) == 1
        await edit(pilot, pane, lines, "brainfuck")
        assert sorted(map(str, places(pane))) == ["24", "5"]
