"""Text for people: escaped, and styled where colours are welcome.

File names, titles and what programs print may hold control characters, which would command the
terminal.  So ``main`` puts a ``PeopleStream`` in the place of stdout and stderr.  It escapes
everything but the sequences that ``command`` has marked as esoplay's own; the mark is drawn at
random, so no other text has it.  Bytes for ``stdout.buffer`` or a descriptor stay as they are.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TextIO

_CODES = {"bold": "1", "dim": "2", "good": "32", "bad": "31", "accent": "36"}

# What commands a terminal or reorders a line: C0 but tab and newline, DEL and C1, marks and
# overrides of writing direction, separators, and halves of surrogate pairs.
_CONTROLS = (
    *(*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0)),
    *(0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)),
    *range(0xD800, 0xE000),
)
_ESCAPES: dict[int, str] = {}  # filled when first needed


class PeopleStream:
    """A text stream that escapes what would command the terminal, and is otherwise the same."""

    mark = f"\x1b{os.urandom(8).hex()}"
    """Stands before and after a sequence that is to be written as it is."""

    def __init__(self, stream: TextIO):
        self._stream = stream

    def write(self, text: str) -> int:
        if not text.isprintable():
            parts = text.split(self.mark)
            parts[::2] = map(escaped, parts[::2])
            self._stream.write("".join(parts))
        else:
            self._stream.write(text)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def escaped(text: str) -> str:
    r"""``text`` with control characters written out: ``\x1b``, and ``\u009b`` from DEL on.

    Tabs and newlines stay.  In JSON, where C0 is escaped anyway, the value stays the same.
    """
    if text.isprintable():
        return text
    if not _ESCAPES:
        _ESCAPES.update(
            (code, f"\\x{code:02x}" if code < 0x7F else f"\\u{code:04x}") for code in _CONTROLS
        )
    return text.translate(_ESCAPES)


def one_line(text: str) -> str:
    """``escaped``, with newlines and tabs written out as well."""
    return escaped(text).replace("\n", "\\n").replace("\t", "\\t")


def command(sequence: str, stream: TextIO) -> str:
    """A sequence for the terminal that ``stream`` does not escape."""
    mark = getattr(stream, "mark", "")
    return f"{mark}{sequence}{mark}"


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
