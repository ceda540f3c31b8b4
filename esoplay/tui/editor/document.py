"""The editor's document: lines of text that spell a program's bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

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
        self._widest: int | None = None

    @property
    def source(self) -> bytes:
        """The bytes that the text stands for."""
        if self._source is None:
            self._source = to_bytes("\n".join(self._lines))
        return self._source

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        top, bottom = sorted((min(start, self.end), min(end, self.end)))
        replaced = self.get_text_range(top, bottom)
        lines = self._lines
        before = lines[top[0]][: top[1]]
        after = lines[bottom[0]][bottom[1] :]
        inserted = clean(text).split("\n")
        inserted[0] = before + inserted[0]
        end_location = (top[0] + len(inserted) - 1, len(inserted[-1]))
        inserted[-1] += after
        self._note_width(lines[top[0] : bottom[0] + 1], inserted)
        lines[top[0] : bottom[0] + 1] = inserted
        self._source = None
        return EditResult(end_location, replaced)

    def get_size(self, tab_width: int) -> Size:
        if self._widest is None:
            self._widest = max(map(cells, self._lines))
        return Size(self._widest, len(self._lines))

    def _note_width(self, removed: list[str], inserted: list[str]) -> None:
        """Keep the width of the widest line; only when that line goes are all looked at again."""
        if self._widest is not None:
            new = max(map(cells, inserted))
            if new >= self._widest:
                self._widest = new
            elif max(map(cells, removed)) == self._widest:
                self._widest = None

    def offset_of(self, location: Location) -> int:
        """The byte offset of a location."""
        row, column = location
        lines = self._lines[:row]
        lines.append(self._lines[row][:column])
        return len(to_bytes("\n".join(lines)))

    def location_of(self, offset: int) -> Location:
        """The location whose character holds the byte at ``offset``; the end when past it."""
        for row, line in enumerate(self._lines):
            length = self._byte_length(line)
            if offset <= length:
                return row, self._column_of(line, offset)
            offset -= length + 1
        return self.end

    def locations_of(self, offsets: Iterable[int]) -> dict[int, Location]:
        """The locations of many offsets at once."""
        found: dict[int, Location] = {}
        wanted = iter(sorted(set(offsets)))
        offset = next(wanted, None)
        begin = 0
        for row, line in enumerate(self._lines):
            end = begin + self._byte_length(line)
            while offset is not None and offset <= end:
                found[offset] = row, self._column_of(line, offset - begin)
                offset = next(wanted, None)
            if offset is None:
                break
            begin = end + 1
        else:
            found |= dict.fromkeys(
                [each for each in (offset, *wanted) if each is not None], self.end
            )
        return found

    def matching_bracket(
        self, location: Location, pairs: Sequence[str] = ("[]", "()", "{}")
    ) -> Location | None:
        """The bracket of the same kind that pairs with the one at ``location``."""
        row, column = location
        bracket = self._lines[row][column : column + 1]
        pair = next((pair for pair in pairs if bracket and bracket in pair), None)
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
