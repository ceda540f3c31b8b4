"""Whitespace written visibly: S, T and L for space, tab and line feed, both ways.

In the visible notation every other byte is comment, blanks are layout and mean nothing,
and a backslash makes the byte after it comment whatever it is.  So every sequence of
bytes has a visible form, and :func:`from_visible` undoes :func:`to_visible` exactly.
"""

from __future__ import annotations

_LETTERS = {32: b"S", 9: b"T", 10: b"L\n"}
_BLANKS = {83: b" ", 84: b"\t", 76: b"\n"}
_ESCAPED = b"STL\\"
_LAYOUT = b" \t\n"
_BACKSLASH = 92
NO_BREAK_SPACE = "\u00a0".encode()
"""Stands for a blank inside a comment, where a blank would be an instruction."""


def to_visible(source: bytes) -> bytes:
    """The visible form of a Whitespace source; a line of it for every line."""
    return b"".join(
        [
            _LETTERS.get(byte) or (b"\\%c" % byte if byte in _ESCAPED else b"%c" % byte)
            for byte in source
        ]
    )


def from_visible(text: bytes) -> bytes:
    """The Whitespace source that ``text`` shows.

    Blanks between the words of a comment become no-break spaces; all others are left out.
    """
    parts: list[bytes] = []
    at, size = 0, len(text)
    in_comment = False
    while at < size:
        byte = text[at]
        at += 1
        if byte in _BLANKS:
            parts.append(_BLANKS[byte])
            in_comment = False
        elif byte in _LAYOUT:
            begin = at - 1
            while at < size and text[at] in _LAYOUT:
                at += 1
            if in_comment and at < size and text[at] not in _BLANKS:
                parts.append(NO_BREAK_SPACE * text.count(b" ", begin, at) or NO_BREAK_SPACE)
        elif byte == _BACKSLASH:
            escaped = text[at : at + 1]
            at += 1
            # A blank cannot be made comment: it is an instruction wherever it stands.
            parts.append(NO_BREAK_SPACE if escaped and escaped in _LAYOUT else escaped)
            in_comment = True
        else:
            parts.append(bytes((byte,)))
            in_comment = True
    return b"".join(parts)
