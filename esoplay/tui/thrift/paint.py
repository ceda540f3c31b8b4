"""Reads what Textual paints."""

from __future__ import annotations

import re
from typing import NamedTuple

from esoplay.tui.thrift.pens import PLAIN, pen_of
from esoplay.tui.thrift.rows import Run, measure

_TOKEN = re.compile(
    r"\x1b\[(?P<row>\d+);(?P<column>\d+)H"
    r"|\x1b\[(?P<pen>[\d;]*)m"
    r"|(?P<end>\n)"
    r"|(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
)
"""All that Textual paints with (``_compositor.py``)."""


class Paint(NamedTuple):
    """What is written, and where the cursor is left, as row and column."""

    runs: list[Run]
    cursor: tuple[int, int]

    @property
    def is_whole(self) -> bool:
        """Every row from the first to its last is filled, without a gap."""
        widths: dict[int, int] = {}
        for y, x, _text, _pen, width, _narrow in self.runs:
            if x != widths.get(y, 0) or (y and y - 1 not in widths):
                return False
            widths[y] = x + width
        return len(widths) > 1 and len(set(widths.values())) == 1


def paint_of(data: str) -> Paint | None:
    """The paint that ``data`` is; None for anything else."""
    runs: list[Run] = []
    y, x, pen, position = -1, -1, PLAIN, 0
    for token in _TOKEN.finditer(data):
        if token.start() != position:
            return None
        position = token.end()
        row, column, parameters, end, text = token.groups()
        if row is not None:
            y, x = int(row) - 1, int(column) - 1
        elif parameters is not None:
            found = pen_of(parameters)
            if found is None:
                return None
            pen = found
        elif end is not None:
            x = -1
        else:
            width, narrow = measure(text)
            if x < 0 or not width:
                return None
            runs.append(Run(y, x, text, pen, width, narrow))
            x += width
    if position != len(data) or not runs or x < 0 or pen != PLAIN:
        return None
    return Paint(runs, (y, x))
