"""A box for another kind of state is one more file in the package of boxes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from debug_app import PaneApp, inside, make_snapshot, make_view, program, settle

from esoplay.tui.debug import state
from esoplay.tui.debug.canvas import PanelFrame, box_label_and_actions
from esoplay.tui.debug.state.column import StateColumn, boxes_by_kind

FILE = '''
"""A gauge: one number between bounds, as a bar."""

from typing import NamedTuple

from esoplay.tui.debug.canvas import StyledText, make_strip
from esoplay.tui.debug.state.panel_box import PanelBox, PanelHeight


class Gauge(NamedTuple):
    """The kind of panel that a language would put into its view."""

    name: str
    value: int
    most: int


class GaugeBox(PanelBox):
    """Shows a gauge of each moment."""

    PANEL_TYPE = Gauge
    LABEL = "the gauge"
    ACTIONS = ("write-before", "base")
    HEIGHT = PanelHeight(minimum=3, weight=1, maximum=3)

    gauge = Gauge("", 0, 1)

    def show(self, snapshot, panel):
        self.snapshot, self.gauge = snapshot, panel
        self.repaint()

    def heading(self):
        return [self.title_span(self.gauge.name)]

    def row_count(self):
        return 1

    def line(self, row, width):
        filled = width * self.gauge.value // self.gauge.most
        return make_strip([StyledText("#" * filled, self.palette.strong)], width, self.palette.base)
'''


@pytest.fixture
def gauge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module of the box, found where the other boxes are."""
    (tmp_path / "gauge_box.py").write_text(FILE, "utf-8")
    monkeypatch.setattr(state, "__path__", [*state.__path__, str(tmp_path)])
    boxes_by_kind.cache_clear()
    yield import_module("esoplay.tui.debug.state.gauge_box")
    del sys.modules["esoplay.tui.debug.state.gauge_box"]
    boxes_by_kind.cache_clear()


async def test_new_panel_type_needs_one_file(gauge: Any) -> None:
    column = StateColumn()
    async with PaneApp(column).run_test(size=(22, 8)) as pilot:
        column.show(make_snapshot(make_view(panels=(gauge.Gauge("fuel", 1, 4),))))
        await settle(pilot)
        (box,) = column.boxes
        assert type(box) is gauge.GaugeBox
        assert inside(box)[0] == "#####"


async def test_new_panel_box_can_be_focused(gauge: Any) -> None:
    async with program(b"+.") as (pilot, pane, _):
        view = make_view(panels=(gauge.Gauge("fuel", 4, 4),))
        pane.widgets.show_state(make_snapshot(view))
        await settle(pilot)
        (box,) = pane.widgets.state.boxes
        assert box in pane.widgets.boxes
        assert box.size.height >= 3
        assert set(inside(box)[0]) == {"#"}
        box.focus()
        await settle(pilot)
        named = ("the gauge", ("debug.write-before", "debug.base"))
        assert box_label_and_actions(pane.screen.focused) == named
        assert box.available_actions(make_snapshot(view)) == ("base",)


def test_every_panel_type_has_a_box() -> None:
    kinds = {kind.__name__: box.__name__ for kind, box in boxes_by_kind().items()}
    assert kinds == {
        "CallStack": "CallsPanel",
        "Drawing": "DrawingPanel",
        "Grid": "GridPanel",
        "Stack": "StackPanel",
        "StackOfStacks": "StacksPanel",
        "Stage": "StagePanel",
        "Table": "TablePanel",
        "Tape": "TapePanel",
        "Term": "TermPanel",
    }


async def test_boxes_report_applicable_actions() -> None:
    async with program(b"+[.]", expected=b"\x02") as (pilot, pane, _):
        parts = pane.widgets

        def applies(box: PanelFrame) -> set[str]:
            target = pane.time.target
            assert target is not None
            return set(box.available_actions(target.snapshot))

        assert "partner" not in applies(parts.program)
        assert "choose" not in applies(parts.breakpoints)
        assert {"printed", "choose"} <= applies(parts.diff)
        parts.program.set_cursor(1)
        await pilot.press("b")
        await settle(pilot)
        assert "partner" in applies(parts.program)
        assert "choose" in applies(parts.breakpoints)
        for box in parts.boxes:
            assert applies(box) <= set(box.ACTIONS)
