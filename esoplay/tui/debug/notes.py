"""The notebook of the program that is open: notes about moments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from esoplay.debugging.notebook import Note, Notebook, notebook_of, take_note
from esoplay.tui.debug.pages.notes_page import NotesPage
from esoplay.tui.debug.prompt import Ask
from esoplay.tui.debug.target import DebugTarget
from esoplay.tui.debug.time_travel import TimeTravel
from esoplay.tui.debug.visible import grouped


class Notes:
    """Adds, edits and deletes notes, and shows them."""

    def __init__(
        self,
        time: TimeTravel,
        pages: tuple[NotesPage, NotesPage],
        folder: Callable[[], Path | None],
        ask: Ask,
        open_page: Callable[[str], None],
    ) -> None:
        """Take notes of the program in ``time``.

        pages: the one with a tab, and the list at the side.  folder: where notebooks are saved;
        None only keeps them for now.
        """
        self._time = time
        self._pages = pages
        self._folder = folder
        self._ask = ask
        self._open_page = open_page
        self._edited: int | None = None
        """The note that is given other words; None for a new one."""

    def show(self) -> None:
        """Show the notes on the program that is open."""
        target = self._time.target
        if target is not None:
            for page in self._pages:
                page.show_notes(self._notebook(target).notes)

    def steps(self) -> tuple[int, ...]:
        """The steps that there are notes of."""
        target = self._time.target
        return () if target is None else tuple(each.step for each in self._notebook(target).notes)

    def ask_for_words(self, note: Note | None = None) -> None:
        """Let the words of a note be typed; None for a new one."""
        if self._time.target is not None:
            self._edited = None if note is None else note.id
            self._ask("note", "" if note is None else note.words)

    def typed(self, words: str) -> None:
        """Add a note of this moment, or give the one that is edited other words."""
        edited, self._edited = self._edited, None

        def keep(target: DebugTarget) -> str:
            notebook = self._notebook(target)
            if edited is not None:
                return f"note of step {grouped(notebook.change(edited, words).step)} changed"
            note = notebook.add(take_note(target.debugger, words, target.cell))
            if not self._pages[1].display:
                self._open_page("notes")
            return f"note of step {grouped(note.step)} kept; A lists them"

        self._time.change(keep)

    def asked(self, note: Note, what: Literal["show", "edit", "delete"]) -> None:
        """Do what was asked for in the list."""
        if what == "show":
            self._time.seek(note.step)
        elif what == "edit":
            self.ask_for_words(note)
        else:

            def delete(target: DebugTarget) -> str:
                self._notebook(target).delete(note.id)
                return f"note of step {grouped(note.step)} deleted"

            self._time.change(delete)

    def _notebook(self, target: DebugTarget) -> Notebook:
        return notebook_of(target.debugger, self._folder())
