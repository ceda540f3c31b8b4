"""The state column: a box for each panel of a view, selected by the type of the panel.

A plane with the program's code replaces the view of the program and is not in this column.
``PANEL_TYPE`` of a box is the type of panel that the box shows. Boxes are found in all modules of
this package, so a new type needs only a new module; a type without a box is shown field by field.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.strip import Strip

from esolangs.view import Panel, Table
from esoplay.tui.debug import state
from esoplay.tui.debug.byte_glyphs import BYTE_PICTURES
from esoplay.tui.debug.canvas import StyledText, make_strip
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.state.calls_panel import CallsPanel
from esoplay.tui.debug.state.panel_box import PanelBox, PanelHeight
from esoplay.tui.debug.state.plane import GridPanel
from esoplay.tui.debug.state.tape_panel import TapePanel
from esoplay.tui.debug.state.term_panel import TermPanel
from esoplay.tui.debug.viewport import PanelCapacity

# The box for panel types without a specific box

CODE = "code"
"""The title of a table of instructions."""
MAX_NESTING = 4
"""Maximum depth at which nested values have rows of their own; deeper values share a row."""


def field_rows(value: object, depth: int = 0) -> list[tuple[str, str]]:
    """Return rows of a name and a value; nested values are indented below their name."""
    indent = "  " * depth
    names: tuple[str, ...] = getattr(value, "_fields", ())
    pairs = (
        [(name, getattr(value, name)) for name in names]
        if names
        else [(str(index), item) for index, item in enumerate(_items(value))]
    )
    rows: list[tuple[str, str]] = []
    for name, item in pairs:
        if depth < MAX_NESTING and not isinstance(item, str | bytes) and _is_nested(item):
            rows.append((indent + name, ""))
            rows += field_rows(item, depth + 1)
        else:
            rows.append((indent + name, _value_text(item)))
    return rows


class FieldsPanel(PanelBox):
    """A box for panels that have no box of their own type: it lists the panel's fields."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._title = "state"
        self._rows: list[tuple[str, str]] = []

    def show(self, snapshot: DebugSnapshot, panel: object) -> None:
        """Show a panel of a snapshot."""
        self.snapshot = snapshot
        self._title = str(getattr(panel, "name", type(panel).__name__))
        self._rows = [row for row in field_rows(panel) if row[0] != "name"]
        self.repaint()

    def heading(self) -> list[StyledText]:
        return [self.title_span(self._title)]

    def row_count(self) -> int:
        return len(self._rows)

    def line(self, row: int, width: int) -> Strip:
        name, value = self._rows[row]
        name_width = min(width // 2, max(len(each[0]) for each in self._rows) + 2)
        pieces = [
            StyledText(f" {name:<{name_width}}", self.palette.faint),
            StyledText(value, self.palette.base),
        ]
        return make_strip(pieces, width, self.palette.base)

    def cycle_base(self) -> None:
        """Do nothing, because it is unknown which values are numbers."""


def _items(value: object) -> list[object]:
    return list(value) if isinstance(value, tuple | list) else []  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _is_nested(value: object) -> bool:
    """Return whether a value is a record or a sequence of records, which need several rows."""
    if hasattr(value, "_fields"):
        return True
    return any(hasattr(item, "_fields") for item in _items(value))


def _value_text(value: object) -> str:
    if isinstance(value, tuple | list):
        return " ".join(_value_text(item) for item in _items(value))  # pyright: ignore[reportUnknownArgumentType]
    return str(value).translate(BYTE_PICTURES)


class StateColumn(Vertical):
    """Shows the panels of a snapshot."""

    def __init__(self, plane: GridPanel | None = None, *, id: str | None = None) -> None:
        """Create a column that does not show a snapshot yet.

        plane: a box outside the column for the first plane; None shows the plane in the column.
        """
        super().__init__(id=id)
        self._plane = plane
        self._all_boxes: list[PanelBox] = [TapePanel(), CallsPanel()]

    def compose(self) -> ComposeResult:
        yield from self._column_boxes

    @property
    def boxes(self) -> list[PanelBox]:
        """All boxes, including the box of a plane, which may be shown outside the column."""
        return list(self._all_boxes)

    @property
    def _column_boxes(self) -> list[PanelBox]:
        """The boxes in the column."""
        return [each for each in self._all_boxes if each is not self._plane]

    @property
    def tape(self) -> TapePanel | None:
        """The box of the first tape, or None."""
        return next((each for each in self._all_boxes if isinstance(each, TapePanel)), None)

    @property
    def plane(self) -> GridPanel | None:
        """The box of the first plane, or None."""
        return next((each for each in self._all_boxes if isinstance(each, GridPanel)), None)

    @property
    def wanted_heights(self) -> list[PanelHeight]:
        """The preferred heights of the panels in the column, from top to bottom."""
        return [box.wanted_height for box in self._column_boxes]

    @property
    def capacity(self) -> PanelCapacity:
        """How many cells and stack entries the panels can show at their current sizes."""
        capacity = PanelCapacity()
        tape, plane = self.tape, self.plane
        if tape is not None and tape.size:
            capacity = capacity._replace(bands=tape.bands)
        if plane is not None and plane.size:
            capacity = capacity._replace(extent=plane.extent)
        term = next((each for each in self._all_boxes if isinstance(each, TermPanel)), None)
        if term is not None and term.size:
            capacity = capacity._replace(extent=term.extent)
        depths = [box.max_entries for box in self._all_boxes if box.size]
        return capacity._replace(depth=max(depths)) if depths else capacity

    def show(self, snapshot: DebugSnapshot) -> bool:
        """Show all panels of a snapshot; return whether the set of panels changed."""
        has_changed = self.update_boxes(snapshot)
        for box, panel in self.boxes_with_panels(snapshot):
            box.show(snapshot, panel)
        return has_changed

    def update_boxes(self, snapshot: DebugSnapshot) -> bool:
        """Create a box for each panel of a snapshot; return whether the set of panels changed."""
        kinds = [_box_type(panel) for panel in _visible_panels(snapshot)]
        has_changed = kinds != [type(box) for box in self._all_boxes]
        if has_changed:
            self._replace_boxes(kinds)
        return has_changed

    def boxes_with_panels(self, snapshot: DebugSnapshot) -> list[tuple[PanelBox, Any]]:
        """Return the boxes with their panels; call :meth:`update_boxes` first."""
        return list(zip(self._all_boxes, _visible_panels(snapshot), strict=True))

    def _replace_boxes(self, kinds: list[type[PanelBox]]) -> None:
        """Replace the first box whose type has changed, and all boxes after it.

        Earlier boxes remain, so that one of them does not lose the focus.
        """
        plane = self._plane
        plane_index = (
            kinds.index(type(plane)) if plane is not None and type(plane) in kinds else None
        )
        inside = [kind for at, kind in enumerate(kinds) if at != plane_index]
        before, unchanged_count = self._column_boxes, 0
        for box, kind in zip(before, inside, strict=False):
            if type(box) is not kind:
                break
            unchanged_count += 1
        for box in before[unchanged_count:]:
            box.remove()
        added = [kind() for kind in inside[unchanged_count:]]
        self._all_boxes = before[:unchanged_count] + added
        if plane is not None and plane_index is not None:
            self._all_boxes.insert(plane_index, plane)
        self.mount_all(added)

    def set_heights(self, rows: Sequence[int]) -> None:
        """Set the height of each panel in rows; a panel without rows is hidden."""
        for box, height in zip(self._column_boxes, rows, strict=True):
            box.styles.height = height
            box.display = height > 0

    def cycle_base(self) -> None:
        """Switch the boxes to the next number base, except boxes with ``CYCLES_OWN_BASE``."""
        for box in self._all_boxes:
            if not box.CYCLES_OWN_BASE:
                box.cycle_base()


def _visible_panels(snapshot: DebugSnapshot) -> list[Panel]:
    """Return the panels of a snapshot, without a table of code that the disassembly replaces."""
    panels = snapshot.view.panels
    if snapshot.listing is None:
        return list(panels)
    return [each for each in panels if not isinstance(each, Table) or each.name != CODE]


@cache
def boxes_by_kind() -> dict[type, type[PanelBox]]:
    """Return the box class for each type of panel.

    Searches the modules of this package, including folders that are added to its ``__path__``.
    """
    found: dict[type, type[PanelBox]] = {}
    for module in pkgutil.iter_modules(state.__path__, f"{state.__name__}."):
        for box in vars(import_module(module.name)).values():
            if isinstance(box, type) and issubclass(box, PanelBox) and box.PANEL_TYPE is not None:
                found[box.PANEL_TYPE] = box
    return found


def _box_type(panel: object) -> type[PanelBox]:
    return boxes_by_kind().get(type(panel), FieldsPanel)
