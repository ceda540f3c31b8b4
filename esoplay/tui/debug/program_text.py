"""A program's text as the program view needs it: wrapped rows and the kind of every byte."""

from __future__ import annotations

from functools import lru_cache

from esoplay.tui.debug.text_layout import Row, TextLayout
from esoplay.tui.highlight import Highlighter


class ProgramText:
    """``source`` wrapped at the width last asked for, with its syntax looked up lazily."""

    def __init__(self, source: bytes, language_id: str) -> None:
        self.source = source
        self.line_count = source.count(b"\n") + 1
        self._highlighter = Highlighter(language_id)
        self._layout = TextLayout(source, 80)
        self._line_text = lru_cache(maxsize=64)(self._decoded)

    def layout(self, width: int) -> TextLayout:
        """The rows at a width."""
        if self._layout.width != max(1, width):
            self._layout = TextLayout(self.source, width)
        return self._layout

    def kinds(self, row: Row) -> list[str | None]:
        """The kind of token that each byte of a row belongs to."""
        kinds: list[str | None] = [None] * (row.end - row.start)
        line_start = self._layout.line_span(row.line)[0]
        start, end = row.start - line_start, row.end - line_start
        for piece in self._highlighter.pieces(self._line_text(row.line), start, end):
            kinds[piece.start - start : piece.end - start] = [piece.kind] * (
                piece.end - piece.start
            )
        return kinds

    def _decoded(self, line: int) -> str:
        """One character a byte, so that columns of tokens are offsets of bytes."""
        start, end = self._layout.line_span(line)
        return self.source[start:end].decode("latin-1")
