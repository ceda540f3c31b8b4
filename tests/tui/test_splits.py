"""Panes are placed by a tree of splits whose dividers can be moved."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.geometry import Region

from esoplay.tui.frame import VIEWS
from esoplay.tui.plans import LayoutInputs, plan_layout, shows_sidebar
from esoplay.tui.splits import Split, SplitSizes, pane_ids, place_panes

LOW = Split("low", False, 5, False, "a", "b", (3, 3))
PAIR = Split("side", True, 30, True, "list", LOW, (9, 9))
SITUATIONS = [
    LayoutInputs(*size, view, lesson, problem, writing, sourced, sidebar)
    for size in ((60, 16), (80, 24), (120, 30), (120, 40), (180, 40), (200, 60))
    for view in VIEWS
    for lesson, problem, writing, sourced, sidebar in product((False, True), repeat=5)
]


def test_a_split_gives_one_part_its_size() -> None:
    panes, dividers = place_panes(PAIR, Region(0, 1, 100, 40), {})
    assert panes == {
        "list": Region(0, 1, 30, 40),
        "a": Region(30, 1, 70, 35),
        "b": Region(30, 36, 70, 5),
    }
    side, low = dividers
    assert (side.line, side.size, side.start, side.end) == (30, 30, 1, 41)
    assert (low.line, low.size, low.start, low.end) == (36, 5, 30, 100)
    assert side.size_at(40) == 40
    assert low.size_at(30) == 11  # it grows upwards
    assert side.contains(29, 1)
    assert side.contains(30, 40)
    assert not side.contains(31, 5)


@given(st.integers(1, 250), st.integers(1, 90), st.integers(-5, 300), st.integers(-5, 300))
def test_panes_cover_the_region_however_sizes_are_moved(
    width: int, height: int, side: int, low: int
) -> None:
    region = Region(0, 0, width, height)
    panes, dividers = place_panes(PAIR, region, {"side": side, "low": low})
    assert sum(each.area for each in panes.values()) == region.area
    for divider in dividers:
        assert divider.low <= divider.line <= divider.high
        assert divider.size_at(divider.line) == divider.size


def test_dividers_stay_within_their_limits() -> None:
    _, (side, _) = place_panes(PAIR, Region(0, 0, 100, 40), {"side": 99})
    assert side.size == 91
    assert side.size_at(200) == 91
    assert side.size_at(-7) == 9


def test_each_layout_shows_each_pane_at_most_once() -> None:
    main = {"learn": "lesson", "browse": "problems", "edit": "program", "score": "score"}
    for at in SITUATIONS:
        panes = list(pane_ids(plan_layout(at)))
        assert len(panes) == len(set(panes)), at
        assert main.get(at.view, "debug") in panes, at
        regions, _ = place_panes(plan_layout(at), Region(0, 1, at.columns, at.rows - 2), {})
        assert all(each.width > 9 and each.height > 2 for each in regions.values()), (at, regions)


def test_a_program_without_tests_has_no_results() -> None:
    at = LayoutInputs(120, 40, "edit", wants_sidebar=False)
    assert plan_layout(at) == "program"
    assert "results" in pane_ids(plan_layout(at._replace(has_problem=True)))


@pytest.mark.parametrize("size", [(80, 24), (120, 30), (120, 40), (200, 60)])
def test_the_statement_is_beside_the_editor(size: tuple[int, int]) -> None:
    at = LayoutInputs(*size, "edit", has_problem=True)
    assert shows_sidebar(at)
    regions, _ = place_panes(plan_layout(at), Region(0, 1, size[0], size[1] - 2), {})
    assert regions["statement"].right == regions["program"].x
    assert regions["statement"].height >= 15


def test_sizes_are_saved_by_kind_of_terminal() -> None:
    saved: list[dict[str, int]] = []
    sizes = SplitSizes({"mid side": 50, "wide side": 3.5, 7: 8, "mid low": -2}, saved.append)
    assert sizes.sizes_for("mid") == {"side": 50}
    sizes.set("wide", "side", 60)
    sizes.set("mid debugger", "pages", 9)
    sizes.save()
    assert saved == [{"mid side": 50, "wide side": 60, "mid debugger pages": 9}]
    sizes.reset("mid")
    assert sizes.sizes_for("mid") == sizes.sizes_for("mid debugger") == {}
    assert sizes.sizes_for("wide") == {"side": 60}
    assert SplitSizes([1], saved.append).sizes_for("mid") == {}
