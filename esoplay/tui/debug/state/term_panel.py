"""An expression: its text, with what the next step reduces in brackets."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual.strip import Strip

from esolangs.view import Term
from esoplay.tui.debug.canvas import Piece, strip_of
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.state.panel_box import Height, PanelBox
from esoplay.tui.debug.state.plane import Extent
from esoplay.tui.debug.visible import PICTURED_TEXT, PLACEHOLDER

OPEN, CLOSE = "⟦", "⟧"


class TermPanel(PanelBox):
    """Shows a term of each moment, its redex in view."""

    HEIGHT: ClassVar[Height] = Height(least=4, share=4)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._term: Term | None = None
        self._text = ""
        self._redex = (0, 0)

    def show(self, moment: Moment, panel: Term) -> None:
        self.moment, self._term = moment, panel
        text = drawable(panel.text)
        self._redex = (0, 0)
        if panel.redex is not None:
            start, end = panel.redex
            text = text[:start] + OPEN + text[start:end] + CLOSE + text[end:]
            self._redex = start, end + 2
        self._text = text
        if panel.redex is not None and self.size:
            self._keep_in_view(*self._redex)
        self.repaint()

    @property
    def extent(self) -> Extent:
        """A width whose double fills the panel: so long are terms at most."""
        height = max(1, self.inner_height)
        return Extent(max(1, self._pitch * height // 2), height)

    def cycle_base(self) -> None:
        """A term holds no numbers."""

    def heading(self) -> list[Piece]:
        return [self.title_piece("term" if self._term is None else self._term.name)]

    def row_count(self) -> int:
        return max(1, -(-len(self._text) // self._pitch))

    def line(self, row: int, width: int) -> Strip:
        palette = self.palette
        if not self._text:
            return strip_of([Piece(" nothing is left", palette.faint)], width, palette.base)
        low = row * self._pitch
        high = min(low + self._pitch, len(self._text))
        start, end = (max(low, min(at, high)) for at in self._redex)
        pieces = [
            Piece(" ", palette.base),
            Piece(self._text[low:start], palette.base),
            Piece(self._text[start:end], palette.next),
            Piece(self._text[end:high], palette.base),
        ]
        return strip_of(pieces, width, palette.base)

    @property
    def _pitch(self) -> int:
        """Characters of a row, between a margin at each side."""
        return max(1, self.inner_width - 2)

    def _keep_in_view(self, start: int, end: int) -> None:
        """Show the whole redex where it fits, else its beginning, and a row around it."""
        pitch, height = self._pitch, self.inner_height
        above, below = max(0, start // pitch - 1), (end - 1) // pitch + 1
        if below >= self.top + height:
            self.top = below + 1 - height
        self.top = max(0, min(self.top, above if height > 2 else start // pitch))


def drawable(text: str) -> str:
    """The text with one character of one column for each of its characters."""
    text = text.translate(PICTURED_TEXT)
    if text.isascii():
        return text
    return "".join(each if cell_len(each) == 1 else PLACEHOLDER for each in text)
