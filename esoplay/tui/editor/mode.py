"""How keys become text: as they are, on a plane, or as blanks by letter."""

from __future__ import annotations

from textual.document._document import Location
from textual.events import Key

from esolangs.editing import Editing
from esoplay.tui.editor.selecting import SelectingEditor


def offers(editing: Editing, action: str) -> bool:
    """Whether an action of the editor is of any use in a language."""
    match action:
        case "path":
            return editing.grid
        case "complete":
            return type(editing).completions is not Editing.completions
        case _:
            return True


class Mode:
    """Typing as everywhere: what is typed is inserted.  Other modes override."""

    words = ""
    """Shown in the frame."""

    def __init__(self, editor: SelectingEditor) -> None:
        self.editor = editor

    @property
    def at(self) -> Location:
        """Where the cursor is seen."""
        return self.editor.cursor_location

    @property
    def extra_rows(self) -> int:
        """Rows below the text that the cursor can reach."""
        return 0

    def key(self, event: Key) -> bool:
        """Act on a key; whether it meant something here."""
        return False

    def paste(self, text: str) -> bool:
        """Take what was pasted; False to have it inserted as it is."""
        return False

    def select_all(self) -> bool:
        """Select everything; False where that is the text from start to end."""
        return False

    def copied(self) -> str | None:
        """What is copied, where that is not the selected text."""
        return None

    def clear(self) -> bool:
        """Take away what is selected; False to have it deleted."""
        return False
