"""Positions in source bytes, characters, and common prefixes.

Offsets count bytes from 0.  Lines and columns count from 1, and only ``\\n`` ends a line.  Columns
count characters of UTF-8, as editors do; a byte that is not part of a character counts as one.  A
byte order mark at the start has no column, because editors do not show it.
"""

from __future__ import annotations

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8."""

Span = tuple[int, int]
"""A half-open byte range ``(start, end)`` of the source."""


def locate(source: bytes, offset: int) -> tuple[int, int]:
    """Return the line and column, both from 1, of the byte at ``offset``."""
    line_start = source.rfind(b"\n", 0, offset) + 1
    if line_start == 0 and source.startswith(BYTE_ORDER_MARK):
        line_start = len(BYTE_ORDER_MARK)
    before = source[line_start:offset]
    column = len(before) if before.isascii() else len(_characters(before))
    return source.count(b"\n", 0, offset) + 1, column + 1


def offset_at(source: bytes, line: int, column: int) -> int | None:
    """Return the offset of the byte at a line and column, both from 1, or None if not found."""
    lines = source.split(b"\n")
    if not 1 <= line <= len(lines):
        return None
    start = len(BYTE_ORDER_MARK) if line == 1 and source.startswith(BYTE_ORDER_MARK) else 0
    characters = _characters(lines[line - 1][start:])
    if not 1 <= column <= len(characters):
        return None
    before = characters[: column - 1].encode("utf-8", "surrogateescape")
    return sum(len(each) + 1 for each in lines[: line - 1]) + start + len(before)


def character_at(data: bytes, index: int) -> Span | None:
    """Return the span of the character that contains byte ``index``, or None if it is invalid."""
    for start in range(index, max(-1, index - 4), -1):
        for end in range(start + 1, min(start + 4, len(data)) + 1):
            try:
                size = len(data[start:end].decode())
            except UnicodeDecodeError:
                continue
            if size == 1:
                return (start, end) if end > index else None
    return None


def common_prefix(left: bytes | bytearray, right: bytes | bytearray) -> int:
    """Return the length, in bytes, of the common prefix of two byte strings."""
    size = min(len(left), len(right))
    if left[:size] == right[:size]:
        return size
    low, high = 0, size
    while high - low > 1:
        middle = (low + high) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _characters(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")
