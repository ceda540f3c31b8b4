"""An app that shows one box of the state column, and example panels."""

from __future__ import annotations

from typing import Any

from debug_app import PaneApp, make_snapshot, make_view, text_of
from rich.segment import Segment
from textual.widget import Widget

from esolangs.stops import Address
from esolangs.view import (
    Grid,
    Panel,
    Point,
    Pointer,
    Table,
)
from esoplay.tui.debug.canvas import PanelFrame
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.state.panel_box import PanelBox
from esoplay.tui.debug.state.plane import GridPanel

PANEL = (48, 10)
LOW = (48, 5)
HEAP = Table("heap", ("address", "value"), ((-2, 7), (0, 65), (3, "9e99 (330 bits)")), 5, 1)


class Listener(PaneApp):
    """Records the requests of a box to select cells and to scroll."""

    def __init__(self, widget: Widget) -> None:
        super().__init__(widget)
        self.selected: list[Address] = []
        self.scrolled: list[Point] = []

    def on_panel_box_selected(self, event: PanelBox.Selected) -> None:
        self.selected.append(event.address)

    def on_grid_panel_scrolled(self, event: GridPanel.Scrolled) -> None:
        self.scrolled.append((event.columns, event.rows))


def snapshot_of(panel: Panel, before: Panel | None = None, **changes: Any) -> DebugSnapshot:
    old = None if before is None else make_view(panels=(before,))
    return make_snapshot(make_view(panels=(panel,)), previous_view=old, **changes)


def segments(box: PanelFrame, y: int) -> list[Segment]:
    return list(box.render_line(y))


def underlined(box: PanelFrame) -> list[str]:
    """Return the text marked as changed, in reading order."""
    marked = [
        each.text
        for y in range(1, box.size.height - 1)
        for each in segments(box, y)
        if each.style is not None and each.style.underline
    ]
    return [text.strip() for text in marked]


def plane(*rows: str, left: int = 0, top: int = 0, at: Point = (0, 0), **more: Any) -> Grid:
    """Return a plane of characters with one pointer, which moves east."""
    pointer = Pointer(0, at, (1, 0), (0, 0), True)
    cells = tuple(tuple(map(ord, row)) for row in rows)
    high = left + len(rows[0]) - 1, top + len(rows) - 1
    grid = Grid("fungespace", left, top, cells, (left, top), high, (pointer,), (), ())
    return grid._replace(**more)


def foot(box: PanelFrame) -> str:
    """Return the text in the lower border of the frame."""
    return text_of(box)[-1].strip("╰╯─ ")
