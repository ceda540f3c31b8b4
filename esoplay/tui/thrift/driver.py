"""The driver that sends terminals no more than they need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual._ansi_sequences import SYNC_END, SYNC_START
from textual.driver import Driver

from esoplay.tui.editor.pasting import ExactDriver
from esoplay.tui.thrift.cells import Cells

if TYPE_CHECKING:
    from textual.app import App


class ThriftyDriver(ExactDriver):
    """The driver of Unix terminals; of what is painted again it sends what changed."""

    _cells: Cells | None = None
    _begun = False

    def write(self, data: str) -> None:
        """Send ``data``, or what has the same effect.

        The brackets around an update (synchronised output) are left out around nothing.
        """
        if self._cells is None:
            self._cells = Cells()
        if data == SYNC_START:
            self._begun = True
        elif data == SYNC_END and self._begun:
            self._begun = False
        elif needed := self._cells.thrifty(data):
            if self._begun:
                self._begun = False
                super().write(SYNC_START)
            super().write(needed)

    def paint_anew(self) -> None:
        """Send everything that is painted next: something else may have written on the screen."""
        self._cells = None


def thrifty(driver: type[Driver]) -> type[Driver]:
    """The driver to use in place of ``driver``; others than the exact one stay as they are."""
    return ThriftyDriver if driver is ExactDriver else driver


def paint_anew(app: App[Any]) -> None:
    """Paint every cell of the terminal, whatever it is thought to show."""
    driver = app._driver  # pyright: ignore[reportPrivateUsage]
    if isinstance(driver, ThriftyDriver):
        driver.paint_anew()
    app.refresh(layout=True)
