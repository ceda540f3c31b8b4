"""The editor's document: the bytes of a program as lines of text, and their wrapping."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from rich.cells import get_character_cell_size
from textual.document._document import Document, EditResult, Location
from textual.document._wrapped_document import WrappedDocument
from textual.geometry import Offset, Size, clamp

# Convert any bytes to editable text and back without loss. Each character of the text has a fixed
# width on the screen: the text has no tabs, combining marks or unusual line breaks. Other bytes
# (control characters, invalid UTF-8, characters without width) become *placeholders*, one per byte,
# in a private range of Unicode. :func:`visible_text` replaces them with visible characters.

FIRST_PLACEHOLDER = 0xE000
"""The code of the placeholder of byte 0; the code of byte ``b`` is ``FIRST_PLACEHOLDER + b``."""

NO_BREAK_SPACE = 0xA0
"""The no-break space, which separates words of comments in languages whose code is whitespace."""

_COMBINING = (range(0x1F1E6, 0x1F200), range(0x1F3FB, 0x1F400))
"""Flags and skin tones, whose width depends on adjacent characters."""


def to_text(source: bytes) -> str:
    r"""Return ``source`` as editable text, in which only ``\n`` ends lines."""
    return source.decode("utf-8", "surrogateescape").translate(_ESCAPES)


def to_bytes(text: str) -> bytes:
    """Return the bytes of ``text``; ``to_bytes(to_text(b)) == b`` for any bytes.

    Frequent placeholders, such as tabs, are replaced first, which is much faster than a table.
    """
    for placeholder, character in _FREQUENT:
        text = text.replace(placeholder, character)
    if text.isascii():
        return text.encode()
    if _ANY_PLACEHOLDER.search(text):
        text = text.translate(_BYTES)
    return text.encode("utf-8", "surrogateescape")


def clean_text(text: str) -> str:
    """Return typed or pasted text without the characters that the editor cannot hold.

    They are replaced by placeholders, as in files; lone surrogates that do not encode a byte, by
    U+FFFD.  Placeholders in the text do not change.
    """
    return text.translate(_CLEANING)


def visible_text(text: str) -> str:
    """Return one visible character for each character of ``text``, such as ``␉`` for a tab."""
    return text.translate(_VISIBLE)


def lexer_text(text: str) -> str:
    """Return the text for lexers; each placeholder becomes the Latin-1 character of its byte."""
    for placeholder, character in _FREQUENT:
        text = text.replace(placeholder, character)
    return text if text.isascii() else text.translate(_CHARACTERS)


def _placeholders(data: bytes) -> str:
    return "".join(chr(FIRST_PLACEHOLDER + byte) for byte in data)


def _has_own_cell(code: int) -> bool:
    character = chr(code)
    return code == NO_BREAK_SPACE or (
        character.isprintable()
        and get_character_cell_size(character) > 0
        and not any(code in block for block in _COMBINING)
    )


class _EscapeTable(dict[int, int | str]):
    """A table for ``str.translate`` from decoded to editable text; computes entries on demand."""

    def __missing__(self, code: int) -> int | str:
        if code == 0x0A or _has_own_cell(code):
            self[code] = code
        else:
            self[code] = _placeholders(chr(code).encode("utf-8", "surrogateescape"))
        return self[code]


class _CleanTable(_EscapeTable):
    """A table for typed or pasted text; lone surrogates that do not encode a byte are replaced."""

    def __missing__(self, code: int) -> int | str:
        if 0xD800 <= code < 0xDC80 or 0xDD00 <= code < 0xE000:
            self[code] = "\N{REPLACEMENT CHARACTER}"
            return self[code]
        return super().__missing__(code)


_ESCAPES = _EscapeTable()
_CLEANING = _CleanTable({FIRST_PLACEHOLDER + byte: FIRST_PLACEHOLDER + byte for byte in range(256)})
_BYTES = {FIRST_PLACEHOLDER + byte: byte if byte < 0x80 else 0xDC00 + byte for byte in range(256)}
_FREQUENT = [(chr(FIRST_PLACEHOLDER + byte), chr(byte)) for byte in b"\t\r"]
_ANY_PLACEHOLDER = re.compile(f"[{chr(FIRST_PLACEHOLDER)}-{chr(FIRST_PLACEHOLDER + 255)}]")
_CHARACTERS = {FIRST_PLACEHOLDER + byte: byte for byte in range(256)}
_VISIBLE = {
    FIRST_PLACEHOLDER + byte: (
        chr(0x2400 + byte) if byte < 0x20 else "␡" if byte == 0x7F else "\N{REPLACEMENT CHARACTER}"
    )
    for byte in range(256)
} | {NO_BREAK_SPACE: "␣"}


def read_escapes(text: str) -> bytes:
    r"""Encode ``text``; replace escapes such as ``\n`` with their bytes; keep unknown ones."""
    named = {"n": b"\n", "t": b"\t", "r": b"\r", "0": b"\0", "\\": b"\\"}
    data = bytearray()
    at = 0
    while at < len(text):
        character, following = text[at], text[at + 1 : at + 2]
        digits = text[at + 2 : at + 4]
        if character == "\\" and following in named:
            data += named[following]
            at += 2
        elif character == "\\" and following == "x" and _is_hex(digits):
            data.append(int(digits, 16))
            at += 4
        else:
            data += character.encode("utf-8", "surrogateescape")
            at += 1
    return bytes(data)


def _is_hex(digits: str) -> bool:
    return len(digits) == 2 and all(digit in "0123456789abcdefABCDEF" for digit in digits)


# Wrap lines between the tokens of a language. Textual's wrapping by words is not used, because it
# examines each character of an edited line; a line of 1 MB would delay every key.

MAX_FOLDED_LENGTH = 100_000
"""Maximum length of a line that is wrapped between tokens; longer lines are wrapped anywhere."""

_MAYBE_WIDE = re.compile("[^\\0-\u10ff\ue000-\ue0ff]")
"""Matches every wide character, and some others; compiling exact ranges would take 3 ms."""


def cell_width(text: str) -> int:
    """Return the width of editable text in cells; a wide character takes two."""
    return len(text) if not _MAYBE_WIDE.search(text) else sum(map(get_character_cell_size, text))


def column_at(text: str, x: int) -> int:
    """Return the index of the character in cell ``x``; after the text, return ``len(text)``."""
    if not _MAYBE_WIDE.search(text):
        return min(x, len(text))
    for column, character in enumerate(text):
        x -= get_character_cell_size(character)
        if x < 0:
            return column
    return len(text)


class DocumentRow(NamedTuple):
    """A row of the screen: characters ``start`` to ``end`` of document line ``line``.

    section: the index of this row among the rows of the line.
    """

    line: int
    section: int
    start: int
    end: int


Fold = Callable[[str, int, int], int]


class CellWrapping(WrappedDocument):
    """The line breaks of a document, and the part of the document in each row of the screen."""

    fold: Fold | None = None
    """A function that returns where to break a long line; None breaks lines at the width."""
    _breaks: list[Sequence[int]]
    _first_rows: Sequence[int]

    def wrap(self, width: int, tab_width: int | None = None) -> None:
        self._width = width
        self._breaks = [self._line_breaks(line) for line in self.document.lines]
        self._count_rows()

    def wrap_range(self, start: Location, old_end: Location, new_end: Location) -> None:
        top = min(start[0], old_end[0])
        old_bottom = max(start[0], old_end[0])
        new_bottom = max(start[0], new_end[0])
        changed = self.document.lines[top : new_bottom + 1]
        self._breaks[top : old_bottom + 1] = [self._line_breaks(line) for line in changed]
        if len(self._breaks) != self.document.line_count:  # several edits that are undone together
            self._breaks = [self._line_breaks(line) for line in self.document.lines]
        self._count_rows()

    @property
    def height(self) -> int:
        return self._first_rows[-1]

    @property
    def lines(self) -> list[list[str]]:
        return [self.get_sections(line) for line in range(self.document.line_count)]

    def row(self, y: int) -> DocumentRow | None:
        """Return the content of row ``y`` of the wrapped document; None below its end."""
        if not 0 <= y < self.height:
            return None
        line = bisect_right(self._first_rows, y) - 1
        section = y - self._first_rows[line]
        breaks = self._breaks[line]
        start = breaks[section - 1] if section else 0
        end = breaks[section] if section < len(breaks) else len(self.document.get_line(line))
        return DocumentRow(line, section, start, end)

    def offset_to_location(self, offset: Offset) -> Location:
        row = self.row(clamp(offset.y, 0, self.height - 1))
        assert row is not None
        return row.line, self.get_target_document_column(row.line, max(0, offset.x), row.section)

    def location_to_offset(self, location: Location) -> Offset:
        line = clamp(location[0], 0, self.document.line_count - 1)
        breaks = self._breaks[line]
        section = bisect_right(breaks, location[1])
        start = breaks[section - 1] if section else 0
        x = cell_width(self.document.get_line(line)[start : location[1]])
        return Offset(x, self._first_rows[line] + section)

    def get_target_document_column(self, line_index: int, x_offset: int, y_offset: int) -> int:
        breaks = self._breaks[line_index]
        section = y_offset if y_offset >= 0 else len(breaks) + 1 + y_offset
        text = self.document.get_line(line_index)
        start = breaks[section - 1] if section else 0
        end = breaks[section] if section < len(breaks) else len(text)
        column = start + column_at(text[start:end], x_offset)
        return column if section == len(breaks) else min(column, end - 1)

    def get_sections(self, line_index: int) -> list[str]:
        text = self.document.get_line(line_index)
        edges = [0, *self._breaks[line_index], len(text)]
        return [text[start:end] for start, end in pairwise(edges)]

    def get_offsets(self, line_index: int) -> list[int]:
        return list(self._breaks[line_index])

    def get_tab_widths(self, line_index: int) -> list[int]:
        return []

    def _count_rows(self) -> None:
        if not self._width:
            self._first_rows = range(len(self._breaks) + 1)
            return
        self._first_rows = list(accumulate((len(breaks) + 1 for breaks in self._breaks), initial=0))

    def _line_breaks(self, line: str) -> Sequence[int]:
        width = self._width
        if not width or len(line) * 2 <= width:
            return ()
        fold = self.fold if len(line) <= MAX_FOLDED_LENGTH else None
        if not _MAYBE_WIDE.search(line):
            return range(width, len(line), width) if fold is None else self._folds(line, fold)
        breaks: list[int] = []
        start = filled = 0
        for column, character in enumerate(line):
            filled += get_character_cell_size(character)
            if filled > width and column > start:
                start = column if fold is None else max(start + 1, fold(line, start, column))
                breaks.append(start)
                filled = cell_width(line[start : column + 1])
        return breaks

    def _folds(self, line: str, fold: Fold) -> list[int]:
        """Return the indexes at which a line without wide characters continues on a new row."""
        breaks: list[int] = []
        start = 0
        while len(line) - start > self._width:
            start = max(start + 1, fold(line, start, start + self._width))
            breaks.append(start)
        return breaks


class ByteDocument(Document):
    r"""A Textual document that holds any bytes as text; only ``\n`` ends a line."""

    def __init__(self, source: bytes) -> None:
        super().__init__("")
        self._lines = to_text(source).split("\n")
        self._source: bytes | None = source
        self._widest: int | None = None

    @property
    def source(self) -> bytes:
        """The bytes of the text."""
        if self._source is None:
            self._source = to_bytes("\n".join(self._lines))
        return self._source

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        top, bottom = sorted((min(start, self.end), min(end, self.end)))
        replaced = self.get_text_range(top, bottom)
        lines = self._lines
        before = lines[top[0]][: top[1]]
        after = lines[bottom[0]][bottom[1] :]
        inserted = clean_text(text).split("\n")
        inserted[0] = before + inserted[0]
        end_location = (top[0] + len(inserted) - 1, len(inserted[-1]))
        inserted[-1] += after
        self._update_width(lines[top[0] : bottom[0] + 1], inserted)
        lines[top[0] : bottom[0] + 1] = inserted
        self._source = None
        return EditResult(end_location, replaced)

    def get_size(self, tab_width: int) -> Size:
        if self._widest is None:
            self._widest = max(map(cell_width, self._lines))
        return Size(self._widest, len(self._lines))

    def _update_width(self, removed: list[str], inserted: list[str]) -> None:
        """Update the width of the widest line; discard it if the widest line was removed."""
        if self._widest is not None:
            new = max(map(cell_width, inserted))
            if new >= self._widest:
                self._widest = new
            elif max(map(cell_width, removed)) == self._widest:
                self._widest = None

    def to_offset(self, location: Location) -> int:
        """Return the byte offset of a location."""
        row, column = location
        lines = self._lines[:row]
        lines.append(self._lines[row][:column])
        return len(to_bytes("\n".join(lines)))

    def to_location(self, offset: int) -> Location:
        """Return the location of the byte at ``offset``; past the text, the end of the text."""
        for row, line in enumerate(self._lines):
            length = self._byte_length(line)
            if offset <= length:
                return row, self._byte_column(line, offset)
            offset -= length + 1
        return self.end

    def to_locations(self, offsets: Iterable[int]) -> dict[int, Location]:
        """Return the locations of many offsets, in one pass over the text."""
        found: dict[int, Location] = {}
        wanted = iter(sorted(set(offsets)))
        offset = next(wanted, None)
        begin = 0
        for row, line in enumerate(self._lines):
            end = begin + self._byte_length(line)
            while offset is not None and offset <= end:
                found[offset] = row, self._byte_column(line, offset - begin)
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
        """Return the location of the bracket that matches the one at ``location``, or None."""
        row, column = location
        bracket = self._lines[row][column : column + 1]
        pair = next((pair for pair in pairs if bracket and bracket in pair), None)
        if pair is None:
            return None
        bracket_pattern = re.compile(f"[{re.escape(pair)}]")
        forward = bracket == pair[0]
        depth = 0
        remaining = _MAX_BRACKET_DISTANCE
        while 0 <= row < len(self._lines) and remaining > 0:
            line = self._lines[row]
            if forward:
                low, high = column, min(len(line), column + remaining)
            else:
                low, high = max(0, column + 1 - remaining), column + 1
            found = [match.start() for match in bracket_pattern.finditer(line, low, high)]
            for at in found if forward else reversed(found):
                depth += 1 if line[at] == bracket else -1
                if depth == 0:
                    return row, at
            remaining -= high - low + 1
            row += 1 if forward else -1
            column = 0 if forward else len(self._lines[row]) - 1
        return None

    @staticmethod
    def _byte_length(line: str) -> int:
        return len(line) if line.isascii() else len(to_bytes(line))

    @staticmethod
    def _byte_column(line: str, offset: int) -> int:
        if line.isascii():
            return offset
        for column, character in enumerate(line):
            offset -= len(to_bytes(character))
            if offset < 0:
                return column
        return len(line)


_MAX_BRACKET_DISTANCE = 200_000
"""Maximum number of characters to search for a matching bracket, to limit the delay of a key."""
