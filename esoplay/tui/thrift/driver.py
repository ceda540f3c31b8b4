"""The driver that sends terminals no more than they need."""

from __future__ import annotations

from textual._ansi_sequences import SYNC_END, SYNC_START
from textual.driver import Driver

from esoplay.tui.editor.pasting import ExactDriver
from esoplay.tui.thrift.cells import Cells


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


def thrifty(driver: type[Driver]) -> type[Driver]:
    """The driver to use in place of ``driver``; others than the exact one stay as they are."""
    return ThriftyDriver if driver is ExactDriver else driver
