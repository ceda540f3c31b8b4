"""What encloses the next instruction: loops with their rounds, calls with their entries."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.strip import Strip

from esolangs.view import CallStack
from esoplay.tui.debug.box import Box
from esoplay.tui.debug.canvas import Piece, strip_of
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.visible import grouped


class CallsPanel(Box):
    """Shows a call stack, innermost entry first; a click goes to where an entry began."""

    class FrameChosen(Message):
        """An entry was clicked; it began at ``offset``."""

        def __init__(self, offset: int) -> None:
            super().__init__()
            self.offset = offset

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._stack: CallStack | None = None

    def show(self, _moment: Moment, panel: CallStack) -> None:
        """Show a stack of this moment."""
        self._stack = panel
        self.repaint()

    def heading(self) -> list[Piece]:
        name = "loops" if self._stack is None else self._stack.name
        return [self.title_piece(name)]

    def caption(self) -> list[Piece]:
        return [self.title_piece(f"depth {self._stack.depth}")] if self._stack else []

    def row_count(self) -> int:
        if self._stack is None:
            return 0
        return max(1, len(self._stack.frames) + (self._stack.depth > len(self._stack.frames)))

    def line(self, row: int, width: int) -> Strip:
        palette, stack = self.palette, self._stack
        if stack is None or not stack.frames:
            return strip_of([Piece(" not in a loop", palette.faint)], width, palette.base)
        if row == len(stack.frames):
            more = Piece(f" … and {stack.depth - row} more outside", palette.faint)
            return strip_of([more], width, palette.base)
        frame = stack.frames[row]
        pieces = [
            Piece(f" L{stack.depth - row} ", palette.strong),
            Piece(f"{frame.label} at {frame.line}:{frame.column}  ", palette.faint),
            Piece(f"round {grouped(frame.times)}", palette.base),
        ]
        return strip_of(pieces, width, palette.base)

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        """Scroll."""
        self.top += rows
        self.repaint()

    def on_click(self, event: events.Click) -> None:
        offset = self.inner_offset(event)
        if offset is None or self._stack is None:
            return
        row = self.top + offset.y
        if row < len(self._stack.frames):
            self.post_message(self.FrameChosen(self._stack.frames[row].span[0]))
