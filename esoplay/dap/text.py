"""Places in texts as editors count them: lines, and columns in UTF-16 code units.

Engines count bytes and end a line at ``\\n`` alone, as do editors for all texts that have no
lone carriage returns.
"""

from __future__ import annotations

from bisect import bisect_right


class TextPlaces:
    """Converts between byte offsets of one text and an editor's lines and columns.

    lines_from, columns_from: the number of the first one, 0 or 1, as the client says.
    """

    def __init__(self, source: bytes, lines_from: int = 1, columns_from: int = 1):
        self._source = source
        self._lines_from = lines_from
        self._columns_from = columns_from
        self._starts = [0]
        at = source.find(b"\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = source.find(b"\n", at + 1)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of the byte at ``offset``, for the client."""
        row = bisect_right(self._starts, offset) - 1
        before = self._source[self._starts[row] : offset]
        return row + self._lines_from, _units(before) + self._columns_from

    def row(self, line: int) -> int | None:
        """The number from 0 of a client's line; None where the text has no such line."""
        row = line - self._lines_from
        return row if 0 <= row < len(self._starts) else None

    def line(self, number: int) -> int:
        """The client's number of a line that is counted from 1."""
        return number - 1 + self._lines_from

    def number(self, line: int) -> int:
        """The number from 1 of a client's line, which may be none of the text."""
        return line - self._lines_from + 1

    def bounds(self, row: int) -> tuple[int, int]:
        """The bytes of a line, its line break not among them."""
        start = self._starts[row]
        end = self._starts[row + 1] - 1 if row + 1 < len(self._starts) else len(self._source)
        return start, end

    def offset(self, row: int, column: int) -> int:
        """The byte at a client's column of a line; its end where the line is shorter."""
        start, end = self.bounds(row)
        left = column - self._columns_from
        for character in self._source[start:end].decode("utf-8", "surrogateescape"):
            if left <= 0:
                break
            left -= 1 if ord(character) < 0x10000 else 2
            start += len(character.encode("utf-8", "surrogateescape"))
        return start

    @property
    def rows(self) -> int:
        """How many lines there are."""
        return len(self._starts)


def _units(data: bytes) -> int:
    """UTF-16 code units of a text; a byte that is no UTF-8 counts as one."""
    text = data.decode("utf-8", "surrogateescape")
    return len(text) + sum(ord(character) >= 0x10000 for character in text)
