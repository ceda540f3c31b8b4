"""Positions in source bytes.

Offsets count bytes from 0.  Lines and columns count from 1, and only ``\\n`` ends a line.  Columns
count characters of UTF-8, as editors do; a byte that belongs to none counts as one.  A byte order
mark that begins the source counts as none, as editors do not show it.
"""

from __future__ import annotations

MARK = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8."""

Span = tuple[int, int]
"""Half-open byte range ``(start, end)`` of the source."""


def locate(source: bytes, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of the byte at ``offset``."""
    line_start = source.rfind(b"\n", 0, offset) + 1
    if line_start == 0 and source.startswith(MARK):
        line_start = len(MARK)
    before = source[line_start:offset]
    column = len(before) if before.isascii() else len(_characters(before))
    return source.count(b"\n", 0, offset) + 1, column + 1


def offset_at(source: bytes, line: int, column: int) -> int | None:
    """The byte at a line and column, both from 1; None where there is no character."""
    lines = source.split(b"\n")
    if not 1 <= line <= len(lines):
        return None
    start = len(MARK) if line == 1 and source.startswith(MARK) else 0
    characters = _characters(lines[line - 1][start:])
    if not 1 <= column <= len(characters):
        return None
    before = characters[: column - 1].encode("utf-8", "surrogateescape")
    return sum(len(each) + 1 for each in lines[: line - 1]) + start + len(before)


def _characters(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")
