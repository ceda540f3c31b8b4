"""Typing blanks by letter, where blanks are the instructions."""

from __future__ import annotations

from textual.document._document import Location
from textual.events import Key

from esoplay.tui.dialogs import Choice, ChoiceDialog
from esoplay.tui.editor.codec import to_bytes, to_text
from esoplay.tui.editor.mode import Mode
from esoplay.tui.editor.selecting import SelectingEditor

BEGINS_COMMENT = "#"


class BlanksMode(Mode):
    """The letters enter blanks, and so do the keys of the blanks.

    ``#`` begins a comment, in which letters are letters and no blank is an instruction, until
    Enter or until the cursor goes elsewhere.
    """

    def __init__(self, editor: SelectingEditor) -> None:
        super().__init__(editor)
        self._comment: Location | None = None

    @property
    def words(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        if self._in_comment:
            return "comment, Enter ends it"
        return " ".join(letter.upper() for letter in self.editor.editing.letters)

    @property
    def _in_comment(self) -> bool:
        return self._comment is not None and self._comment == self.editor.cursor_location

    def key(self, event: Key) -> bool:
        character = event.character
        if self.editor.read_only:
            return False
        if self._in_comment:
            if event.key == "enter":
                self._comment = None
                self.editor.look()
                return True
            if event.key == "backspace":
                self.editor.action_delete_left()
            elif event.is_printable and character:
                blank = self.editor.editing.comment_blank
                self.editor.type(blank if character == " " else character)
            else:
                return False
            self._comment = self.editor.cursor_location
            return True
        blank = self.editor.editing.letters.get((character or "").lower())
        if blank is not None:
            self.editor.type(blank)
            return True
        if character == BEGINS_COMMENT:
            self.editor.type(character)
            self._comment = self.editor.cursor_location
            return True
        return False

    def paste(self, text: str) -> bool:
        """Letters and layout become blanks; where a comment stands between them, it is asked."""
        shown = self.editor.editing.from_visible(to_bytes(text))
        if shown is None:
            return False
        if shown.certain:
            self.editor.insert_exactly(to_text(shown.source))
            return True

        def answered(answer: str | None) -> None:
            if answer is not None:
                self.editor.insert_exactly(to_text(shown.source) if answer == "letters" else text)

        letters = " ".join(letter.upper() for letter in self.editor.editing.letters)
        self.editor.app.push_screen(
            ChoiceDialog(
                "What was pasted?",
                f"It holds the letters {letters} among other text.",
                (
                    Choice(
                        "letters", "l", "Letters", f"they are blanks: {len(shown.source):,} bytes"
                    ),
                    Choice("raw", "r", "Raw", "take every byte as it is"),
                ),
            ),
            answered,
        )
        return True
