"""The state column: a widget for every panel of a view, chosen by the panel's kind."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import Vertical

from esolangs.view import CallStack, Tape
from esoplay.tui.debug.box import Box
from esoplay.tui.debug.calls_panel import CallsPanel
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.table_panel import TablePanel
from esoplay.tui.debug.tape_panel import TapePanel

PanelWidget = TapePanel | CallsPanel | TablePanel

_WIDGETS: dict[type, type[PanelWidget]] = {Tape: TapePanel, CallStack: CallsPanel}
"""Kinds of panels with a widget of their own; the others become tables."""


class StateColumn(Vertical):
    """Shows the panels of each moment, the first in a height of its own."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._panels: list[PanelWidget] = [TapePanel(), CallsPanel()]
        self._first_height = 8

    def compose(self) -> ComposeResult:
        yield from self._panels

    @property
    def tape(self) -> TapePanel | None:
        """The first tape, if this language has one."""
        return next((each for each in self._panels if isinstance(each, TapePanel)), None)

    @property
    def boxes(self) -> list[Box]:
        return list(self._panels)

    def show(self, moment: Moment) -> None:
        """Show all panels of this moment."""
        panels: tuple[Any, ...] = moment.view.panels
        kinds = [_widget_for(panel) for panel in panels]
        if kinds != [type(widget) for widget in self._panels]:
            self.remove_children()
            self._panels = [kind() for kind in kinds]
            self.mount_all(self._panels)
            self.set_first_height(self._first_height)
        for widget, panel in zip(self._panels, panels, strict=True):
            widget.show(moment, panel)

    def set_first_height(self, rows: int) -> None:
        """How many rows the first panel gets; the others share the rest."""
        self._first_height = rows
        for index, widget in enumerate(self._panels):
            alone = len(self._panels) == 1
            widget.styles.height = rows if index == 0 and not alone else "1fr"


def _widget_for(panel: object) -> type[PanelWidget]:
    return _WIDGETS.get(type(panel), TablePanel)
