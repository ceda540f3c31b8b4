"""Display of bytes as text: every byte, even a control character, is a glyph of one column."""

from __future__ import annotations

PLACEHOLDER = "·"
"""The glyph for a byte that is not a character."""

SPACE, TAB, NEWLINE = "␠", "␉", "␊"

CONTROL_PICTURES = {code: chr(0x2400 + code) for code in range(32)} | {127: "␡"}
"""Table for ``str.translate`` on any text: only control characters are replaced by pictures."""

BYTE_PICTURES = CONTROL_PICTURES | dict.fromkeys(range(128, 256), PLACEHOLDER)
"""Table for ``str.translate`` on Latin-1 text: pictures for control characters, dots for high
bytes.
"""

_VISIBLE_BYTES = BYTE_PICTURES | {32: SPACE}
_NAMES = {9: "tab", 10: "newline", 13: "return", 27: "escape", 32: "space"}


def to_glyphs(data: bytes) -> str:
    """Return one glyph per byte, with whitespace as ``␠ ␉ ␊``."""
    return data.decode("latin-1").translate(_VISIBLE_BYTES)


def byte_name(byte: int) -> str:
    """Return a byte in words for a sentence: ``0x36 '6'`` or ``0x0a newline``."""
    if byte in _NAMES:
        return f"{byte:#04x} {_NAMES[byte]}"
    return f"{byte:#04x} '{chr(byte)}'" if 32 < byte < 127 else f"{byte:#04x}"


def format_int(number: int) -> str:
    """Return a number with thousands separators: ``98,331``."""
    return f"{number:,}"
