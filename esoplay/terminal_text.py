"""Text for terminals, with control sequences escaped.

File names, titles and program output may contain control characters. The command line therefore
replaces stdout and stderr by a ``TerminalStream``. The stream escapes all text except the result of
``raw_sequence``, which is delimited by a random mark that no other text contains. Bytes that are
written to ``stdout.buffer`` or a descriptor are not changed.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TextIO

# Characters that control a terminal or reorder a line: C0 except tab and newline, DEL and C1,
# marks and overrides of writing direction, separators, and halves of surrogate pairs.
_CONTROLS = (
    *(*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0)),
    *(0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)),
    *range(0xD800, 0xE000),
)
_ESCAPES: dict[int, str] = {}  # filled on first use


class TerminalStream:
    """Text stream that escapes control sequences."""

    mark = f"\x1b{os.urandom(8).hex()}"
    """Text before and after each control sequence that is to be written without escaping."""

    def __init__(self, stream: TextIO):
        self._stream = stream

    def write(self, text: str) -> int:
        if not text.isprintable():
            parts = text.split(self.mark)
            parts[::2] = map(escape_controls, parts[::2])
            self._stream.write("".join(parts))
        else:
            self._stream.write(text)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def escape_controls(text: str) -> str:
    r"""Escape control characters: those below 0x7F like ``\x1b``, the others like ``\u009b``.

    Tabs and newlines are not escaped. Escaped JSON is valid and has the same value: its encoder has
    escaped the other characters below 0x20, and ``\u009b`` is also an escape sequence of JSON.
    """
    if text.isprintable():
        return text
    return text.translate(_escapes())


def drop_controls(text: str) -> str:
    """Remove control characters, also tabs and newlines; replace surrogates with U+FFFD."""
    if text.isprintable():
        return text
    left_out = _escapes().keys() | {0x09, 0x0A}
    return "".join(
        "\ufffd" if "\ud800" <= sign <= "\udfff" else "" if ord(sign) in left_out else sign
        for sign in text
    )


def escape_line(text: str) -> str:
    """Escape ``text`` like ``escape_controls``, including newlines and tabs."""
    return escape_controls(text).replace("\n", "\\n").replace("\t", "\\t")


def _escapes() -> dict[int, str]:
    if not _ESCAPES:
        _ESCAPES.update(
            (code, f"\\x{code:02x}" if code < 0x7F else f"\\u{code:04x}") for code in _CONTROLS
        )
    return _ESCAPES


def raw_sequence(sequence: str, stream: TextIO) -> str:
    """Return a control sequence that ``stream`` does not escape."""
    mark = getattr(stream, "mark", "")
    return f"{mark}{sequence}{mark}"
