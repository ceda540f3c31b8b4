"""Finding text in a program, and putting other text in its place."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from textual.document._document import Location

from esoplay.tui.editor.codec import read_escapes, to_text

MOST = 100_000
"""Finds that are counted and can be gone through."""


class Query(NamedTuple):
    """What is looked for, as editable text.  cased: capitals and small letters differ."""

    text: str
    cased: bool = True


class Finds:
    """All places in a text where a query is met; none overlaps another."""

    def __init__(self, lines: Sequence[str], query: Query) -> None:
        self._lines = list(accumulate((len(line) + 1 for line in lines), initial=0))
        self._length = len(query.text)
        self._starts = array("q")
        self.more = False
        """There are more than :data:`MOST`."""
        if query.text:
            flags = re.NOFLAG if query.cased else re.IGNORECASE
            for found in re.finditer(re.escape(query.text), "\n".join(lines), flags):
                if len(self._starts) == MOST:
                    self.more = True
                    break
                self._starts.append(found.start())

    def __len__(self) -> int:
        return len(self._starts)

    def in_line(self, line: int, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The characters of a line that were found, of those from ``start`` to ``end``."""
        if line + 1 >= len(self._lines):
            return
        begin = self._lines[line]
        first = bisect_left(self._starts, begin + start - self._length + 1)
        for at in range(first, len(self._starts)):
            column = self._starts[at] - begin
            if column >= end:
                return
            yield max(0, column), column + self._length

    def after(self, location: Location) -> int | None:
        """The number of the first one not before a location, going round; None without any."""
        if not self._starts:
            return None
        return bisect_left(self._starts, self._offset(location)) % len(self._starts)

    def before(self, location: Location) -> int | None:
        """The number of the last one before a location, going round."""
        if not self._starts:
            return None
        return (bisect_left(self._starts, self._offset(location)) - 1) % len(self._starts)

    def at(self, location: Location) -> int | None:
        """The number of the one that begins at a location."""
        offset = self._offset(location)
        number = bisect_left(self._starts, offset)
        here = number < len(self._starts) and self._starts[number] == offset
        return number if here else None

    def span(self, number: int) -> tuple[Location, Location]:
        """Where one begins and ends."""
        start = self._starts[number]
        return self._location(start), self._location(start + self._length)

    def _offset(self, location: Location) -> int:
        return self._lines[location[0]] + location[1]

    def _location(self, offset: int) -> Location:
        line = bisect_right(self._lines, offset) - 1
        return line, offset - self._lines[line]


def replaced(lines: Sequence[str], query: Query, by: str) -> tuple[str, int]:
    """The text with every find replaced, and how many there were."""
    flags = re.NOFLAG if query.cased else re.IGNORECASE
    pattern = re.escape(query.text)
    return re.subn(pattern, lambda _: by, "\n".join(lines), flags=flags)


def place_of(text: str, line_count: int, size: int) -> tuple[int, int] | int | None:
    r"""What ``12``, ``12:5``, ``:5`` or ``@120`` mean: a line and column from 0, or an offset.

    Numbers beyond the end mean the end; None where it is nothing of the kind.
    """
    found = re.fullmatch(r"\s*(?:@(0x[0-9a-f]+|\d+)|(\d+)?(?::(\d+))?)\s*", text, re.IGNORECASE)
    if found is None or not text.strip():
        return None
    offset, line, column = found.groups()
    if offset:
        return min(int(offset, 0) if offset[:2] in ("0x", "0X") else int(offset), size)
    row = min(max(int(line or 1), 1), line_count) - 1
    return row, max(int(column or 1) - 1, 0)


def needle(text: str, *, escapes: bool) -> str:
    r"""The editable text that was asked for; with ``escapes``, ``\n`` is a newline and so on."""
    data = read_escapes(text) if escapes else text.encode("utf-8", "surrogateescape")
    return to_text(data)
