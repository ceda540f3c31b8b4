"""The screen position of each byte of a text with wrapped lines.

Only requested rows are laid out, so a line of 1 MB is as fast as a short line. Lines with tabs or
UTF-8 have a table of glyphs, up to ``MAX_TABLE_BYTES``. Other lines need no table, because each
byte takes one column.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from rich.cells import get_character_cell_size

from esoplay.tui.debug.byte_glyphs import BYTE_PICTURES, PLACEHOLDER
from esoplay.tui.editor.document import NO_BREAK_SPACE, visible_text
from esoplay.tui.highlight import SPACE_GLYPH, TAB_GLYPH

TAB_STOP = 4
MAX_TABLE_BYTES = 100_000
"""Maximum total bytes of lines with glyph tables; further lines show one glyph per byte."""

NON_CHARACTER = "¤"
"""The glyph of a byte that is not a character, in layouts that show spaces as dots."""
_WHITESPACE_GLYPHS = (
    BYTE_PICTURES
    | dict.fromkeys(range(128, 256), NON_CHARACTER)
    | {ord(" "): SPACE_GLYPH, ord("\t"): TAB_GLYPH}
)


Fold = Callable[[str, int, int], int]
"""A function that returns the end of a row, given the line, the start and the maximum end."""


class TextRow(NamedTuple):
    """One row of the screen: bytes ``start`` to ``end`` of ``line``, without the line break.

    line: counted from 0.
    section: 0 for the first row of its line.
    """

    line: int
    section: int
    start: int
    end: int


class Glyph(NamedTuple):
    """The text of the bytes from ``offset`` on, at ``column`` of its row."""

    offset: int
    column: int
    text: str
    width: int


class TextLayout:
    """The rows of ``source`` at a width. Offsets are bytes; rows and columns count from 0."""

    def __init__(
        self, source: bytes, width: int, *, show_whitespace: bool = False, fold: Fold | None = None
    ) -> None:
        """Lay out ``source``.

        show_whitespace: show spaces and tabs as visible glyphs. fold: a function that finds the end
        of each row in a long line; None breaks lines at the width.
        """
        self.source = source
        self.width = max(1, width)
        self.show_whitespace = show_whitespace
        self._glyphs = _WHITESPACE_GLYPHS if show_whitespace else BYTE_PICTURES
        self._fold = fold
        self._tables: dict[int, list[list[Glyph]]] = {}
        self._breaks: dict[int, list[int]] = {}
        """The starts of the rows of folded lines, relative to the start of the line."""
        self._starts: Sequence[int] = ()
        self._first_rows: Sequence[int] = ()
        self.row_count = 0
        lines = source.split(b"\n")
        if source.isascii() and (show_whitespace or b"\t" not in source):
            self._lay_out_plain(lines)
        else:
            self._lay_out(lines)

    def _lay_out_plain(self, lines: list[bytes]) -> None:
        """Lay out lines in which each byte is one column wide, quickly even for many lines."""
        sizes = list(map(len, lines))
        self._starts = list(accumulate([size + 1 for size in sizes[:-1]], initial=0))
        if max(sizes) <= self.width:
            self._first_rows = range(len(lines))
            self.row_count = len(lines)
            return
        rows = [self._line_rows(index, line) for index, line in enumerate(lines)]
        self._first_rows = list(accumulate(rows[:-1], initial=0))
        self.row_count = self._first_rows[-1] + rows[-1]

    def _lay_out(self, lines: list[bytes]) -> None:
        starts: list[int] = []
        first_rows: list[int] = []
        allowance = MAX_TABLE_BYTES
        start = row = 0
        for index, line in enumerate(lines):
            starts.append(start)
            first_rows.append(row)
            size = len(line)
            tabbed = b"\t" in line and not self.show_whitespace
            if (tabbed or not line.isascii()) and size <= allowance:
                allowance -= size
                table = _glyph_rows(line, start, self.width, self._glyphs, self._fold)
                self._tables[index] = table
                row += len(table)
            else:
                row += self._line_rows(index, line)
            start += size + 1
        self._starts, self._first_rows, self.row_count = starts, first_rows, row

    def _line_rows(self, index: int, line: bytes) -> int:
        """Return the number of rows of a line with one column per byte."""
        fold, width, size = self._fold, self.width, len(line)
        if fold is None or size <= width:
            return max(1, -(-size // width))
        text, breaks = line.decode("latin-1"), [0]
        while size - breaks[-1] > width:
            breaks.append(_row_end(fold, text, breaks[-1], breaks[-1] + width))
        self._breaks[index] = breaks
        return len(breaks)

    @property
    def line_count(self) -> int:
        return len(self._starts)

    def row(self, index: int) -> TextRow:
        """Return the row at an index, which must exist."""
        line = bisect_right(self._first_rows, index) - 1
        section = index - self._first_rows[line]
        line_start, line_end = self.line_span(line)
        table = self._tables.get(line)
        if table is None:
            if breaks := self._breaks.get(line):
                next_break = breaks[section + 1 : section + 2]
                end = line_start + next_break[0] if next_break else line_end
                return TextRow(line, section, line_start + breaks[section], end)
            start = line_start + section * self.width
            return TextRow(line, section, start, min(start + self.width, line_end))
        start = table[section][0].offset if table[section] else line_start
        end = table[section + 1][0].offset if section + 1 < len(table) else line_end
        return TextRow(line, section, start, end)

    def line_span(self, line: int) -> tuple[int, int]:
        """Return the byte range of a line without its line break."""
        start = self._starts[line]
        following = line + 1
        end = self._starts[following] - 1 if following < len(self._starts) else len(self.source)
        return start, end

    def glyphs(self, row: TextRow) -> Sequence[Glyph]:
        """Return the glyphs of a row, from left to right."""
        table = self._tables.get(row.line)
        if table is not None:
            return table[row.section]
        text = self.source[row.start : row.end].decode("latin-1").translate(self._glyphs)
        return [Glyph(row.start + column, column, char, 1) for column, char in enumerate(text)]

    def row_and_column(self, offset: int) -> tuple[int, int]:
        """Return the row and column of a byte; a line break is after the last glyph of its line."""
        offset = max(0, min(offset, len(self.source)))
        line = bisect_right(self._starts, offset) - 1
        first_row = self._first_rows[line]
        table = self._tables.get(line)
        if table is None:
            line_start, line_end = self.line_span(line)
            if breaks := self._breaks.get(line):
                section = bisect_right(breaks, offset - line_start) - 1
                column = offset - line_start - breaks[section]
                return first_row + section, min(column, self.width - 1)
            if offset < line_end or offset == line_start:
                section, column = divmod(offset - line_start, self.width)
                return first_row + section, column
            section, column = divmod(offset - 1 - line_start, self.width)
            return first_row + section, min(column + 1, self.width - 1)
        section = max(0, bisect_right(table, offset, key=_row_offset) - 1)
        glyphs = table[section]
        at = bisect_right(glyphs, offset, key=_glyph_offset) - 1
        if at < 0:
            return first_row + section, 0
        glyph = glyphs[at]
        if offset == self.line_span(line)[1]:
            return first_row + section, min(glyph.column + glyph.width, self.width - 1)
        return first_row + section, glyph.column

    def offset_at(self, row: int, column: int) -> int:
        """Return the offset of the byte at a position.

        After the end of a row, returns the offset of the line break or, if the line continues in
        the next row, of the last byte in the row.
        """
        text_row = self.row(max(0, min(row, self.row_count - 1)))
        column = max(0, column)
        table = self._tables.get(text_row.line)
        if table is None:
            offset = text_row.start + column
        else:
            glyphs = table[text_row.section]
            at = bisect_right(glyphs, column, key=_glyph_column) - 1
            beyond = at < 0 or column >= glyphs[at].column + glyphs[at].width
            offset = text_row.end if beyond else glyphs[at].offset
        if offset < text_row.end:
            return offset
        is_last_section = text_row.end == self.line_span(text_row.line)[1]
        return text_row.end if is_last_section else text_row.end - 1


def _glyph_offset(glyph: Glyph) -> int:
    return glyph.offset


def _glyph_column(glyph: Glyph) -> int:
    return glyph.column


def _row_offset(row: list[Glyph]) -> int:
    return row[0].offset


def _row_end(fold: Fold, text: str, start: int, limit: int) -> int:
    """Return the end of a row, after ``start`` and at most ``limit``."""
    return max(start + 1, min(fold(text, start, limit), limit))


def _glyph_rows(
    line: bytes, offset: int, width: int, glyphs: Mapping[int, str], fold: Fold | None
) -> list[list[Glyph]]:
    """Divide a line that contains tabs or UTF-8 into rows; return the glyphs of each row.

    offset: the offset of the line in the source.  width: the maximum columns of a row.  glyphs: the
    text that is shown instead of a character, by its code.
    """
    table = _GlyphTable(offset, width, glyphs)
    text = line.decode("latin-1")
    position = 0
    for char in line.decode("utf-8", "surrogateescape"):
        if fold is not None and table.row and not table.can_fit(char):
            end = _row_end(fold, text, table.row[0][0], position)
            if any(at == end for at, _ in table.row[1:]):
                table.break_at(end)
        table.add(position, char)
        position += len(char.encode("utf-8", "surrogateescape"))
    return table.rows


class _GlyphTable:
    """Rows of glyphs; a character that does not fit starts a new row."""

    def __init__(self, offset: int, width: int, glyphs: Mapping[int, str]) -> None:
        self.rows: list[list[Glyph]] = [[]]
        self.row: list[tuple[int, str]] = []
        """The characters of the last row and their positions in the line."""
        self._offset, self._width, self._glyphs = offset, width, glyphs
        self._column = 0

    def can_fit(self, char: str) -> bool:
        """Return whether the last row has room for a character."""
        return self._column + _glyph_text(char, self._column, self._glyphs)[1] <= self._width

    def add(self, position: int, char: str) -> None:
        """Add a character to the last row, or to a new row if it does not fit."""
        if self.row and not self.can_fit(char):
            self._start_row()
        text, columns = _glyph_text(char, self._column, self._glyphs)
        if columns > self._width:
            text, columns = PLACEHOLDER, 1
        self.rows[-1].append(Glyph(self._offset + position, self._column, text, columns))
        self.row.append((position, char))
        self._column += columns

    def break_at(self, position: int) -> None:
        """Start a new row, and move the characters at or after ``position`` to it."""
        rest = [each for each in self.row if each[0] >= position]
        del self.rows[-1][len(self.row) - len(rest) :]
        self._start_row()
        for each in rest:
            self.add(*each)

    def _start_row(self) -> None:
        self.rows.append([])
        self.row, self._column = [], 0


def _glyph_text(char: str, column: int, glyphs: Mapping[int, str]) -> tuple[str, int]:
    """Return the visible text of a character at ``column``, and its width in columns."""
    if char == "\t" and 32 not in glyphs:
        columns = TAB_STOP - column % TAB_STOP
        return " " * columns, columns
    code = ord(char)
    if code < 128:
        return char.translate(glyphs), 1
    if code == NO_BREAK_SPACE:
        return visible_text(char), 1
    columns = get_character_cell_size(char)
    if columns < 1 or not char.isprintable():
        return glyphs[255], 1
    return char, columns


# Search in program text: matching brackets, and the pattern of ``/``

_PAIRS = {b"[": b"]", b"(": b")", b"{": b"}"}
_PARTNERS = _PAIRS | {closing: opening for opening, closing in _PAIRS.items()}
_CLOSING = frozenset(_PAIRS.values())


def matching_bracket(source: bytes, offset: int, max_distance: int | None = None) -> int | None:
    """Return the offset of the bracket that matches the bracket at ``offset``, or None.

    max_distance: maximum distance of the match in bytes; None searches the whole source.
    """
    bracket = source[offset : offset + 1]
    partner = _PARTNERS.get(bracket)
    if partner is None:
        return None
    pattern = re.compile(b"[" + re.escape(bracket) + re.escape(partner) + b"]")
    first = 0 if max_distance is None else max(0, offset - max_distance)
    end = len(source) if max_distance is None else offset + max_distance + 1
    depth = 0
    if bracket in _CLOSING:
        before = [match.start() for match in pattern.finditer(source, first, offset + 1)]
        for found in reversed(before):
            depth += 1 if source[found : found + 1] == bracket else -1
            if depth == 0:
                return found
        return None
    for match in pattern.finditer(source, offset, end):
        depth += 1 if match.group() == bracket else -1
        if depth == 0:
            return match.start()
    return None


def find_next(source: bytes, pattern: bytes, after: int) -> int | None:
    """Return the first match of ``pattern`` after ``after``, wrapping around at the end."""
    if not pattern:
        return None
    found = source.find(pattern, after + 1)
    if found < 0:
        found = source.find(pattern)
    return None if found < 0 else found


def find_previous(source: bytes, pattern: bytes, before: int) -> int | None:
    """Return the last match of ``pattern`` before ``before``, wrapping around at the start."""
    if not pattern:
        return None
    found = source.rfind(pattern, 0, max(0, before + len(pattern) - 1)) if before > 0 else -1
    if found < 0:
        found = source.rfind(pattern)
    return None if found < 0 else found
