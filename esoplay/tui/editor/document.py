"""The editor's document: lines of text that spell a program's bytes."""

from __future__ import annotations

import re

from textual.document._document import Document, EditResult, Location
from textual.geometry import Size

from esoplay.tui.editor.codec import clean, to_bytes, to_text
from esoplay.tui.editor.wrapping import cells


class ByteDocument(Document):
    """A :class:`Document` that knows one line break, ``\\n``, and the bytes behind its text."""

    def __init__(self, source: bytes) -> None:
        super().__init__("")
        self._lines = to_text(source).split("\n")
        self._source: bytes | None = source

    @property
    def source(self) -> bytes:
        """The bytes that the text stands for."""
        if self._source is None:
            self._source = to_bytes("\n".join(self._lines))
        return self._source

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        top, bottom = sorted((start, end))
        replaced = self.get_text_range(top, bottom)
        lines = self._lines
        before = lines[top[0]][: top[1]]
        after = lines[bottom[0]][bottom[1] :]
        inserted = clean(text).split("\n")
        inserted[0] = before + inserted[0]
        end_location = (top[0] + len(inserted) - 1, len(inserted[-1]))
        inserted[-1] += after
        lines[top[0] : bottom[0] + 1] = inserted
        self._source = None
        return EditResult(end_location, replaced)

    def get_size(self, tab_width: int) -> Size:
        return Size(max(map(cells, self._lines)), len(self._lines))

    def offset_of(self, location: Location) -> int:
        """The byte offset of a location."""
        row, column = location
        return sum(self._byte_length(line) + 1 for line in self._lines[:row]) + len(
            to_bytes(self._lines[row][:column])
        )

    def location_of(self, offset: int) -> Location:
        """The location whose character holds the byte at ``offset``; the end when past it."""
        for row, line in enumerate(self._lines):
            length = self._byte_length(line)
            if offset <= length:
                return row, self._column_of(line, offset)
            offset -= length + 1
        return self.end

    def matching_bracket(self, location: Location) -> Location | None:
        """The bracket of the same kind that pairs with the one at ``location``."""
        row, column = location
        bracket = self._lines[row][column : column + 1]
        pair = next((pair for pair in ("[]", "()", "{}") if bracket and bracket in pair), None)
        if pair is None:
            return None
        either = re.compile(f"[{re.escape(pair)}]")
        forward = bracket == pair[0]
        depth = 0
        room = _BRACKET_SEARCH
        while 0 <= row < len(self._lines) and room > 0:
            line = self._lines[row]
            if forward:
                low, high = column, min(len(line), column + room)
            else:
                low, high = max(0, column + 1 - room), column + 1
            found = [match.start() for match in either.finditer(line, low, high)]
            for at in found if forward else reversed(found):
                depth += 1 if line[at] == bracket else -1
                if depth == 0:
                    return row, at
            room -= high - low + 1
            row += 1 if forward else -1
            column = 0 if forward else len(self._lines[row]) - 1
        return None

    @staticmethod
    def _byte_length(line: str) -> int:
        return len(line) if line.isascii() else len(to_bytes(line))

    @staticmethod
    def _column_of(line: str, offset: int) -> int:
        if line.isascii():
            return offset
        for column, character in enumerate(line):
            offset -= len(to_bytes(character))
            if offset < 0:
                return column
        return len(line)


_BRACKET_SEARCH = 200_000
"""Characters looked through for a partner before giving up: a key must stay quick."""
