"""Output with escape codes, as a terminal shows it.

pyte raises errors for some malformed sequences, which are skipped, because the output of a program
must not break the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pyte
from pyte import modes
from rich.color import ColorParseError
from rich.style import Style

MAX_FED_BYTES = 64 << 10
"""Maximum bytes to interpret, from the end of the output; pyte takes a second per MB."""
_CHUNK_BYTES = 512
_COLOR_NAMES = {"brown": "yellow"}
_PLAIN = pyte.screens.Char(" ")


class StyledRun(NamedTuple):
    """Adjacent characters in one style; None is the default style of the terminal."""

    text: str
    style: Style | None


class Terminal:
    """A terminal screen that accepts any bytes."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        self._shown = b""
        self._reset()

    def show(self, output: bytes) -> None:
        """Show ``output``; if it starts with the previous output, interpret only the remainder."""
        start = len(self._shown)
        if len(output) - start > MAX_FED_BYTES or not output.startswith(self._shown):
            self._reset()
            start = max(0, len(output) - MAX_FED_BYTES)
        for at in range(start, len(output), _CHUNK_BYTES):
            self._feed(output[at : at + _CHUNK_BYTES])
        self._shown = output

    def _reset(self) -> None:
        self._screen = pyte.Screen(self.columns, self.rows)
        # A single newline starts a line, as on a terminal in cooked mode.
        self._screen.set_mode(modes.LNM)
        self._stream = pyte.ByteStream(self._screen)

    def _feed(self, data: bytes) -> None:
        try:
            self._stream.feed(data)
        except Exception:  # The output is malformed; the screen remains valid.
            self._stream = pyte.ByteStream(self._screen)
            if len(data) > 1:
                for at in range(len(data)):
                    self._feed(data[at : at + 1])

    def line(self, row: int) -> Sequence[StyledRun]:
        """Return a row of the screen, without spaces at its end that were not written."""
        cells = self._screen.buffer[row]
        runs: list[StyledRun] = []
        for column in range(max(cells, default=-1) + 1):
            cell = cells[column]
            style = _style(cell)
            if runs and runs[-1].style == style:
                runs[-1] = StyledRun(runs[-1].text + cell.data, style)
            else:
                runs.append(StyledRun(cell.data, style))
        return runs


def _style(cell: pyte.screens.Char) -> Style | None:
    if cell[1:] == _PLAIN[1:]:
        return None
    try:
        return Style(
            color=_color(cell.fg),
            bgcolor=_color(cell.bg),
            bold=cell.bold or None,
            italic=cell.italics or None,
            underline=cell.underscore or None,
            strike=cell.strikethrough or None,
            reverse=cell.reverse or None,
        )
    except ColorParseError:
        return None


def _color(name: str) -> str | None:
    """Return Rich's name of a pyte colour (a name or six hexadecimal digits); None if default."""
    if name == "default":
        return None
    if len(name) == 6 and all(digit in "0123456789abcdefABCDEF" for digit in name):
        return f"#{name}"
    bright = name.startswith("bright")
    word = name.removeprefix("bright")
    word = _COLOR_NAMES.get(word, word)
    return f"bright_{word}" if bright else word
