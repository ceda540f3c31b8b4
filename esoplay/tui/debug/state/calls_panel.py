"""The loops and calls around the next instruction, with their counts."""

from __future__ import annotations

from typing import ClassVar

from textual.message import Message
from textual.strip import Strip

from esolangs.view import CallStack, Frame
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES, format_int
from esoplay.tui.debug.canvas import StyledText, make_strip
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.state.panel_box import PanelBox, PanelHeight


class CallsPanel(PanelBox):
    """Shows a call stack, innermost entry first; a click moves the cursor to an entry's code."""

    PANEL_TYPE = CallStack
    HEIGHT: ClassVar[PanelHeight] = PanelHeight(minimum=3, weight=1)

    class FrameChosen(Message):
        """The user clicked an entry whose code starts at ``offset``."""

        def __init__(self, offset: int) -> None:
            super().__init__()
            self.offset = offset

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._stack: CallStack | None = None

    def show(self, snapshot: DebugSnapshot, panel: CallStack) -> None:
        self.snapshot, self._stack = snapshot, panel
        self.repaint()

    def heading(self) -> list[StyledText]:
        name = "loops" if self._stack is None else self._stack.name
        return [self.title_span(name)]

    def caption(self) -> list[StyledText]:
        return [self.title_span(f"depth {self._stack.depth}")] if self._stack else []

    def row_count(self) -> int:
        if self._stack is None:
            return 0
        return max(1, len(self._stack.frames) + (self._stack.depth > len(self._stack.frames)))

    def line(self, row: int, width: int) -> Strip:
        palette, stack = self.palette, self._stack
        if stack is None or not stack.frames:
            name = "loops" if stack is None else stack.name
            empty_text = " not in a loop" if name == "loops" else f" no {name}"
            return make_strip([StyledText(empty_text, palette.faint)], width, palette.base)
        if row == len(stack.frames):
            more = StyledText(f" … more outer {stack.name}: {stack.depth - row}", palette.faint)
            return make_strip([more], width, palette.base)
        frame = stack.frames[row]
        letter, label = stack.name[:1].upper(), self._frame_name(frame).translate(CONTROL_PICTURES)
        pieces = [
            StyledText(f" {letter}{stack.depth - row} ", palette.strong),
            StyledText(f"{label} at {frame.line}:{frame.column}  ", palette.faint),
            StyledText(_times(frame), palette.base),
        ]
        return make_strip(pieces, width, palette.base)

    def _frame_name(self, frame: Frame) -> str:
        """Return the operand of a frame's row in the disassembly or, without one, its label."""
        listing = None if self.snapshot is None else self.snapshot.listing
        if listing is None:
            return frame.label
        return listing.row(listing.row_at(frame.span[0])).operand or frame.label

    def cycle_base(self) -> None:
        """Do nothing, because a call stack has no values."""

    def handle_click(self, column: int, row: int) -> None:
        if self._stack is not None and row < len(self._stack.frames):
            self.post_message(self.FrameChosen(self._stack.frames[row].span[0]))


def _times(frame: Frame) -> str:
    """Return ``round 3`` for a loop, ``3 times`` for another repeated entry, otherwise ""."""
    if frame.label == "loop":
        return f"round {format_int(frame.times)}"
    return f"{format_int(frame.times)} times" if frame.times > 1 else ""
