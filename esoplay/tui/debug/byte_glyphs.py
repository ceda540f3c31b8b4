"""Show any bytes as text: each byte, including control characters, is a glyph of one column."""

from __future__ import annotations

PLACEHOLDER = "·"
"""Shown for a byte that is not a character."""

SPACE, TAB, NEWLINE = "␠", "␉", "␊"

_PICTURES = {code: chr(0x2400 + code) for code in range(32)} | {127: "␡"}
_HIGH = dict.fromkeys(range(128, 256), PLACEHOLDER)
PICTURED = _PICTURES | _HIGH
"""For ``str.translate`` on text decoded as Latin-1: control characters as pictures, high bytes as a
dot.
"""

PICTURED_TEXT = {code: glyph for code, glyph in PICTURED.items() if code < 128}
"""For ``str.translate`` on text: control characters as pictures, and other characters unchanged."""

_REVEALED = PICTURED | {32: SPACE}
_NAMES = {9: "tab", 10: "newline", 13: "return", 27: "escape", 32: "space"}


def reveal(data: bytes) -> str:
    """Return one glyph per byte, with whitespace as ``␠ ␉ ␊``."""
    return data.decode("latin-1").translate(_REVEALED)


def name_of(byte: int) -> str:
    """Return a byte as ``0x36 '6'`` or ``0x0a newline``, for use in a sentence."""
    if byte in _NAMES:
        return f"{byte:#04x} {_NAMES[byte]}"
    return f"{byte:#04x} '{chr(byte)}'" if 32 < byte < 127 else f"{byte:#04x}"


def grouped(number: int) -> str:
    """Return a number with thousands separators: ``98,331``."""
    return f"{number:,}"
