"""What the palette and the keys do with write-once sources."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path

from esoplay.errors import EsoplayError
from esoplay.tui.desk import Desk
from esoplay.tui.dialogs import TextDialog
from esoplay.tui.editor.pane import EditorPane
from esoplay.tui.generate.generating import Generating
from esoplay.tui.generate.writing import place_of, write_beside, write_to
from esoplay.tui.views import Navigation

Command = tuple[str, str, Callable[[], object]]
"""Title, words, and what it does."""


class Sources:
    """Opens sources, and writes the programs that are made of them."""

    def __init__(
        self,
        desk: Desk,
        program: EditorPane,
        generating: Generating,
        navigation: Navigation,
        *,
        ready_to_leave: Callable[[], Awaitable[bool]],
        retargeted: Callable[[], None],
    ) -> None:
        """``ready_to_leave`` asks about unsaved changes.  ``retargeted`` is called when programs
        are made in another language.
        """
        self._desk = desk
        self._program = program
        self._generating = generating
        self._navigation = navigation
        self._ready_to_leave = ready_to_leave
        self._retargeted = retargeted

    @property
    def active(self) -> bool:
        """The buffer in hand is a source."""
        return self._generating.active

    def commands(self) -> Iterator[Command]:
        """What the palette offers about sources for what is in hand."""
        desk = self._desk
        if desk.problem is not None and desk.lesson is None and self._is_own:
            if self.active:
                words = "Leave the source, and go back to the program"
                yield f"Write in {desk.language_id}", words, partial(self.write_once, False)
            else:
                words = "One source in Python for all languages: write once"
                yield "New source", words, partial(self.write_once, True)
        elif desk.lesson is None:
            yield "New source…", "A file that programs are made of", self.ask_source
        if self.active:
            words = "What was made of the source, with its map"
            yield "Write the program to…", words, self.ask_program_file

    @property
    def _is_own(self) -> bool:
        """The text in hand belongs to a problem, and is no file of the user's."""
        buffer = self._desk.buffer
        return buffer is not None and buffer.problem_id is not None

    async def write_once(self, on: bool) -> None:
        """Solve problems by a source for all languages, or again by programs."""
        problem = self._desk.problem
        if problem is None:
            return
        self._navigation.leave()
        try:
            self._desk.write_once(on)
        except EsoplayError as error:
            self._program.notify(str(error), severity="warning")
            return
        await self._navigation.take_up(self._desk.open_problem(problem))
        self._navigation.show_view("edit")

    def ask_source(self) -> None:
        """Ask for the file of a source, and open it."""

        async def answered(text: str | None) -> None:
            if text:
                await self.open_source(Path(text))

        words = "A file whose name ends with .py; if there is none, it begins with a template."
        self._program.app.push_screen(TextDialog("New source", words, "source.py"), answered)

    async def open_source(self, path: Path) -> None:
        """Work on a source of the user's; what was in hand is kept."""
        if not await self._ready_to_leave():
            return
        try:
            opened = self._desk.open_source(path)
        except EsoplayError as error:
            self._program.notify(str(error), severity="error")
            return
        await self._navigation.take_up(opened)
        self._navigation.show_view("edit")

    def retarget(self, language_id: str) -> None:
        """Make programs in another language of the source in hand."""
        try:
            self._desk.retarget(language_id)
        except EsoplayError as error:
            self._program.notify(str(error), severity="warning")
            return
        self._retargeted()

    def save_program(self) -> None:
        """Write the program and its map beside the source, once it is made."""
        self._generating.follow(self._save_program)

    def _save_program(self) -> None:
        buffer, program, pane = self._desk.buffer, self._generating.program, self._program
        if buffer is None or program is None or self._generating.error is not None:
            name = "" if buffer is None else buffer.path.name
            pane.notify(f"Saved {name}; no program: the source is wrong")
            return
        try:
            path = write_beside(buffer.path, program)
        except EsoplayError as error:
            words = f"Saved {buffer.path.name}, but {error}; ^p “Write the program to…”"
            pane.notify(words, severity="warning")
            return
        pane.notify(f"Saved {buffer.path.name}, {path.name} and its map")

    def ask_program_file(self) -> None:
        """Ask where the program is to go, and write it there with its map."""
        buffer, program, pane = self._desk.buffer, self._generating.program, self._program
        if buffer is None or program is None:
            pane.notify("No program was made of the source yet.", severity="warning")
            return

        def answered(text: str | None) -> None:
            if not text:
                return
            path = Path(text).expanduser()
            try:
                write_to(path, program)
            except EsoplayError as error:
                pane.notify(str(error), severity="error")
            else:
                pane.notify(f"Written: {path} and its map")

        words = "The program goes there, its map beside it. What is there is written over."
        place = str(place_of(buffer.path, program))
        pane.app.push_screen(TextDialog("Write the program", words, place), answered)
