"""Keys and clicks of the notebook."""

from __future__ import annotations

from collections.abc import Callable

from textual import on

from esoplay.debugging.notebook import Note, Notebook, notebook_of, take_note
from esoplay.errors import EsoplayError
from esoplay.tui.debug.pages.notes_page import NotesPage
from esoplay.tui.debug.reasons import ReasonControls
from esoplay.tui.debug.target import Driver
from esoplay.tui.debug.visible import grouped


class NoteControls(ReasonControls):
    """Notes of moments; ``notes_folder`` is where they are kept, None only keeps them for now."""

    _edited: int | None = None
    """The note that is given other words; None for a new one."""

    def show_notes(self) -> None:
        """Show the notes on the program that is open."""
        driver = self.navigator.driver
        if driver is not None:
            for page in (self.parts.notes, self.parts.side_notes):
                page.show_notes(self._notebook(driver).notes)

    def noted_steps(self) -> tuple[int, ...]:
        """The steps that there are notes of."""
        driver = self.navigator.driver
        return () if driver is None else tuple(each.step for each in self._notebook(driver).notes)

    def action_note(self) -> None:
        if self.navigator.driver is not None:
            self._ask_for_words(None)

    def action_notes(self) -> None:
        side = self.parts.side_notes
        if side.display and not self.parts.zoomed:
            side.focus()
        else:
            self.parts.bring_page("notes")
            self.parts.notes.focus()

    def typed_note(self, words: str) -> None:
        """Keep a note of this moment, or give the one that is edited other words."""
        edited, self._edited = self._edited, None

        def keep(driver: Driver, notebook: Notebook) -> str:
            if edited is not None:
                return f"note of step {grouped(notebook.change(edited, words).step)} changed"
            note = notebook.add(take_note(driver.debugger, words, driver.cell))
            if not self.parts.side_notes.display:
                self.parts.open_page("notes")
            return f"note of step {grouped(note.step)} kept; A lists them"

        self._with_notes(keep)

    @on(NotesPage.Asked)
    def _note_asked(self, event: NotesPage.Asked) -> None:
        note: Note = event.note
        if event.what == "show":
            self.go(lambda driver: driver.seek(note.step))
        elif event.what == "edit":
            self._ask_for_words(note)
        else:

            def delete(_driver: Driver, notebook: Notebook) -> str:
                notebook.delete(note.id)
                return f"note of step {grouped(note.step)} deleted"

            self._with_notes(delete)

    def _ask_for_words(self, note: Note | None) -> None:
        self._edited = None if note is None else note.id
        self.parts.prompt.ask("note", "" if note is None else note.words)
        self.parts.hints.display = False

    def _notebook(self, driver: Driver) -> Notebook:
        return notebook_of(driver.debugger, self.notes_folder)

    def _with_notes(self, change: Callable[[Driver, Notebook], str]) -> None:
        """Do something with the notebook as soon as nobody else uses the debugger, and say it."""
        driver = self.navigator.driver
        if driver is None:
            return

        def do() -> None:
            try:
                self.navigator.notice = change(driver, self._notebook(driver))
            except EsoplayError as error:
                self.navigator.notice = str(error)
            self.navigator.refresh()

        self.navigator.when_free(do)
