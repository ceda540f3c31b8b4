"""What happens when keys rest: the program is checked and kept.

Checking a large program takes longer than a key may, so it is done beside the screen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual.timer import Timer

from esolangs.errors import ParseError
from esoplay.service import programs
from esoplay.tui.desk import Desk
from esoplay.tui.editor.editor import LARGE
from esoplay.tui.editor.pane import EditorPane
from esoplay.tui.generate.generating import Generating

IDLE = 0.3
"""Seconds without a key after which a program is checked and kept."""

LARGE_IDLE = 1.0
"""The same for a large program: a parser may not let go of the interpreter while it works."""

UNKEPT = 3.0
"""Seconds after which it is kept at the latest, however fast somebody types."""


class Checking:
    """Checks and keeps the program in hand."""

    def __init__(
        self,
        desk: Desk,
        program: EditorPane,
        generating: Generating,
        *,
        save: Callable[[], None],
        rested: Callable[[], None],
    ) -> None:
        """``save`` is called after a pause in typing, and ``rested`` after the check as well."""
        self._desk = desk
        self._program = program
        self._generating = generating
        self._save = save
        self._rested = rested
        self._idle: Timer | None = None
        self._latest: Timer | None = None

    def typed(self) -> None:
        """The program has changed."""
        if self._idle is not None:
            self._idle.stop()
        large = len(self._program.source) >= LARGE
        self._idle = self._program.set_timer(LARGE_IDLE if large else IDLE, self._rest)
        if self._latest is None:
            self._latest = self._program.set_timer(UNKEPT, self._keep)

    def check(self) -> None:
        """Mark the parse error of the program, if it has one."""
        desk = self._desk
        if self._generating.active:
            self._generating.follow()
        elif desk.buffer is not None:
            self._program.show_error(
                _parse_error(desk.language_id, self._program.source, desk.dialect)
            )

    def _rest(self) -> None:
        self._idle = None
        generating = self._generating.active  # which is done beside the screen anyway
        if generating or len(self._program.source) < LARGE:
            self.check()
        else:
            self._program.run_worker(self._check_beside(), exclusive=True, group="check")
        self._keep()
        self._rested()

    async def _check_beside(self) -> None:
        """As :meth:`check`; the answer is dropped when the program is another one by then."""
        desk, program = self._desk, self._program
        source = program.source
        error = await asyncio.to_thread(_parse_error, desk.language_id, source, desk.dialect)
        if program.source is source:
            program.show_error(error)

    def _keep(self) -> None:
        if self._latest is not None:
            self._latest.stop()
            self._latest = None
        self._save()


def _parse_error(language_id: str, source: bytes, dialect: str) -> ParseError | None:
    """The parse error of a program; a parser that fails by itself is told at its first byte."""
    try:
        return programs.check(language_id, source, dialect)
    except Exception as error:
        words = f"the parser failed, which is a defect of its own ({error!r}); the program is safe"
        return ParseError(words, source, (0, min(1, len(source))))
