"""The input: what was read is struck through, the next byte stands out."""

from __future__ import annotations

from rich.style import Style

from esoplay.tui.debug.box import MOVES
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.pages.bytes_page import BytesPage


class InputPage(BytesPage):
    """Click a byte, or press ``i`` on it, to go to the step that read it."""

    NAME = "in"
    WORDS = "the input"
    ACTIONS = (*MOVES, "read", "choose", "page-next")
    _ends = True
    _waits = False

    def show(self, moment: Moment) -> None:
        """Show the input of this moment."""
        self.moment = moment
        self._ends = moment.closed
        self._waits = moment.view.status == "needs_input"
        self.show_bytes(moment.input, moment.view.input_position)

    def past_style(self) -> Style:
        return self.palette.consumed

    def coming_style(self) -> Style:
        return self.palette.base

    def nothing(self) -> str:
        if self._waits:
            return "the program waits for input: press Enter and type a line"
        if self._ends:
            return "no input: the first read meets the end of input"
        return "no input yet: you can type some when the program asks for it"
