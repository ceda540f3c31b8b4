"""Messages that the debug pane posts to the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from esolangs.errors import ParseError


class DebuggerMoved(Message):
    """The debug pane shows another step, another status, or other cells set by the user.

    status: ``paused``, or why the run cannot continue: ``halted``, ``faulted``, ``limited``,
    ``needs_input``.
    """

    def __init__(self, step: int, status: str) -> None:
        super().__init__()
        self.step = step
        self.status = status


class DebuggerCrashed(Message):
    """An engine failed, and the debug pane closed the program."""


class DebuggerParseFailed(Message):
    """The program to open cannot be parsed.

    stale: the previous version is still shown, marked as stale.
    """

    def __init__(self, error: ParseError, *, stale: bool) -> None:
        super().__init__()
        self.error = error
        self.stale = stale


class DebugBoxZoomed(Message):
    """A box of the debug pane was maximised or restored.

    name: the maximised box; None after a box was restored.
    """

    def __init__(self, name: str | None) -> None:
        super().__init__()
        self.name = name
