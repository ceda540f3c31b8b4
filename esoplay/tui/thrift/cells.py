"""What a terminal shows, cell by cell, and what has to be sent to change it.

Textual sends each changed part of a row from the beginning of its widget, in runs that set all
colours and reset them after.  :class:`Cells` reads such a paint, compares it with what is
there, and sends the cells that differ.
"""

from __future__ import annotations

import re

from esoplay.tui.thrift.paint import paint_of
from esoplay.tui.thrift.rows import HalvedError, Row, Run
from esoplay.tui.thrift.writer import Changes

_UNSEEN = re.compile(
    r"(?:\x1b\[\?(?!(?:47|1047|1049)[hl])\d+(?:\$p|[hl])|\x1b\[[<>=]\d*u|\x1b\]52;[^\x07\x1b]*\x07)*"
)
"""Modes, queries and the clipboard: they change no cell, as the alternate screen does."""


class Cells:
    """The cells of a terminal, as far as they are known."""

    def __init__(self) -> None:
        self._rows: dict[int, Row] = {}
        self._cursor: tuple[int, int] | None = None

    def forget(self) -> None:
        """Anything may be on the screen."""
        self._rows.clear()
        self._cursor = None

    def thrifty(self, data: str) -> str:
        """What to send in place of ``data`` so that the screen looks the same after it.

        A paint of all rows, as after a change of the terminal's size, is sent whole.  So is what
        is no paint; after that the cells count as unknown, unless it can have changed none.
        """
        paint = paint_of(data)
        if paint is None:
            if not _UNSEEN.fullmatch(data):
                self.forget()
            return data
        if paint.is_whole:
            self.forget()
        try:
            painted = self._painted(paint.runs)
        except HalvedError:
            self.forget()
            return data
        changes = Changes()
        for y in sorted(painted):
            changes.row(y, self._rows.get(y), painted[y])
        self._rows.update(painted)
        before, self._cursor = self._cursor, paint.cursor
        return changes.sequence(before, paint.cursor)

    def _painted(self, runs: list[Run]) -> dict[int, Row]:
        """The rows that are painted on as they will be."""
        rows: dict[int, Row] = {}
        for run in runs:
            row = rows.get(run.y)
            if row is None:
                shown = self._rows.get(run.y)
                row = rows[run.y] = Row([], []) if shown is None else shown.copy()
            row.put(run)
        return rows
