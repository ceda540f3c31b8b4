"""Count the bytes that an application without a terminal would send to one."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import io
from typing import Any

from rich.console import Console
from textual._ansi_sequences import SYNC_END, SYNC_START
from textual._compositor import CompositorUpdate
from textual.app import App

from esoplay.tui.terminal_diff import TerminalCells

CURSOR = "\x1b[1;1H"
"""Sequence that moves the cursor to its position after every update by Textual."""


class Wire:
    """Encodes updates for a terminal with 24-bit colours. sent: the number of bytes."""

    def __init__(self) -> None:
        self.sent = 0
        self._cells = TerminalCells()
        self._console = Console(
            file=io.StringIO(), color_system="truecolor", force_terminal=True, width=200
        )

    def paint(self, app: App[Any], update: object) -> None:
        """Count an update that ``app`` is about to display."""
        if not isinstance(update, CompositorUpdate) or app._batch_count:
            return
        painted = update.render_segments(self._console) + CURSOR
        if needed := self._cells.shorten(painted):
            self.sent += len(f"{SYNC_START}{needed}{SYNC_END}".encode())
