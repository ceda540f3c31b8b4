"""The plane: cells, rulers, pointers, and the window on it."""

from __future__ import annotations

from typing import Any

import pytest
from debug_app import PaneApp, inside, settle, text_of
from hypothesis import given
from hypothesis import strategies as st
from panel_app import PANEL, Listener, foot, plane, segments, snapshot_of, underlined
from textual.events import MouseScrollDown, MouseScrollUp

from esolangs.registry import find_language
from esolangs.view import (
    Point,
    Pointer,
)
from esoplay.debugging.debugger import Breakpoint, BreakpointSpec, CellWrite
from esoplay.tui.debug.debug_snapshot import LastWrite
from esoplay.tui.debug.state.plane import GridPanel
from esoplay.tui.debug.state.plane_cells import arrow, glyph, ruler
from esoplay.tui.debug.viewport import Extent


async def test_a_plane_has_rulers_and_points_at_its_pointer() -> None:
    grid = plane('>987v>.v   "', "v456<  :   #", '>321 ^ _@  "', at=(3, 1))
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(grid), grid)
        assert inside(panel)[:4] == [
            "     0  ▼      10",
            '   0 >987v>.v   "',
            " ▶ 1 v456<  :   #",
            '   2 >321 ^ _@  "',
        ]
        frame = text_of(panel)[0]
        assert "fungespace  ip 3,1 →" in frame
        assert "0,0 to 11,2" in frame
        inverse = [each for each in segments(panel, 3) if each.text == "6"]
        assert len(inverse) == 1


async def test_a_plane_far_from_the_origin_names_its_coordinates() -> None:
    grid = plane("abc", "def", left=-12, top=-1000, at=(-11, -999))
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=(60, 10)):
        panel.show(snapshot_of(grid), grid)
        assert inside(panel)[1] == "  -1000 abc"
        assert inside(panel)[2] == " ▶ -999 def"
        assert "-12,-1000 to -10,-999" in text_of(panel)[0]


async def test_cells_that_the_program_wrote_are_not_marked_by_colour_alone() -> None:
    before, after = plane("a  d"), plane("aX d", written=((1, 0), (3, 0)))
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(after, before), after)
        assert underlined(panel) == ["X"]
        assert [s.text for s in segments(panel, 2) if s.style and s.style.italic] == ["d"]


async def test_the_trail_fades() -> None:
    grid = plane("abcdef", at=(5, 0), trail=((4, 0), (3, 0), (2, 0)))
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(grid), grid)
        shades = {s.text: s.style.bgcolor for s in segments(panel, 2) if s.style is not None}
        assert len({shades["c"], shades["d"], shades["e"], shades["f"]}) == 4
        assert shades["ab"] not in (shades["c"], shades["d"], shades["e"])


async def test_pointers_are_distinguished() -> None:
    pointers = (
        Pointer(0, (0, 0), (1, 0), (0, 0), False),
        Pointer(7, (2, 0), (0, -1), (0, 0), True),
    )
    grid = plane("a b", pointers=pointers)
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(grid), grid)
        assert "ip 7 2,0 ↑" in text_of(panel)[0]
        styles = {s.text: s.style for s in segments(panel, 3)}
        assert styles["a"] != styles["b"]
        assert styles["a"] is not None
        assert styles["a"].underline


async def test_the_selected_cell_is_described_and_its_last_write_named() -> None:
    grid = plane("abc", at=(0, 0))
    write = LastWrite((2, 0), CellWrite(120, 32, 99, (0, 1), (0, 0)))
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(
            snapshot_of(grid, selected_cell=(2, 0), is_user_selected=True, last_write=write), grid
        )
        assert inside(panel)[-1] == " 2,0: 99 'c'  last write @120  32 → 99"


