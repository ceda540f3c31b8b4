"""The debug pane of the main screen, which is created when it is first used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from esoplay.tui.debug.pane import DebugPane


class DeferredDebugPane:
    """Creates the debug pane at its first use.

    Importing and creating the pane takes about a fifth of the time until the first frame, which
    rarely shows the pane.
    """

    def __init__(self, prepare: Callable[[DebugPane], None]) -> None:
        """Store ``prepare``, a function that is called with the pane when it has been created."""
        self._prepare = prepare
        self.created_pane: DebugPane | None = None
        """The pane, or None before its first use."""

    @property
    def pane(self) -> DebugPane:
        """The pane, created at the first access."""
        if self.created_pane is None:
            from esoplay.tui.debug.pane import DebugPane

            self.created_pane = DebugPane(id="debug")
            self._prepare(self.created_pane)
        return self.created_pane
