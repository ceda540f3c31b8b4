"""Any panel field by field: what a kind of panel without its own widget gets."""

from __future__ import annotations

from textual.strip import Strip

from esoplay.tui.debug.canvas import Piece, strip_of
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.state.panel_box import PanelBox
from esoplay.tui.debug.visible import PICTURED

NESTING = 4
"""Levels of values inside values that are shown."""


def table_of(value: object, depth: int = 0) -> list[tuple[str, str]]:
    """Rows of a name and a value, inner values indented below their name."""
    indent = "  " * depth
    names: tuple[str, ...] = getattr(value, "_fields", ())
    pairs = (
        [(name, getattr(value, name)) for name in names]
        if names
        else [(str(index), item) for index, item in enumerate(_items(value))]
    )
    rows: list[tuple[str, str]] = []
    for name, item in pairs:
        if depth < NESTING and not isinstance(item, str | bytes) and _is_nested(item):
            rows.append((indent + name, ""))
            rows += table_of(item, depth + 1)
        else:
            rows.append((indent + name, _plain(item)))
    return rows


class FieldsPanel(PanelBox):
    """Shows a panel field by field."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._title = "state"
        self._rows: list[tuple[str, str]] = []

    def show(self, moment: Moment, panel: object) -> None:
        """Show a panel of this moment, whatever it is."""
        self.moment = moment
        self._title = str(getattr(panel, "name", type(panel).__name__))
        self._rows = [row for row in table_of(panel) if row[0] != "name"]
        self.repaint()

    def heading(self) -> list[Piece]:
        return [self.title_piece(self._title)]

    def row_count(self) -> int:
        return len(self._rows)

    def line(self, row: int, width: int) -> Strip:
        name, value = self._rows[row]
        column = min(width // 2, max(len(each[0]) for each in self._rows) + 2)
        pieces = [
            Piece(f" {name:<{column}}", self.palette.faint),
            Piece(value, self.palette.base),
        ]
        return strip_of(pieces, width, self.palette.base)

    def cycle_base(self) -> None:
        """What the values mean is not known, so they stay as they are."""


def _items(value: object) -> list[object]:
    return list(value) if isinstance(value, tuple | list) else []  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _is_nested(value: object) -> bool:
    """Whether a value deserves rows of its own: a record, or a sequence that holds records."""
    if hasattr(value, "_fields"):
        return True
    return any(hasattr(item, "_fields") for item in _items(value))


def _plain(value: object) -> str:
    if isinstance(value, tuple | list):
        return " ".join(_plain(item) for item in _items(value))  # pyright: ignore[reportUnknownArgumentType]
    return str(value).translate(PICTURED)
