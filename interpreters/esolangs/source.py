"""Positions in source bytes.

Offsets count bytes from 0; lines and columns count from 1, columns in bytes, and
only ``\\n`` ends a line, so a position means the same in every front end.
"""

from __future__ import annotations

Span = tuple[int, int]
"""Half-open byte range ``(start, end)`` of the source."""


def locate(source: bytes, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of the byte at ``offset``."""
    line_start = source.rfind(b"\n", 0, offset) + 1
    return source.count(b"\n", 0, offset) + 1, offset - line_start + 1
