"""The state column: a box for every panel of a view, chosen by the panel's kind.

A box belongs to the kind of panel that it names in ``SHOWS``.  Every module of this package is
asked for boxes, so a box for another kind of panel is one more file; a kind without a box is
shown field by field.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from textual.app import ComposeResult
from textual.containers import Vertical

from esoplay.tui.debug import state
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.sight import Room
from esoplay.tui.debug.state.calls_panel import CallsPanel
from esoplay.tui.debug.state.fields_panel import FieldsPanel
from esoplay.tui.debug.state.grid_panel import GridPanel
from esoplay.tui.debug.state.panel_box import Height, PanelBox
from esoplay.tui.debug.state.tape_panel import TapePanel
from esoplay.tui.debug.state.term_panel import TermPanel


class StateColumn(Vertical):
    """Shows the panels of each moment."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._panels: list[PanelBox] = [TapePanel(), CallsPanel()]

    def compose(self) -> ComposeResult:
        yield from self._panels

    @property
    def boxes(self) -> list[PanelBox]:
        return list(self._panels)

    @property
    def tape(self) -> TapePanel | None:
        """The first tape, if this language has one."""
        return next((each for each in self._panels if isinstance(each, TapePanel)), None)

    @property
    def plane(self) -> GridPanel | None:
        """The first plane, if this language has one."""
        return next((each for each in self._panels if isinstance(each, GridPanel)), None)

    @property
    def heights(self) -> list[Height]:
        """What the panels want, from top to bottom."""
        return [panel.height_wanted for panel in self._panels]

    @property
    def room(self) -> Room:
        """What the panels can show at their present sizes."""
        room = Room()
        tape, plane = self.tape, self.plane
        if tape is not None and tape.size:
            room = room._replace(bands=tape.bands)
        if plane is not None and plane.size:
            room = room._replace(extent=plane.extent)
        term = next((each for each in self._panels if isinstance(each, TermPanel)), None)
        if term is not None and term.size:
            room = room._replace(extent=term.extent)
        depths = [panel.depth for panel in self._panels if panel.size]
        return room._replace(depth=max(depths)) if depths else room

    def show(self, moment: Moment) -> bool:
        """Show all panels of this moment; whether they are others than before."""
        others = self.adapt(moment)
        for box, panel in self.shown(moment):
            box.show(moment, panel)
        return others

    def adapt(self, moment: Moment) -> bool:
        """Get a box for every panel of this moment; whether they are others than before."""
        kinds = [_widget_for(panel) for panel in moment.view.panels]
        others = kinds != [type(widget) for widget in self._panels]
        if others:
            self._change_kinds(kinds)
        return others

    def shown(self, moment: Moment) -> list[tuple[PanelBox, Any]]:
        """The boxes with the panels of this moment, once it was adapted to."""
        return list(zip(self._panels, moment.view.panels, strict=True))

    def _change_kinds(self, kinds: list[type[PanelBox]]) -> None:
        """Keep the panels that stay, from the first on: one of them may have the keyboard."""
        kept = 0
        for widget, kind in zip(self._panels, kinds, strict=False):
            if type(widget) is not kind:
                break
            kept += 1
        for widget in self._panels[kept:]:
            widget.remove()
        added = [kind() for kind in kinds[kept:]]
        self._panels = self._panels[:kept] + added
        self.mount_all(added)

    def set_heights(self, rows: Sequence[int]) -> None:
        """How many rows each panel gets; one that gets none is not shown."""
        for widget, height in zip(self._panels, rows, strict=True):
            widget.styles.height = height
            widget.display = height > 0

    def cycle_base(self) -> None:
        """Write all values in the next number base; a plane keeps its characters."""
        for panel in self._panels:
            if not panel.BASE_ALONE:
                panel.cycle_base()


@cache
def boxes_by_kind() -> dict[type, type[PanelBox]]:
    """The boxes of this package, and of further modules in its ``__path__``, by what they show."""
    found: dict[type, type[PanelBox]] = {}
    for module in pkgutil.iter_modules(state.__path__, f"{state.__name__}."):
        for box in vars(import_module(module.name)).values():
            if isinstance(box, type) and issubclass(box, PanelBox) and box.SHOWS is not None:
                found[box.SHOWS] = box
    return found


def _widget_for(panel: object) -> type[PanelBox]:
    return boxes_by_kind().get(type(panel), FieldsPanel)