async def test_clicks_and_keys_select_cells_of_a_plane() -> None:
    grid = plane("abc", "def", left=-1, top=-1, at=(-1, -1))
    panel = GridPanel()
    app = Listener(panel)
    async with app.run_test(size=PANEL) as pilot:
        panel.show(snapshot_of(grid, selected_cell=(-1, -1)), grid)
        await pilot.click(panel, offset=(1 + 5 + 2, 3))
        panel.move(rows=1)
        panel.move(columns=-3)
        await settle(pilot)
        assert app.selected == [(1, 0), (-1, 0), (-4, -1)]


async def test_the_wheel_scrolls_a_plane() -> None:
    grid = plane("abc")
    panel = GridPanel()
    app = Listener(panel)
    async with app.run_test(size=PANEL) as pilot:
        panel.show(snapshot_of(grid), grid)
        await pilot._post_mouse_events([_wheel()], panel, offset=(5, 3))  # pyright: ignore[reportPrivateUsage]
        await settle(pilot)
        assert app.scrolled == [(0, 3)]


def _wheel() -> Any:
    return MouseScrollDown


async def test_a_plane_can_be_shown_as_numbers() -> None:
    grid = plane("a ", rows=((97, 32, -5, 123456),))
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(grid), grid)
        assert inside(panel)[1] == " ▶ 0 a ▫▪"
        panel.cycle_base()
        assert inside(panel)[1].split() == ["▶", "0", "97", "·", "-5", "####"]
        panel.cycle_base()
        assert inside(panel)[1].split() == ["▶", "0", "61", "·", "-5", "####"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (65, "A"),
        (32, " "),
        (10, "␊"),
        (0, "␀"),
        (127, "␡"),
        (0xE9, "é"),
        (0x4E00, "▪"),
        (0x300, "▪"),
        (1 << 70, "▪"),
        ("-1.5e300 (999 bits)", "▫"),
        (-1, "▫"),
    ],
)
def test_every_value_has_a_character(value: int | str, shown: str) -> None:
    assert glyph(value) == shown


def test_directions_and_rulers_are_drawn() -> None:
    assert arrow((0, -1)) == "↑"
    assert arrow((2, 7)) == "→(2,7)"
    assert ruler(-12, 24, 1).rstrip() == "  -10       0         10"
    assert ruler(0, 12, 5).split() == ["0", "5", "10"]


COORDINATES = st.integers(-100, 100)
POINTS = st.tuples(COORDINATES, COORDINATES)


@given(POINTS, POINTS, POINTS, POINTS, st.integers(1, 60), st.integers(1, 20))
def test_plane_window_contains_the_point_and_moves_rarely(
    point: Point, corner: Point, one: Point, other: Point, width: int, height: int
) -> None:
    extent = Extent(width, height)
    low = min(one[0], other[0]), min(one[1], other[1])
    high = max(one[0], other[0]), max(one[1], other[1])
    x, y = extent.visible_corner(point, corner, low, high)
    assert x <= point[0] < x + width
    assert y <= point[1] < y + height
    assert extent.visible_corner(point, (x, y), low, high) == (x, y)


def test_a_plane_that_fits_is_shown_whole() -> None:
    extent = Extent(40, 6)
    assert extent.visible_corner((3, 2), (0, 0), (-1, -1), (38, 4)) == (-1, -1)
    assert extent.visible_corner((3, 2), (0, 0), (-1, -1), (39, 4)) == (0, -1)
    assert extent.visible_corner((3, 2), (60, 0), (0, 0), (99, 4)) == (0, 0)
    assert extent.visible_corner((99, 2), (60, 0), (0, 0), (99, 4)) != (60, 0)


def test_a_large_window_moves_before_the_pointer_reaches_its_edge() -> None:
    extent = Extent(80, 24)
    low, high = (0, 0), (999, 999)
    assert extent.visible_corner((74, 20), (0, 0), low, high) == (0, 0)
    moved = extent.visible_corner((75, 20), (0, 0), low, high)
    assert 75 - moved[0] < 80 // 2
    back = extent.visible_corner((moved[0] + 4, 20), moved, low, high)
    assert moved[0] + 4 - back[0] > 80 // 2


