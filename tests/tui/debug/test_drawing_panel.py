"""The drawing in the state column: dots, colors, the turtle, and a small terminal."""

from __future__ import annotations

from itertools import pairwise

from debug_app import PaneApp, inside, settle, text_of
from hypothesis import given
from hypothesis import strategies as st
from panel_app import foot, segments, snapshot_of

from esolangs.view import Drawing, Line, Point
from esoplay.tui.debug.pane import DebugPane
from esoplay.tui.debug.state.drawing_panel import DrawingPanel, DrawingScale, dots_between

SMALL = (12, 6)  # ten columns and four rows inside: 20 × 16 dots
SQUARE = '"TRUT"4($$1P' + "5Fa9*R" * 4 + "@"
_POINTS = st.tuples(st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1))


def drawing(*lines: tuple[Point, Point, int], at: Point = (0, 0), paper: int = 0xFFFFFF) -> Drawing:
    made = tuple(Line(*line) for line in lines)
    xs = [point[0] for line in made for point in (line.start, line.end)] or [at[0]]
    ys = [point[1] for line in made for point in (line.start, line.end)] or [at[1]]
    low, high = (min(xs), min(ys)), (max(xs), max(ys))
    return Drawing("drawing", made, len(made), low, high, at, 0, True, 0, paper)


async def test_lines_are_dots_and_the_turtle_is_an_arrow() -> None:
    square = drawing(((0, 0), (15, 0), 0), ((15, 0), (15, 15), 0), ((15, 15), (0, 15), 0))
    panel = DrawingPanel()
    async with PaneApp(panel).run_test(size=SMALL):
        panel.show(snapshot_of(square), square)
        side = " " * 8 + "⢸"
        assert inside(panel) == [" →⠉⠉⠉⠉⠉⠉⢹", side, side, " ⣀⣀⣀⣀⣀⣀⣀⣸"]
        assert text_of(panel)[0].startswith("╭─ drawing")


async def test_lines_have_pen_and_paper_colors() -> None:
    lines = drawing(((0, 0), (9, 0), 0xFF0000), ((0, 9), (9, 9), 0x0000FF), paper=0x202020)
    panel = DrawingPanel()
    async with PaneApp(panel).run_test(size=SMALL):
        panel.show(snapshot_of(lines), lines)
        found = {
            (each.style.color.name, each.style.bgcolor.name if each.style.bgcolor else "")
            for y in range(1, 5)
            for each in segments(panel, y)
            if each.style is not None
            and each.style.color is not None
            and "\u2800" <= each.text[0] <= "\u28ff"
        }
        assert found == {("#ff0000", "#202020"), ("#0000ff", "#202020")}


async def test_frame_shows_the_number_of_lines() -> None:
    some = drawing(((0, 0), (9, 0), 0))._replace(size=5000, heading=90, color=0xFF8000)
    panel = DrawingPanel()
    async with PaneApp(panel).run_test(size=(60, 8)):
        panel.show(snapshot_of(some), some)
        assert "5,000 lines, the last 1 are shown" in text_of(panel)[0]
        assert foot(panel) == "at 0, 0  heading 90  pen #ff8000"
        up = some._replace(pen=False)
        panel.show(snapshot_of(up), up)
        assert foot(panel) == "at 0, 0  heading 90  pen up"
        assert "↓" in "".join(inside(panel))


async def test_an_empty_sheet_shows_the_turtle() -> None:
    empty = drawing(at=(7, -3))
    panel = DrawingPanel()
    async with PaneApp(panel).run_test(size=SMALL):
        panel.show(snapshot_of(empty), empty)
        assert "".join(inside(panel)).strip() == "→"


@given(
    ends=st.lists(_POINTS, min_size=2, max_size=6),
    width=st.integers(2, 200),
    height=st.integers(4, 200),
)
def test_all_points_are_on_the_grid_of_dots(ends: list[Point], width: int, height: int) -> None:
    low = min(x for x, _ in ends), min(y for _, y in ends)
    high = max(x for x, _ in ends), max(y for _, y in ends)
    scale = DrawingScale(low, high, width, height)
    for start, end in pairwise(ends):
        dots = dots_between(scale.dot(start), scale.dot(end))
        assert (dots[0], dots[-1]) == (scale.dot(start), scale.dot(end))
        assert all(0 <= x < width and 0 <= y < height for x, y in dots)
        for one, other in pairwise(dots):
            assert max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= 1


async def test_drawing_is_shown_in_a_small_terminal() -> None:
    pane = DebugPane(id="debug")
    async with PaneApp(pane).run_test(size=(80, 24)) as pilot:
        pane.open("befunge-98", SQUARE.encode(), b"", None, "standard")
        pane.focus()
        await settle(pilot)
        assert not pane.query(DrawingPanel)
        await pilot.press("G")
        await settle(pilot)
        (panel,) = pane.query(DrawingPanel)
        assert panel.display
        assert "4 lines" in text_of(panel)[0]
        assert any("\u2800" < char <= "\u28ff" for row in inside(panel) for char in row)
        panel.focus()
        await pilot.press("z")
        await settle(pilot)
        assert panel.inner_height >= 12
        assert len([row for row in inside(panel) if row.strip()]) == panel.inner_height
        await pilot.press("z", "home")
        await settle(pilot)
        assert not pane.query(DrawingPanel)
