"""A program on a plane in the whole pane: one plane, followed, searched, with breakpoints."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from debug_app import MID, NARROW, WIDE, PaneApp, do, inside, settle, status
from textual.pilot import Pilot
from textual.widgets import Input

from esolangs.editing import Editing
from esolangs.registry import find_language
from esoplay.tui.debug.pane import DebugPane
from esoplay.tui.debug.state.plane import GridPanel
from esoplay.tui.debug.target import DebugTarget

WIDE_PLANE = b"\n".join(
    [b">" + b"1$" * 99 + b"v", *[b" " * 199 + b"z"] * 40, b"@" + b"2$" * 99 + b"<"]
)
"""Runs 199 columns to the right, 41 rows down and back: 440 steps."""


@asynccontextmanager
async def plane_of(
    source: bytes, size: tuple[int, int] = MID, stdin: bytes = b""
) -> AsyncIterator[tuple[Pilot[None], DebugPane, GridPanel]]:
    pane = DebugPane()
    async with PaneApp(pane).run_test(size=size) as pilot:
        pane.open("befunge-98", source, stdin, None, "standard")
        pane.focus()
        await settle(pilot)
        yield pilot, pane, pane.widgets.plane


def target_of(pane: DebugPane) -> DebugTarget:
    assert pane.time.target is not None
    return pane.time.target


@pytest.mark.parametrize("size", [NARROW, MID, WIDE])
async def test_plane_is_shown_in_place_of_the_program(size: tuple[int, int]) -> None:
    source = find_language("befunge-98").sample()
    async with plane_of(source, size) as (_, pane, plane):
        assert plane.display
        assert plane.has_focus
        assert not pane.widgets.program.display
        assert plane.region.x == 0
        assert plane.size.width >= size[0] // 2
        assert plane.size.height >= 13
        first = source.split(b"\n")[0].decode()
        assert [first in row for row in inside(plane)].count(True) == 1
        others = [box for box in pane.widgets.boxes if box is not plane and box.display]
        assert not any(first in row for box in others for row in inside(box))


async def test_text_view_returns_for_text_languages() -> None:
    async with plane_of(b"1.@") as (pilot, pane, plane):
        pane.open("brainfuck", b"+++", b"", None, "standard")
        await settle(pilot)
        assert pane.widgets.program.display
        assert pane.widgets.program.has_focus
        assert not plane.display
        pane.open("befunge-98", b"12+.@", b"", None, "standard")
        await settle(pilot)
        assert plane.display
        assert not pane.widgets.program.display
        pane.close()
        await settle(pilot)
        assert not plane.display


@pytest.mark.slow
async def test_the_plane_follows_the_pointer_in_both_directions() -> None:
    async with plane_of(WIDE_PLANE) as (pilot, pane, plane):
        for _ in range(18):
            await do(pilot, *"25l")
            assert any(row[1:2] == "▶" for row in inside(plane))
            assert "▼" in inside(plane)[0]
        assert target_of(pane).snapshot.has_ended
        await do(pilot, "home")
        assert inside(plane)[1].startswith(" ▶ 0 >1$1$")


async def test_far_cells_are_reached_by_key() -> None:
    async with plane_of(WIDE_PLANE) as (pilot, pane, plane):
        await do(pilot, "pagedown", "ctrl+right")
        assert plane.footer()[0].text.startswith("IP: ")
        assert not any(row[1:2] == "▶" for row in inside(plane))
        await do(pilot, "pageup", "ctrl+left")
        assert any(row[1:2] == "▶" for row in inside(plane))
        await do(pilot, "ctrl+g")
        assert pane.query_one(Input).value == "cell "
        await do(pilot, *"199", "comma", *"41", "enter")
        assert inside(plane)[-1].startswith(" 199,41: 60 '<'  go west")
        await do(pilot, "escape")
        assert any(row[1:2] == "▶" for row in inside(plane))


@pytest.mark.slow
async def test_search_selects_the_cell_where_the_text_begins() -> None:
    async with plane_of(b'>  "ab"v\n   @,,,<\nab') as (pilot, pane, _plane):
        await do(pilot, "slash", *"ab", "enter")
        assert target_of(pane).selected == (4, 0)
        await do(pilot, "comma")
        assert target_of(pane).selected == (0, 2)
        await do(pilot, "comma")
        assert target_of(pane).selected == (4, 0)
        await do(pilot, "full_stop")
        assert target_of(pane).selected == (0, 2)
        await do(pilot, "slash", *"xyz", "enter")
        assert "'xyz' is not in the program" in status(pane)


async def test_mouse_sets_breakpoints_with_any_focus() -> None:
    async with plane_of(b"1234@") as (pilot, pane, plane):
        pane.widgets.output.focus()
        await pilot.click(plane, offset=(1 + 5 + 2, 2), times=2)
        await settle(pilot)
        assert [each.spec.position for each in target_of(pane).debugger.breakpoints] == [(2, 0)]
        await do(pilot, "c")
        assert target_of(pane).snapshot.view.location.address == (2, 0)
        await pilot.click(plane, offset=(1, 2))
        await settle(pilot)
        assert target_of(pane).debugger.breakpoints == ()


@pytest.mark.slow
async def test_keys_refer_to_the_selected_cell_with_any_focus() -> None:
    async with plane_of(b"1234@") as (pilot, pane, _plane):
        pane.widgets.output.focus()
        await do(pilot, "ctrl+g", "3", "comma", "0", "enter")
        await do(pilot, "b")
        assert [each.spec.position for each in target_of(pane).debugger.breakpoints] == [(3, 0)]
        await do(pilot, "colon", "b", "enter")
        await do(pilot, "t")
        assert target_of(pane).snapshot.view.location.address == (3, 0)


async def test_concurrent_pointers_are_numbered_by_row_and_column() -> None:
    async with plane_of(b"#vt1>#@\n >2#@\n") as (pilot, pane, plane):
        await do(pilot, "l", "l", "l")
        assert len(target_of(pane).snapshot.view.panels) == 3
        grid = target_of(pane).snapshot.view.panels[0]
        rows = inside(plane)
        assert rows[1].startswith("  ip ")
        for pointer in getattr(grid, "pointers", ()):
            x, y = pointer.position
            assert rows[1][5 + x] in (str(pointer.id), "+")
            assert rows[2 + y][1] in ("▶", str(pointer.id), "+")


def test_every_instruction_has_a_name() -> None:
    editing = find_language("befunge-98").editing()
    nameless = [code for code in range(33, 127) if not editing.instruction_name(code)]
    assert [chr(code) for code in nameless] == [*"hlm"]
    assert editing.instruction_name(ord("c")) == "push 12"
    assert editing.instruction_name(ord("M")) == "fingerprint instruction"
    assert editing.instruction_name(-1) == editing.instruction_name(1 << 40) == ""
    assert Editing().instruction_name(43) == ""


@pytest.mark.parametrize("source", [b"1 @\r\n\f2\r3\n", b"", b"ab\n\ncd"])
def test_offsets_and_cells_are_converted_both_ways(source: bytes) -> None:
    program = find_language("befunge-98").parse(source)
    for offset in range(len(source)):
        assert program.offset_at(program.address_at(offset)) == offset
    assert program.offset_at((-1, 0)) is None
    assert program.offset_at((0, 99)) is None
