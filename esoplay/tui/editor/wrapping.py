"""Wrapping by cells: a program has no words, and a line of 1 MB must not cost a key its speed.

Replaces Textual's wrapping by words, which walks every character of an edited line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from rich.cells import get_character_cell_size
from textual.document._document import Location
from textual.document._wrapped_document import WrappedDocument
from textual.geometry import Offset, clamp

_MAYBE_WIDE = re.compile("[\u1100-\udfff\ue100-\U0010ffff]")


def cells(text: str) -> int:
    """The width of editable text; all that is not wide takes one cell."""
    return len(text) if not _MAYBE_WIDE.search(text) else sum(map(get_character_cell_size, text))


def column_at(text: str, x: int) -> int:
    """The index of the character that covers cell ``x``; the text's length when past it."""
    if not _MAYBE_WIDE.search(text):
        return min(x, len(text))
    for column, character in enumerate(text):
        x -= get_character_cell_size(character)
        if x < 0:
            return column
    return len(text)


class Row(NamedTuple):
    """One row of the screen: characters ``start`` to ``end`` of document line ``line``."""

    line: int
    section: int
    start: int
    end: int


class CellWrapping(WrappedDocument):
    """Where each line of a document breaks, and which row of the screen shows what."""

    _breaks: list[Sequence[int]]
    _tops: Sequence[int]

    def wrap(self, width: int, tab_width: int | None = None) -> None:
        self._width = width
        self._breaks = [self._breaks_of(line) for line in self.document.lines]
        self._count_rows()

    def wrap_range(self, start: Location, old_end: Location, new_end: Location) -> None:
        top = min(start[0], old_end[0])
        old_bottom = max(start[0], old_end[0])
        new_bottom = max(start[0], new_end[0])
        changed = self.document.lines[top : new_bottom + 1]
        self._breaks[top : old_bottom + 1] = [self._breaks_of(line) for line in changed]
        if len(self._breaks) != self.document.line_count:  # a batch of edits, undone at once
            self._breaks = [self._breaks_of(line) for line in self.document.lines]
        self._count_rows()

    @property
    def height(self) -> int:
        return self._tops[-1]

    @property
    def lines(self) -> list[list[str]]:
        return [self.get_sections(line) for line in range(self.document.line_count)]

    def row(self, y: int) -> Row | None:
        """What row ``y`` of the wrapped document shows; None below its end."""
        if not 0 <= y < self.height:
            return None
        line = bisect_right(self._tops, y) - 1
        section = y - self._tops[line]
        breaks = self._breaks[line]
        start = breaks[section - 1] if section else 0
        end = breaks[section] if section < len(breaks) else len(self.document.get_line(line))
        return Row(line, section, start, end)

    def offset_to_location(self, offset: Offset) -> Location:
        row = self.row(clamp(offset.y, 0, self.height - 1))
        assert row is not None
        return row.line, self.get_target_document_column(row.line, max(0, offset.x), row.section)

    def location_to_offset(self, location: Location) -> Offset:
        line = clamp(location[0], 0, self.document.line_count - 1)
        breaks = self._breaks[line]
        section = bisect_right(breaks, location[1])
        start = breaks[section - 1] if section else 0
        x = cells(self.document.get_line(line)[start : location[1]])
        return Offset(x, self._tops[line] + section)

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
            self._tops = range(len(self._breaks) + 1)
            return
        self._tops = list(accumulate((len(breaks) + 1 for breaks in self._breaks), initial=0))

    def _breaks_of(self, line: str) -> Sequence[int]:
        width = self._width
        if not width or len(line) * 2 <= width:
            return ()
        if not _MAYBE_WIDE.search(line):
            return range(width, len(line), width)
        breaks: list[int] = []
        filled = 0
        for column, character in enumerate(line):
            filled += get_character_cell_size(character)
            if filled > width and column:
                breaks.append(column)
                filled = get_character_cell_size(character)
        return breaks
