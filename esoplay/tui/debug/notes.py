"""The notebook of the open program: notes on steps, and the page that lists them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, Literal

from textual.binding import BindingType
from textual.message import Message

from esoplay.debugging.notebook import Note, Notebook, make_note, shared_notebook
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES, format_int
from esoplay.tui.debug.canvas import StyledText
from esoplay.tui.debug.list_page import LIST_ACTIONS, ListPage
from esoplay.tui.debug.prompt import PromptOpener
from esoplay.tui.debug.target import DebugTarget
from esoplay.tui.debug.time_travel import TimeTravel
from esoplay.tui.keys import Action, bindings

# The notebook page


class NotesPage(ListPage):
    """The notes on a program: Enter moves to a note's step, ``E`` edits it, Delete removes it."""

    NAME = "notes"
    LABEL = "the notebook"
    ACTIONS = (*LIST_ACTIONS, "note")
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "notes",
        Action("notes.edit", "ask('edit')", "Edit the note"),
        Action("notes.delete", "ask('delete')", "Delete the note"),
    )

    class Requested(Message):
        """A request to move to a note's step, or to edit or delete the note."""

        def __init__(self, note: Note, action: Literal["show", "edit", "delete"]) -> None:
            super().__init__()
            self.note = note
            self.action: Literal["show", "edit", "delete"] = action

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._notes: tuple[Note, ...] = ()

    def show_notes(self, notes: tuple[Note, ...]) -> None:
        """Show these notes, sorted by step."""
        if notes == self._notes:
            return
        self._notes = notes
        self.select(self.selected)

    def item_count(self) -> int:
        return len(self._notes)

    def item(self, index: int) -> Sequence[StyledText]:
        note, palette = self._notes[index], self.palette
        text = note.words.translate(CONTROL_PICTURES)
        context = f"{note.instruction}  {note.next}" if note.instruction else note.next
        return [
            StyledText(f"@{format_int(note.step)}  {note.place}  ", palette.faint),
            StyledText(f"{text}  " if text else "", palette.base),
            StyledText(context.translate(CONTROL_PICTURES), palette.faint),
        ]

    def empty_text(self) -> str:
        return "no notes: press a to add one on this step; :export FILE exports notes"

    def choose(self) -> None:
        self.action_ask("show")

    def action_ask(self, action: Literal["show", "edit", "delete"]) -> None:
        """Ask the app to go to the selected note's step, or to edit or delete the note."""
        if self._notes:
            self.post_message(self.Requested(self._notes[self.selected], action))


class NoteEditor:
    """Adds, edits and deletes notes, and shows them."""

    def __init__(
        self,
        time_travel: TimeTravel,
        pages: tuple[NotesPage, NotesPage],
        folder: Callable[[], Path | None],
        ask: PromptOpener,
        open_page: Callable[[str], None],
    ) -> None:
        """Manage the notes of the program in ``time_travel``.

        pages: the page with a tab, and the list at the side. folder: returns the folder for
        notebooks; None if notes are not saved. ask: opens a prompt. open_page: opens a page by
        name.
        """
        self._time = time_travel
        self._pages = pages
        self._folder = folder
        self._ask = ask
        self._open_page = open_page
        self._edited_id: int | None = None
        """The id of the note that is edited; None for a new note."""

    def show(self) -> None:
        """Show the notes of the open program."""
        target = self._time.target
        if target is not None:
            for page in self._pages:
                page.show_notes(self._notebook(target).notes)

    def steps(self) -> tuple[int, ...]:
        """Return the steps that have notes."""
        target = self._time.target
        return () if target is None else tuple(each.step for each in self._notebook(target).notes)

    def prompt_for_text(self, note: Note | None = None) -> None:
        """Prompt for the text of a note; None for a new note."""
        if self._time.target is not None:
            self._edited_id = None if note is None else note.id
            self._ask("note", "" if note is None else note.words)

    def submit(self, text: str) -> None:
        """Add a note on the current step, or change the text of the edited note."""
        edited_id, self._edited_id = self._edited_id, None

        def save(target: DebugTarget) -> str:
            notebook = self._notebook(target)
            if edited_id is not None:
                return f"note on step {format_int(notebook.change(edited_id, text).step)} changed"
            note = notebook.add(make_note(target.debugger, text, target.cell))
            if not self._pages[1].display:
                self._open_page("notes")
            return f"note on step {format_int(note.step)} saved; A lists the notes"

        self._time.apply_edit(save)

    def handle_request(self, note: Note, action: Literal["show", "edit", "delete"]) -> None:
        """Handle a request from the list of notes."""
        if action == "show":
            self._time.seek(note.step)
        elif action == "edit":
            self.prompt_for_text(note)
        else:

            def delete(target: DebugTarget) -> str:
                self._notebook(target).delete(note.id)
                return f"note on step {format_int(note.step)} deleted"

            self._time.apply_edit(delete)

    def _notebook(self, target: DebugTarget) -> Notebook:
        return shared_notebook(target.debugger, self._folder())