THREE = (
    Pointer(0, (0, 0), (1, 0), (0, 0), True),
    Pointer(1, (2, 1), (0, -1), (0, 0), False),
    Pointer(12, (2, 2), (-1, 0), (0, 0), False),
)


async def test_pointers_are_distinguished_without_colour() -> None:
    grid = plane("abc", "def", "ghi", pointers=THREE)
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(grid, selected_cell=(2, 2), is_user_selected=True), grid)
        assert inside(panel)[:5] == [
            "     ▼ ⌄",
            "  ip 0 +",
            " ▶ 0 abc",
            " 1 1 def",
            " 2 2 ghi",
        ]
        assert "IP 12 ←" in inside(panel)[-1]


async def test_the_row_of_numbers_stays_when_one_pointer_is_left_in_view() -> None:
    grid = plane("abc", "def", "ghi", pointers=THREE)
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        before = panel.extent.height
        panel.show(snapshot_of(grid), grid)
        assert panel.extent.height == before - 1
        alone = grid._replace(pointers=THREE[:1])
        panel.show(snapshot_of(alone), alone)
        assert panel.extent.height == before - 1


async def test_the_selected_cell_is_marked_without_colour() -> None:
    grid = plane("abc", "def")
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(grid, selected_cell=(1, 1), is_user_selected=True), grid)
        assert inside(panel)[:3] == ["     ▼⌄", " ▶ 0 abc", " › 1 def"]


async def test_pointer_outside_the_window_is_indicated() -> None:
    grid = plane("abc", "def", left=10, top=10, at=(5, 40))
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(grid), grid)
        assert foot(panel) == "IP: 5 left, 29 below; Esc shows it"


def stop_at(number: int, point: Point, *, enabled: bool = True) -> Breakpoint:
    spec = BreakpointSpec(position=point, enabled=enabled)
    return Breakpoint(number, spec, find_language("befunge-98").parse(b"abc\ndef"))


class Clicks(Listener):
    """Stores the cells on which breakpoints were requested."""

    def __init__(self, panel: GridPanel) -> None:
        super().__init__(panel)
        self.breaks: list[Point] = []

    def on_grid_panel_breakpoint_requested(self, event: GridPanel.BreakpointRequested) -> None:
        self.breaks.append(event.point)


async def test_the_mouse_sets_breakpoints_on_cells() -> None:
    grid = plane("abc", "  d", "   ")
    panel = GridPanel()
    app = Clicks(panel)
    async with app.run_test(size=PANEL) as pilot:
        panel.show(snapshot_of(grid, breakpoints=(stop_at(1, (2, 0)),)), grid)
        await pilot.click(panel, offset=(1 + 5 + 1, 2), times=2)
        await pilot.click(panel, offset=(1 + 5 + 2, 2), button=3)
        for row in (2, 3, 4):
            await pilot.click(panel, offset=(1, row))
        await settle(pilot)
        assert app.breaks == [(1, 0), (2, 0), (2, 0), (2, 1)]
        assert app.selected[0] == (1, 0)


async def test_breakpoints_are_reversed_and_disabled_ones_hollow() -> None:
    grid = plane("abc", "def", at=(0, 1))
    stops = (stop_at(1, (2, 0)), stop_at(2, (1, 1), enabled=False))
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(grid, breakpoints=stops), grid)
        assert [row[0] for row in inside(panel)[1:3]] == ["●", "○"]
        assert [s.text for s in segments(panel, 2) if s.style and s.style.reverse] == ["c"]


async def test_the_wheel_with_shift_scrolls_columns() -> None:
    grid = plane("abc")
    panel = GridPanel()
    app = Listener(panel)
    async with app.run_test(size=PANEL) as pilot:
        panel.show(snapshot_of(grid), grid)
        for direction in (MouseScrollDown, MouseScrollUp):
            event = direction(panel, 5, 3, 0, 0, 0, True, False, False)
            await panel.on_event(event)
        await settle(pilot)
        assert app.scrolled == [(8, 0), (-8, 0)]
