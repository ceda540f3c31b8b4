"""The two ways in which programs of a language are typed; Insert changes between them.

A language with a way of its own, a grid or letters for blanks, begins with that and can be typed
as usual; in any other what is typed is inserted at first, or else written over what is there.
"""

from __future__ import annotations

from textual.document._document import Selection
from textual.events import Key

from esoplay.tui.editor.blanks_entry import BlanksMode
from esoplay.tui.editor.grid import GridMode
from esoplay.tui.editor.mode import Mode
from esoplay.tui.editor.selecting import SelectingEditor


class OverwriteMode(Mode):
    """What is typed takes the place of what is there, up to the end of the line."""

    words = "overwrites"

    def key(self, event: Key) -> bool:
        editor, character = self.editor, event.character
        if editor.read_only or not event.is_printable or not character:
            return False
        row, column = editor.cursor_location
        if editor.selection.is_empty and column < len(editor.document.get_line(row)):
            editor.selection = Selection((row, column), (row, column + 1))
        editor.type(character)
        return True


def way_of_typing(editor: SelectingEditor, *, other: bool) -> Mode:
    """The way that a language begins with, or the other one."""
    if editor.editing.grid:
        return Mode(editor) if other else GridMode(editor)
    if editor.editing.letters:
        return Mode(editor) if other else BlanksMode(editor)
    return OverwriteMode(editor) if other else Mode(editor)
