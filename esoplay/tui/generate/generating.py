"""Keeps a program made of the source in hand while it is typed, in a thread beside the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from esoplay.tui.desk import Desk
from esoplay.tui.editor.pane import EditorPane
from esoplay.tui.generate.pane import GeneratedPane

if TYPE_CHECKING:
    from esolangs.errors import ParseError
    from esoplay.service.generating import GeneratedProgram
    from esoplay.tui.buffers import Buffer
    from esoplay.tui.generate.making import Made, Wanted


class Generating:
    """What is made of the source in hand: the last program, and what is wrong since."""

    def __init__(
        self,
        desk: Desk,
        program: EditorPane,
        pane: GeneratedPane,
        generated: Callable[[], None],
    ) -> None:
        """``generated`` is called after each attempt to make a program."""
        self._desk = desk
        self._editor_pane = program
        self._pane = pane
        self._generated = generated
        self._buffer: Buffer | None = None
        self._made: Made | None = None
        self._program: GeneratedProgram | None = None
        self._working = False
        self._waiting: list[Callable[[], object]] = []

    @property
    def active(self) -> bool:
        """The buffer in hand is a source."""
        buffer = self._desk.buffer
        return buffer is not None and buffer.is_source

    @property
    def program(self) -> GeneratedProgram | None:
        """The last program that could be made in the language in use."""
        program = self._program
        same = program is not None and program.language == self._desk.language_id
        return program if self.active and same else None

    @property
    def runnable(self) -> bytes:
        """The program as it stands; of a source the last one that was made of it."""
        if not self.active:
            return self._editor_pane.source
        made = self.program
        return b"" if made is None else made.source

    @property
    def error(self) -> ParseError | None:
        """Why the text as it stands gives no program, as far as that is known."""
        made = self._made
        return made.error if made is not None and made.wanted == self._wanted else None

    @property
    def is_current(self) -> bool:
        """What is known is about the text and the language as they stand."""
        return self._made is not None and self._made.wanted == self._wanted

    def begin(self) -> None:
        """Another buffer is in hand."""
        buffer = self._desk.buffer
        if buffer is not self._buffer:
            self._buffer = buffer
            self._made = self._program = None
            self._waiting.clear()
            self._pane.forget()
        if self.active:
            self.follow()

    def typed(self) -> None:
        """The text is another one: what was made is of an older one until keys rest."""
        if self.active:
            self._show()

    def follow(self, then: Callable[[], object] | None = None) -> None:
        """Make a program of the text as it stands; ``then`` is called once that is tried."""
        if self.is_current and not self._working:
            self._show()
            if then is not None:
                then()
            return
        if then is not None:
            self._waiting.append(then)
        if not self._working:
            self._working = True
            self._editor_pane.run_worker(self._work(), group="generate", exit_on_error=False)
        self._show()

    def show_cursor(self) -> None:
        """Mark in the program what the line at the cursor has made."""
        if self.active:
            self._pane.show_line(self._editor_pane.editor.cursor_location[0] + 1)

    @property
    def _wanted(self) -> Wanted | None:
        from esoplay.tui.generate.making import Wanted

        desk = self._desk
        if desk.buffer is None or not desk.buffer.is_source:
            return None
        return Wanted(self._editor_pane.source, desk.language_id, desk.buffer.path.name)

    async def _work(self) -> None:
        """One thread at a time; what was typed meanwhile comes next."""
        from esoplay.tui.generate.making import make

        try:
            while (wanted := self._wanted) is not None and not self.is_current:
                buffer = self._buffer
                made = await asyncio.to_thread(make, wanted)
                if not self.active:
                    return
                if buffer is not self._buffer:
                    continue
                self._made = made
                if made.program is not None:
                    self._program = made.program
        finally:
            self._working = False
        self._show()
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then()
        self._generated()

    def _show(self) -> None:
        if self.is_current:
            self._editor_pane.show_error(self.error)
        self._pane.show_program(
            self._desk.language_id, self.program, self.error, making=not self.is_current
        )
        self.show_cursor()
