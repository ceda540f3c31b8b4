"""Plain and pretty lines for the terminal, without a library."""

from __future__ import annotations

import os
import sys

from esoplay.terminal_text import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

_CODES = {"bold": "1", "dim": "2", "good": "32", "bad": "31", "accent": "36"}


def styled(text: str, style: str, stream: TextIO | None = None) -> str:
    """``text`` in a style (bold, dim, good, bad, accent), where colours are welcome."""
    target = stream or sys.stdout
    if not _colours(target):
        return text
    begin, end = f"\x1b[{_CODES[style]}m", "\x1b[0m"
    return f"{command(begin, target)}{text}{command(end, target)}"


def mark(good: bool, stream: TextIO | None = None) -> str:
    """A tick or a cross; another sign where the terminal has no such signs."""
    signs = "✓✗" if speaks_unicode(stream or sys.stdout) else "+x"
    return styled(signs[0 if good else 1], "good" if good else "bad", stream)


def is_plain(wanted: bool = False) -> bool:
    """Whether text is wanted instead of a screen: asked for, or the terminal cannot draw one."""
    asked = os.environ.get("ESOPLAY_PLAIN", "") not in ("", "0")
    return wanted or asked or os.environ.get("TERM") == "dumb"


def speaks_unicode(stream: TextIO) -> bool:
    """Whether every character can be written there."""
    return str(stream.encoding).lower().startswith("utf")


def quoted(data: bytes, limit: int = 300) -> str:
    """Bytes of a program as one harmless line: controls are escaped, long ones cut."""
    text = data[:limit].decode("utf-8", "backslashreplace")
    shown = "".join(map(_escape, text))
    return f'"{shown}"' if len(data) <= limit else f'"{shown}" … ({len(data)} bytes)'


def _escape(character: str) -> str:
    if character == '"':
        return '\\"'
    if character.isprintable() and character != "\\":
        return character
    return character.encode("unicode_escape").decode("ascii")


def _colours(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
