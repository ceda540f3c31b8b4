"""A list of completions for the word at the cursor, with their meanings."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import App
from textual.content import Content
from textual.css.query import NoMatches
from textual.events import Click, Key
from textual.geometry import Offset
from textual.widgets import Static

from esolangs.editing import Completions, Editing
from esoplay.tui.editor.search import SelectionEditor

MAX_ROWS = 8
"""Maximum number of visible completions."""

_MIN_TYPED = 2
"""Minimum length of a word whose completions are offered before the user requests them."""
_MAX_ITEM_COLUMNS = 60


class CompletionList(Static):
    """Draws the completions; the editor keeps the focus and forwards keys to the list."""

    DEFAULT_CSS = """
    CompletionList {
        overlay: screen;
        constrain: inside inside;
        display: none;
        width: auto;
        height: auto;
        background: $panel;
        color: $text;
        &.-shown { display: block; }
    }
    """
    app: App[None]

    def __init__(self, choose: Callable[[int], None]) -> None:
        """Create a list. choose: called with the index of an item that was clicked."""
        super().__init__(markup=False)
        self.top = 0
        self._choose = choose

    def show(self, completion: Completions, selected: int, *, requested: bool) -> None:
        """Show the list, with a mark at the completion whose index is ``selected``.

        requested: whether the user opened the list, so that Enter inserts an item.
        """
        self.top = min(max(self.top, selected - MAX_ROWS + 1), selected)
        shown = completion.items[self.top : self.top + MAX_ROWS]
        widest = min(_MAX_ITEM_COLUMNS, max(len(item.text) for item in shown))
        lines = [
            Content.assemble(
                ("▸ " if number == selected else "  ", "bold $accent"),
                (f"{item.text[:widest]:<{widest}}", "bold" if number == selected else ""),
                (f"  {item.words} ", "$quiet"),
            )
            for number, item in enumerate(shown, self.top)
        ]
        keys = "Enter or Tab inserts it" if requested else "Tab inserts it, ^Space then ↑↓ selects"
        lines.append(
            Content.styled(f"  {selected + 1}/{len(completion.items)}  {keys}", "$quiet italic")
        )
        self.update(Content("\n").join(lines))
        self.add_class("-shown")

    def on_click(self, event: Click) -> None:
        event.stop()
        self._choose(self.top + event.y)


class Completer:
    """Offers completions; Enter and arrow keys choose one only if the user opened the list."""

    def __init__(self, editor: SelectionEditor) -> None:
        self._editor = editor
        self._completions: Completions | None = None
        self._selected = 0
        self._requested = False

    def offer(self, *, requested: bool = False) -> None:
        """Show the completions of the word at the cursor; close the list if none are found.

        requested: whether the user requested completions.
        """
        editor = self._editor
        self._completions = None
        if (
            editor.selection.is_empty
            and not editor.read_only
            and (requested or self._at_end_of_word)
        ):
            offset = editor.document.to_offset(editor.cursor_location)
            self._completions = editor.editing.completions(editor.source, offset)
            if (
                self._completions is not None
                and not requested
                and offset - self._completions.start < _MIN_TYPED
            ):
                self._completions = None
        self._selected, self._requested = 0, requested
        self._show()

    def offer_at_end_of_word(self) -> bool:
        """Offer completions, or insert the only one; return False if nothing can be completed."""
        if not self._at_end_of_word or not self._supports_completion:
            return False
        self.offer(requested=True)
        if self._completions is not None and len(self._completions.items) == 1:
            self.accept()
            return True
        return self._completions is not None

    def handle_key(self, event: Key) -> bool:
        """Handle a key if the list is open; return whether it was handled."""
        if self._completions is None:
            return False
        key = event.key
        if key == "escape":
            self.close()
        elif key == "tab" or (self._requested and key == "enter"):
            self.accept()
        elif self._requested and key in ("up", "down"):
            direction = 1 if key == "down" else -1
            self._selected = (self._selected + direction) % len(self._completions.items)
            self._show()
        elif (
            self._requested and event.is_printable and event.character and event.character.isalpha()
        ):
            self._editor.type(event.character)
            self.offer(requested=True)
        elif key == "backspace":
            was_requested = self._requested
            self._editor.action_delete_left()
            self.offer(requested=was_requested)
        elif key in ("ctrl+@", "ctrl+space"):
            self._requested = True
            self._show()
        else:
            self.close()
            return False
        return True

    def choose(self, index: int) -> None:
        """Insert the completion at ``index`` of the list."""
        if self._completions is not None and index < len(self._completions.items):
            self._selected = index
            self.accept()

    def accept(self) -> None:
        """Replace the typed part of the word with the selected item, as one edit."""
        found, editor = self._completions, self._editor
        if found is None:
            return
        start = editor.document.to_location(found.start)
        end = editor.cursor_location
        text = found.items[self._selected].text
        self.close()
        editor.history.checkpoint()
        editor.replace(text, start, end, maintain_selection_offset=False)
        editor.history.checkpoint()

    def close(self) -> None:
        """Close the list."""
        self._completions = None
        self._show()

    @property
    def _supports_completion(self) -> bool:
        return type(self._editor.editing).completions is not Editing.completions

    @property
    def _at_end_of_word(self) -> bool:
        row, column = self._editor.cursor_location
        line = self._editor.document.get_line(row)
        return column > 0 and line[column - 1].isalpha() and not line[column : column + 1].isalpha()

    def _show(self) -> None:
        if not self._editor.is_mounted:
            return
        try:
            popup = self._editor.screen.query_one(CompletionList)
        except NoMatches:
            return
        if self._completions is None:
            popup.remove_class("-shown")
            return
        start = self._editor.document.to_location(self._completions.start)
        word_columns = self._editor.cursor_location[1] - start[1]
        cursor = self._editor.cursor_screen_offset
        x = cursor.x - (word_columns if start[0] == self._editor.cursor_location[0] else 0) - 2
        below = cursor.y + 1 + MAX_ROWS + 1 <= self._editor.screen.size.height
        height = min(MAX_ROWS, len(self._completions.items)) + 1
        y = cursor.y + 1 if below else cursor.y - height
        popup.absolute_offset = Offset(max(0, x), max(0, y))
        popup.show(self._completions, self._selected, requested=self._requested)
