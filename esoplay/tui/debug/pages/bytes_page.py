"""Bytes in time: those before now, those still to come, and one that is selected."""

from __future__ import annotations

from abc import abstractmethod

from rich.style import Style
from textual.message import Message
from textual.strip import Strip

from esoplay.tui.debug.box import Box
from esoplay.tui.debug.canvas import Piece, strip_of
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.text_layout import TextLayout
from esoplay.tui.debug.visible import NEWLINE, name_of


class BytesPage(Box):
    """Wrapped text where a click or the cursor selects a byte, and Enter asks for its step."""

    class ByteChosen(Message):
        """Go to the step of byte ``index`` of the page ``page``."""

        def __init__(self, page: BytesPage, index: int) -> None:
            super().__init__()
            self.page = page
            self.index = index

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._data = b""
        self._now = 0
        self._rows = TextLayout(b"", 80)
        self.selected: int | None = None

    def show_bytes(self, data: bytes, now: int) -> None:
        """Show ``data``, of which the first ``now`` bytes lie in the past."""
        if data != self._data:
            self._data = data
            self._rows = TextLayout(data, self._rows.width)
            if self.selected is not None and self.selected >= len(data):
                self.selected = None
        self._now = now
        self.follow()
        self.repaint()

    def follow(self) -> None:
        """Bring the selected byte, or else the last one of the past, into view."""
        if self._data and self.size:
            at = max(0, self._now - 1) if self.selected is None else self.selected
            self.scroll_into_view(self.row_of(at))

    def select(self, index: int | None) -> None:
        """Select a byte; None follows time again."""
        last = len(self._data) - 1
        self.selected = None if index is None or last < 0 else max(0, min(index, last))
        self.follow()
        self.repaint()

    @property
    def subject(self) -> int | None:
        """The byte that ``o``, ``i`` and Enter are about: the selected, else the latest."""
        if self.selected is not None:
            return self.selected
        return self._now - 1 if self._now else (0 if self._data else None)

    def applicable(self, moment: Moment) -> tuple[str, ...]:
        subject = () if self.subject is not None else ("printed", "read", "choose")
        return tuple(each for each in self.ACTIONS if each not in subject)

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        at = self.subject
        if at is None:
            return
        if rows:
            row, column = self.rows.place(at)
            target = max(0, min(row + rows, self.rows.row_count - 1))
            at = self.rows.offset_at(target, column)
        self.select(at + columns)

    def choose(self) -> None:
        """Ask for the step of the selected byte."""
        if self.subject is not None:
            self.post_message(self.ByteChosen(self, self.subject))

    def clicked(self, column: int, row: int) -> None:
        index = self.byte_at(row, column)
        if index is not None:
            self.select(index)
            self.choose()

    # Drawing

    @abstractmethod
    def past_style(self) -> Style: ...

    @abstractmethod
    def coming_style(self) -> Style: ...

    @abstractmethod
    def nothing(self) -> str:
        """What to say instead of no bytes."""

    @property
    def rows(self) -> TextLayout:
        """The rows at the present width."""
        if self._rows.width != max(1, self.inner_width - 1):
            self._rows = TextLayout(self._data, self.inner_width - 1)
        return self._rows

    def caption(self) -> list[Piece]:
        if self.selected is None:
            return []
        return [self.title_piece(f"byte {self.selected}: {name_of(self._data[self.selected])}")]

    def row_count(self) -> int:
        return self.rows.row_count if self._data else 1

    def row_of(self, index: int) -> int:
        """The row that shows a byte."""
        return self.rows.place(index)[0]

    def byte_at(self, row: int, column: int) -> int | None:
        """The byte shown there."""
        if row >= self.row_count() or not self._data:
            return None
        index = self.rows.offset_at(row, column - 1)
        return index if index < len(self._data) else None

    def line(self, row: int, width: int) -> Strip:
        if not self._data:
            said = Piece(f" {self.nothing()}", self.palette.faint)
            return strip_of([said], width, self.palette.base)
        return strip_of([Piece(" ", self.palette.base), *self._row(row)], width, self.palette.base)

    def style_of(self, index: int) -> Style:
        """How a byte is drawn."""
        if index == self.selected:
            return self.palette.cursor
        return self.past_style() if index < self._now else self.coming_style()

    def _row(self, row: int) -> list[Piece]:
        layout = self.rows
        place = layout.row(row)
        pieces: list[Piece] = []
        past, coming, cursor = self.past_style(), self.coming_style(), self.palette.cursor
        for glyph in layout.glyphs(place):
            style = past if glyph.offset < self._now else coming
            style = cursor if glyph.offset == self.selected else style
            if pieces and pieces[-1].style is style:
                pieces[-1] = Piece(pieces[-1].text + glyph.text, style)
            else:
                pieces.append(Piece(glyph.text, style))
        if place.end < len(self._data) and place.end == layout.line_span(place.line)[1]:
            faint = self.palette.faint if place.end < self._now else coming
            pieces.append(Piece(NEWLINE, cursor if place.end == self.selected else faint))
        return pieces
