"""The plane: cells, rulers, pointers, and the window that is kept on it."""

from __future__ import annotations

from typing import Any

import pytest
from debug_app import PaneApp, inside, settle, text_of
from hypothesis import given
from hypothesis import strategies as st
from panel_app import PANEL, Listener, moment_of, plane, segments, underlined

from esolangs.view import (
    Point,
    Pointer,
)
from esoplay.debugging.debugger import CellWrite
from esoplay.tui.debug.moment import LastWrite
from esoplay.tui.debug.state.plane import GridPanel, arrow, glyph, ruler
from esoplay.tui.debug.viewport import Extent


async def test_a_plane_has_rulers_and_points_at_its_pointer() -> None:
    grid = plane('>987v>.v   "', "v456<  :   #", '>321 ^ _@  "', at=(3, 1))
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(moment_of(grid), grid)
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
        panel.show(moment_of(grid), grid)
        assert inside(panel)[1] == "  -1000 abc"
        assert inside(panel)[2] == " ▶ -999 def"
        assert "-12,-1000 to -10,-999" in text_of(panel)[0]


async def test_cells_that_the_program_wrote_are_not_marked_by_colour_alone() -> None:
    before, after = plane("a  d"), plane("aX d", written=((1, 0), (3, 0)))
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(moment_of(after, before), after)
        assert underlined(panel) == ["X"]
        assert [s.text for s in segments(panel, 2) if s.style and s.style.italic] == ["d"]


async def test_the_trail_fades() -> None:
    grid = plane("abcdef", at=(5, 0), trail=((4, 0), (3, 0), (2, 0)))
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(moment_of(grid), grid)
        shades = {s.text: s.style.bgcolor for s in segments(panel, 2) if s.style is not None}
        assert len({shades["c"], shades["d"], shades["e"], shades["f"]}) == 4
        assert shades["ab"] not in (shades["c"], shades["d"], shades["e"])


async def test_several_pointers_are_told_apart() -> None:
    pointers = (
        Pointer(0, (0, 0), (1, 0), (0, 0), False),
        Pointer(7, (2, 0), (0, -1), (0, 0), True),
    )
    grid = plane("a b", pointers=pointers)
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(moment_of(grid), grid)
        assert "ip 7 2,0 ↑" in text_of(panel)[0]
        styles = {s.text: s.style for s in segments(panel, 2)}
        assert styles["a"] != styles["b"]
        assert styles["a"] is not None
        assert styles["a"].underline


async def test_the_selected_cell_is_described_and_its_last_write_named() -> None:
    grid = plane("abc", at=(0, 0))
    write = LastWrite((2, 0), CellWrite(120, 32, 99, (0, 1), (0, 0)))
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(moment_of(grid, selected=(2, 0), chosen=True, last_write=write), grid)
        assert inside(panel)[-1] == " 2,0: 99 'c'  last write @120  32 → 99"


async def test_clicks_and_keys_select_cells_of_a_plane() -> None:
    grid = plane("abc", "def", left=-1, top=-1, at=(-1, -1))
    panel = GridPanel()
    app = Listener(panel)
    async with app.run_test(size=PANEL) as pilot:
        panel.show(moment_of(grid, selected=(-1, -1)), grid)
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
        panel.show(moment_of(grid), grid)
        await pilot._post_mouse_events([_wheel()], panel, offset=(5, 3))  # pyright: ignore[reportPrivateUsage]
        await settle(pilot)
        assert app.scrolled == [(0, 3)]


def _wheel() -> Any:
    from textual.events import MouseScrollDown

    return MouseScrollDown


async def test_a_plane_in_numbers() -> None:
    grid = plane("a ", rows=((97, 32, -5, 123456),))
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(moment_of(grid), grid)
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


def test_directions_and_rulers() -> None:
    assert arrow((0, -1)) == "↑"
    assert arrow((2, 7)) == "→(2,7)"
    assert ruler(-12, 24, 1).rstrip() == "  -10       0         10"
    assert ruler(0, 12, 5).split() == ["0", "5", "10"]


COORDINATES = st.integers(-100, 100)
POINTS = st.tuples(COORDINATES, COORDINATES)


@given(POINTS, POINTS, POINTS, POINTS, st.integers(1, 60), st.integers(1, 20))
def test_the_window_on_a_plane_shows_the_point_and_rests_while_it_can(
    point: Point, corner: Point, one: Point, other: Point, width: int, height: int
) -> None:
    extent = Extent(width, height)
    low = min(one[0], other[0]), min(one[1], other[1])
    high = max(one[0], other[0]), max(one[1], other[1])
    x, y = extent.corner_for(point, corner, low, high)
    assert x <= point[0] < x + width
    assert y <= point[1] < y + height
    assert extent.corner_for(point, (x, y), low, high) == (x, y)


def test_a_plane_that_fits_is_shown_whole() -> None:
    extent = Extent(40, 6)
    assert extent.corner_for((3, 2), (0, 0), (-1, -1), (38, 4)) == (-1, -1)
    assert extent.corner_for((3, 2), (0, 0), (-1, -1), (39, 4)) == (0, -1)
    assert extent.corner_for((3, 2), (60, 0), (0, 0), (99, 4)) == (0, 0)
    assert extent.corner_for((99, 2), (60, 0), (0, 0), (99, 4)) != (60, 0)
