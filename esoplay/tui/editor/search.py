"""Search and selection in the editor: finding and replacing text, and selecting words."""

from __future__ import annotations

import re
from abc import abstractmethod
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from textual.document._document import Location, Selection
from textual.events import Click
from textual.geometry import Region, Spacing
from textual.message import Message

from esolangs.editing import Editing
from esoplay.tui.editor.document import read_escapes, to_text
from esoplay.tui.editor.drawing import BaseEditor

MAX_MATCHES = 100_000
"""Maximum number of matches to count."""


class SearchQuery(NamedTuple):
    """The text to search for, as the editor stores it. match_case: whether case must match."""

    text: str
    match_case: bool = True


class SearchMatches:
    """All matches of a query in a text, without overlaps."""

    def __init__(self, lines: Sequence[str], query: SearchQuery) -> None:
        self._line_starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
        self._length = len(query.text)
        self._starts = array("q")
        self.has_more = False
        """Whether more than :data:`MAX_MATCHES` matches exist."""
        if query.text:
            flags = re.NOFLAG if query.match_case else re.IGNORECASE
            for found in re.finditer(re.escape(query.text), "\n".join(lines), flags):
                if len(self._starts) == MAX_MATCHES:
                    self.has_more = True
                    break
                self._starts.append(found.start())

    def __len__(self) -> int:
        return len(self._starts)

    def in_line(self, line: int, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the columns of matches that overlap characters ``start`` to ``end`` of a line."""
        if line + 1 >= len(self._line_starts):
            return
        begin = self._line_starts[line]
        first = bisect_left(self._starts, begin + start - self._length + 1)
        for at in range(first, len(self._starts)):
            column = self._starts[at] - begin
            if column >= end:
                return
            yield max(0, column), column + self._length

    def index_after(self, location: Location) -> int | None:
        """Return the index of the first match at or after a location; 0 if no match follows.

        Returns None without matches.
        """
        if not self._starts:
            return None
        return bisect_left(self._starts, self._offset(location)) % len(self._starts)

    def index_before(self, location: Location) -> int | None:
        """Return the index of the last match before a location; the last index if none precedes it.

        Returns None without matches.
        """
        if not self._starts:
            return None
        return (bisect_left(self._starts, self._offset(location)) - 1) % len(self._starts)

    def index_at(self, location: Location) -> int | None:
        """Return the index of the match that starts at a location, or None."""
        offset = self._offset(location)
        index = bisect_left(self._starts, offset)
        is_match = index < len(self._starts) and self._starts[index] == offset
        return index if is_match else None

    def span(self, index: int) -> tuple[Location, Location]:
        """Return the start and end of a match."""
        start = self._starts[index]
        return self._location(start), self._location(start + self._length)

    def _offset(self, location: Location) -> int:
        return self._line_starts[location[0]] + location[1]

    def _location(self, offset: int) -> Location:
        line = bisect_right(self._line_starts, offset) - 1
        return line, offset - self._line_starts[line]


def replace_matches(lines: Sequence[str], query: SearchQuery, replacement: str) -> tuple[str, int]:
    """Return the text with all matches replaced, and the number of matches."""
    flags = re.NOFLAG if query.match_case else re.IGNORECASE
    pattern = re.escape(query.text)
    return re.subn(pattern, lambda _: replacement, "\n".join(lines), flags=flags)


def parse_location(text: str, line_count: int, size: int) -> tuple[int, int] | int | None:
    """Parse a line and column (``12``, ``12:5`` or ``:5``) or an offset (``@120``).

    The returned line and column count from 0. Lines and offsets after the end of the text mean the
    end. Returns None for other text.
    """
    found = re.fullmatch(r"\s*(?:@(0x[0-9a-f]+|\d+)|(\d+)?(?::(\d+))?)\s*", text, re.IGNORECASE)
    if found is None or not text.strip():
        return None
    offset, line, column = found.groups()
    if offset:
        return min(int(offset, 0) if offset[:2] in ("0x", "0X") else int(offset), size)
    row = min(max(int(line or 1), 1), line_count) - 1
    return row, max(int(column or 1) - 1, 0)


def parse_pattern(text: str, *, uses_escapes: bool) -> str:
    r"""Convert the text typed in the search bar to the text to search for.

    uses_escapes: whether to interpret escapes such as ``\n``.
    """
    data = read_escapes(text) if uses_escapes else text.encode("utf-8", "surrogateescape")
    return to_text(data)


# Searching


class SearchableEditor(BaseEditor):
    """Base class of the editor; adds search, and updates matches when the text changes."""

    class SearchRequested(Message):
        """The user requested the search bar."""

    def __init__(self, *, id: str | None = None) -> None:
        self._query = SearchQuery("")
        self._matches: SearchMatches | None = None
        super().__init__(id=id)

    @property
    def matches(self) -> SearchMatches | None:
        """The matches; None without a query."""
        return self._matches

    def action_find(self) -> None:
        self.post_message(self.SearchRequested())

    def search(self, query: SearchQuery) -> SearchMatches | None:
        """Mark all matches of a query; an empty query ends the search."""
        self._query = query
        self._matches = SearchMatches(self.document.lines, query) if query.text else None
        self.refresh()
        return self._matches

    def search_again(self) -> SearchMatches | None:
        """Search again in the changed text."""
        return self.search(self._query)

    def action_find_next(self, offset: int = 1) -> int | None:
        """Select the next match or, for a negative ``offset``, the previous one.

        Returns the index of the match, or None.
        """
        matches = self._matches or self.search_again()
        top, bottom = sorted(self.selection)
        if matches is None:
            self.action_find()
            return None
        index = (
            matches.index_before(top)
            if offset < 0
            else matches.index_after(bottom if top != bottom else top)
        )
        if index is not None:
            start, end = matches.span(index)
            self.selection = Selection(start, end)
            self.scroll_cursor_visible(center=True)
            self.history.checkpoint()
        return index

    def replace_match(self, replacement: str) -> int | None:
        """Replace the selected match and select the next one; return its index, or None."""
        matches = self.search_again()
        top, bottom = sorted(self.selection)
        index = matches.index_at(top) if matches else None
        if matches and index is not None and matches.span(index) == (top, bottom):
            self.history.checkpoint()
            result = self.replace(replacement, top, bottom, maintain_selection_offset=False)
            self.history.checkpoint()
            self.selection = Selection.cursor(result.end_location)
            self.search_again()
        return self.action_find_next(1)

    def replace_all(self, replacement: str) -> int:
        """Replace all matches as one edit; return their number."""
        if not self._query.text or self.read_only:
            return 0
        text, count = replace_matches(self.document.lines, self._query, replacement)
        if count:
            cursor = self.cursor_location
            self.history.checkpoint()
            self.replace(text, self.document.start, self.document.end)
            self.history.checkpoint()
            self.move_cursor(self.clamp_visitable(cursor))
            self.search_again()
        return count

    def match_columns(self, line: int, start: int, end: int) -> Iterable[tuple[int, int]]:
        if self._matches is None or line >= self.document.line_count:
            return ()
        return self._matches.in_line(line, start, end)


# Selecting by clicks


class SelectionEditor(SearchableEditor):
    """Base class of the editor; adds the selection of words by a double click.

    editing: the language's data for editors.
    """

    def __init__(self, *, id: str | None = None) -> None:
        self.editing = Editing()
        super().__init__(id=id)

    @property
    def source(self) -> bytes:
        """The current bytes of the program."""
        return self.document.source

    def type(self, text: str) -> None:
        """Insert typed text, and replace the selection."""
        self._replace_via_keyboard(text, *self.selection)

    def insert_exactly(self, text: str) -> None:
        """Insert text that was converted from bytes, and replace the selection."""
        if not self.read_only:
            result = self.replace(text, *self.selection, maintain_selection_offset=False)
            self.move_cursor(result.end_location)

    @abstractmethod
    def update_structure(self) -> None:
        """Find and mark the construct at the cursor."""

    def show_cell(self, location: Location) -> None:
        """Scroll to a cell, which can be outside the text, and draw the cursor there."""
        row, column = location
        spacing = Spacing(right=self.gutter_width)
        self.scroll_to_region(Region(column, row, 3, 1), spacing=spacing, animate=False, force=True)
        self.refresh()
        self.update_structure()

    @property
    def selects_cells(self) -> bool:
        """Whether the cell at the end of a selection is also selected."""
        return False

    async def _on_click(self, event: Click) -> None:
        if event.chain < 2 or event.button != 1:
            return
        row, column = self.cursor_location
        line = self.document.get_line(row)
        start, end = word_at(line, column) if event.chain == 2 else (0, len(line))
        if self.selects_cells and end > start:
            end -= 1
        self.selection = Selection((row, start), (row, end))


def word_at(line: str, column: int) -> tuple[int, int]:
    """Return the start and end of the word at a column.

    A word consists of letters, digits and underscores, or of one other character repeated. At the
    end of the line, return the last word.
    """
    if not line:
        return 0, 0
    at = min(column, len(line) - 1)

    def belongs(character: str) -> bool:
        return _is_letter(character) if _is_letter(line[at]) else character == line[at]

    start = end = at
    while start and belongs(line[start - 1]):
        start -= 1
    while end < len(line) and belongs(line[end]):
        end += 1
    return start, end


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"
