"""Where a program stops being one: its line, and a caret below."""

from __future__ import annotations

from esolangs.errors import ParseError
from esolangs.source import locate
from esoplay.tui.debug.visible import reveal

AROUND = 30
"""Bytes of the line on either side of the mistake."""


def excerpt_of(source: bytes, error: ParseError) -> tuple[str, str]:
    """The line around a parse error, one glyph a byte, and the line with the caret."""
    offset = max(0, min(error.offset, len(source)))
    line, column = locate(source, offset)
    start = offset - (column - 1)
    end = source.find(b"\n", start)
    end = len(source) if end < 0 else end
    first, last = max(start, offset - AROUND), min(end, offset + AROUND)
    before = "…" if first > start else ""
    number = f"{line:>4} "
    text = before + reveal(source[first:last]).replace("␠", " ") + ("…" if last < end else "")
    return number + text, " " * (len(number) + len(before) + offset - first) + "^"
