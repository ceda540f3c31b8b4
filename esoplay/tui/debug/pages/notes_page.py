"""The notebook: moments that the user had something to say about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from textual.binding import BindingType
from textual.message import Message

from esoplay.debugging.notebook import Note
from esoplay.tui.debug.canvas import Piece
from esoplay.tui.debug.pages.list_page import LIST_ACTIONS, ListPage
from esoplay.tui.debug.visible import PICTURED_TEXT, grouped
from esoplay.tui.keys import Action, bindings


class NotesPage(ListPage):
    """Enter goes to a note's moment, ``E`` gives it other words, Delete removes it."""

    NAME = "notes"
    WORDS = "the notebook"
    ACTIONS = (*LIST_ACTIONS, "note")
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "notes",
        Action("notes.edit", "ask('edit')", "Edit the note"),
        Action("notes.delete", "ask('delete')", "Delete the note"),
    )

    class Asked(Message):
        """Go to a note's moment, give the note other words, or delete it."""

        def __init__(self, note: Note, what: Literal["show", "edit", "delete"]) -> None:
            super().__init__()
            self.note = note
            self.what: Literal["show", "edit", "delete"] = what

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._notes: tuple[Note, ...] = ()

    def show_notes(self, notes: tuple[Note, ...]) -> None:
        """Show these notes, in order of their steps."""
        if notes == self._notes:
            return
        self._notes = notes
        self.select(self.selected)

    def item_count(self) -> int:
        return len(self._notes)

    def item(self, index: int) -> Sequence[Piece]:
        note, palette = self._notes[index], self.palette
        words = note.words.translate(PICTURED_TEXT)
        seen = f"{note.instruction}  {note.next}" if note.instruction else note.next
        return [
            Piece(f"@{grouped(note.step)}  {note.place}  ", palette.faint),
            Piece(f"{words}  " if words else "", palette.base),
            Piece(seen.translate(PICTURED_TEXT), palette.faint),
        ]

    def nothing(self) -> str:
        return "no notes: a adds one about this moment, :export FILE writes them down"

    def choose(self) -> None:
        self.action_ask("show")

    def action_ask(self, what: Literal["show", "edit", "delete"]) -> None:
        """Pass on what is to be done with the selected note."""
        if self._notes:
            self.post_message(self.Asked(self._notes[self.selected], what))
