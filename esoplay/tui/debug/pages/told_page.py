"""A page of sentences that are broken into rows, of which some lead to steps."""

from __future__ import annotations

import textwrap
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.style import Style

from esoplay.tui.debug.canvas import Piece
from esoplay.tui.debug.lines import PICTURED_TEXT
from esoplay.tui.debug.pages.list_page import ListPage

MARK = 2  # columns before every row
LEAST = 20  # columns of text, however narrow the page is


class Row(NamedTuple):
    """One row, and the step that it is about."""

    pieces: tuple[Piece, ...]
    step: int | None = None


class ToldPage(ListPage):
    """Enter or a click on a row goes to its step."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._made: tuple[object, list[Row]] | None = None
        self._edition = 0

    @abstractmethod
    def rows(self, width: int) -> Iterable[Row]:
        """Everything, in rows of at most ``width`` columns."""

    def told(self) -> None:
        """There is something else to tell: begin at the top."""
        self._edition += 1
        self.top = 0
        self.select(0)

    @property
    def steps(self) -> list[int]:
        """The steps that rows lead to, from the top."""
        return [row.step for row in self._all if row.step is not None]

    @property
    def _all(self) -> list[Row]:
        width = max(LEAST, self.inner_width - MARK)
        key = width, self._edition, self.palette
        if self._made is None or self._made[0] != key:
            self._made = key, list(self.rows(width))
        return self._made[1]

    def item_count(self) -> int:
        return len(self._all)

    def item(self, index: int) -> Sequence[Piece]:
        return self._all[index].pieces

    def choose(self) -> None:
        """Go to the step of the selected row, or of the nearest below it."""
        below = (row.step for row in self._all[self.selected :] if row.step is not None)
        step = next(below, None)
        if step is not None:
            self.post_message(self.StepChosen(step))


def broken(
    text: str, width: int, style: Style, indent: int = 0, step: int | None = None
) -> Iterable[Row]:
    """A sentence in rows, all but the first indented."""
    lines = textwrap.wrap(
        text.translate(PICTURED_TEXT), max(LEAST, width), subsequent_indent=" " * indent
    )
    for line in lines:
        yield Row((Piece(line, style),), step)
