"""A program's text as the program view needs it: wrapped rows and the kind of every byte."""

from __future__ import annotations

from esoplay.tui.debug.text_layout import Row, TextLayout
from esoplay.tui.highlight import Highlighter, blanks_are_code


class ProgramText:
    """``source`` wrapped at the width last asked for, with its syntax looked up lazily."""

    def __init__(self, source: bytes, language_id: str) -> None:
        self.source = source
        self.blanks = blanks_are_code(language_id)
        lines = source.decode("latin-1").split("\n")  # columns of tokens are offsets of bytes
        self.line_count = len(lines)
        self._highlighter = Highlighter(language_id, lines)
        self._layout: TextLayout | None = None

    def layout(self, width: int) -> TextLayout:
        """The rows at a width."""
        if self._layout is None or self._layout.width != max(1, width):
            self._layout = TextLayout(self.source, width, blanks=self.blanks)
        return self._layout

    def kinds(self, row: Row) -> list[str | None]:
        """The kind of token that each byte of a row, and the break behind it, belongs to."""
        assert self._layout is not None, "the row is of no layout"
        size = row.end - row.start + 1
        kinds: list[str | None] = [None] * size
        start = row.start - self._layout.line_span(row.line)[0]
        for piece in self._highlighter.pieces(row.line, start, start + size):
            kinds[piece.start - start : piece.end - start] = [piece.kind] * (
                piece.end - piece.start
            )
        return kinds

    @property
    def pending(self) -> bool:
        """Not all the kinds asked for were known; :meth:`go_on` until they are."""
        return self._highlighter.pending

    def go_on(self) -> bool:
        """Find out more; whether all that was asked for is known now."""
        return self._highlighter.go_on()
