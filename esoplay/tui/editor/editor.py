"""The editor widget: Textual's TextArea with a document of bytes.

TextArea provides cursor, selection, mouse and undo. Other parts are replaced: the document, because
it would change bytes; wrapping and bracket search, because they examine complete lines; and
drawing. A test checks the private parts of Textual on which the editor depends.
"""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.document._document import Location, Selection
from textual.document._document_navigator import DocumentNavigator
from textual.events import Paste
from textual.message import Message
from textual.timer import Timer
from textual.widgets import TextArea

from esolangs.editing import Structure
from esoplay.tui.editor.completion import Completer
from esoplay.tui.editor.document import ByteDocument, CellWrapping, to_bytes, to_text
from esoplay.tui.editor.drawing import StyledRange
from esoplay.tui.editor.modes import GridMode, TypingMode, mode_for, supports_action
from esoplay.tui.editor.search import SelectionEditor, parse_location
from esoplay.tui.highlight import Highlighter, find_editing, is_whitespace_code
from esoplay.tui.keys import Action, bindings
from esoplay.tui.terminal import BytesPaste, pasted_bytes

# Copy and paste: readable text for other programs, exact bytes between editors


class Clipboard:
    """A clipboard with the exact copied text, in addition to the terminal's clipboard."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._last_copy: tuple[str, str] | None = (
            None  # the text for other programs, and the exact text
        )

    def copy(self) -> None:
        """Copy the selection, if any."""
        editor = self._editor
        selected = editor.mode.copied_text() or editor.selected_text
        if selected:
            text = to_bytes(selected).decode("utf-8", "replace")
            self._last_copy = (text, selected)
            editor.app.copy_to_clipboard(text)

    def cut(self) -> None:
        """Cut the selection, or else the line; in read-only text, copy instead."""
        editor = self._editor
        if editor.mode.copied_text() is not None:
            self.copy()
            if not editor.read_only:
                editor.mode.clear()
            return
        if editor.selection.is_empty:
            editor.action_select_line()
        self.copy()
        if not editor.read_only:
            editor.delete(*editor.selection)

    def paste(self) -> None:
        """Paste the text that was last copied in esoplay."""
        text = self._editor.app.clipboard
        if self._last_copy is not None and text == self._last_copy[0]:
            self._insert(self._last_copy[1], is_own_copy=True)
        else:
            self._insert(to_text(pasted_bytes(text.encode("utf-8", "surrogatepass"))))

    def paste_from_terminal(self, event: Paste) -> None:
        """Paste text from the terminal's clipboard."""
        if isinstance(event, BytesPaste):
            data = event.data
        else:
            data = event.text.encode("utf-8", "replace")
        self._insert(to_text(pasted_bytes(data)))

    def _insert(self, text: str, *, is_own_copy: bool = False) -> None:
        """Insert text. is_own_copy: the text was copied in this editor and needs no conversion."""
        editor = self._editor
        editor.completer.close()
        if editor.read_only:
            return
        if (is_own_copy and not isinstance(editor.mode, GridMode)) or not editor.mode.paste(text):
            editor.insert_exactly(text)


MAX_EDITABLE_BYTES = 1 << 20
"""Maximum size in bytes of programs that can be edited."""

LONG_LINE = 20_000
"""Maximum length of a line, in characters, above which a warning offers to break lines."""

LARGE_BYTES = 100_000
"""Minimum size, in bytes, of programs whose structure is examined only when typing pauses."""

PAUSE_SECONDS = 0.15
"""Seconds without a key that count as a pause."""


class Editor(SelectionEditor):
    """Edits a program; :attr:`source` is always exactly the bytes to save."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "editor",
        Action("editor.leave", "leave", "Leave", in_footer=True, tip="Leave the editor"),
        Action("editor.tab", "insert_tab", "Tab"),
        Action("editor.undo", "undo", "Undo"),
        Action("editor.redo", "redo", "Redo"),
        Action("editor.cut", "cut", "Cut the selection, or the line"),
        Action("editor.copy", "copy", "Copy"),
        Action("editor.paste", "paste", "Paste"),
        Action("editor.line", "select_line", "Select the line"),
        Action("editor.all", "select_all", "Select all"),
        Action("editor.first", "text_end(False)", "First line"),
        Action("editor.last", "text_end(True)", "Last line"),
        Action("editor.find", "find", "Find, replace"),
        Action("editor.find_next", "find_next(1)", "Next match"),
        Action("editor.find_previous", "find_next(-1)", "Previous match"),
        Action("editor.go_to", "go_to", "Go to a line"),
        Action("editor.partner", "partner", "Go to the matching bracket, argument or scene"),
        Action("editor.complete", "complete", "Complete"),
        Action("editor.mode", "mode", "Typing mode"),
        Action("editor.path", "path", "Show the IP's path"),
    )

    class LeaveRequested(Message):
        """The user pressed the key that leaves the editor."""

    class ContextUpdated(Message):
        """:attr:`structure`, which describes the code at the cursor, has been updated."""

    class ModeChosen(Message):
        """The user switched the typing mode of this language."""

    class GoToRequested(Message):
        """The user requested to go to a line."""

    def __init__(self, *, id: str | None = None) -> None:
        self.structure: Structure | None = None
        self.shows_path = False
        self.changed_mode_languages: set[str] = set()
        self._language_id = ""
        self._structure_timer: Timer | None = None
        self._start_location: Location | None = None
        self.mode = TypingMode(self)
        self.completer = Completer(self)
        self.clipboard = Clipboard(self)
        super().__init__(id=id)

    # Contents

    def load(self, source: bytes, language_id: str, *, wrap: bool | None = None) -> None:
        """Show another program, with an empty undo history."""
        self.editing = find_editing(language_id)
        self._language_id = language_id
        self.completer.close()
        self._highlighter = Highlighter(language_id)
        self._shows_whitespace = is_whitespace_code(language_id)
        self._error = None
        self._start_location = None
        self.read_only = len(source) > MAX_EDITABLE_BYTES
        self.set_reactive(TextArea.soft_wrap, self.editing.wraps if wrap is None else wrap)
        self.history.clear()
        self._use_document(ByteDocument(source))
        self._choose_mode()

    def replace_source(self, source: bytes) -> None:
        """Replace the bytes as one edit that can be undone; the cursor stays near its position."""
        cursor = self.cursor_location
        self.history.checkpoint()
        self.replace(to_text(source), self.document.start, self.document.end)
        self.history.checkpoint()
        self.move_cursor(self.clamp_visitable(cursor))

    def show_error(self, span: tuple[int, int] | None) -> None:
        """Mark the bytes of a parse error; None removes the mark."""
        document = self.document
        self._error = span and (
            document.to_location(span[0]),
            document.to_location(max(span[1], span[0] + 1)),
        )
        self.refresh()

    def go_to_offset(self, offset: int) -> None:
        """Move the cursor to the byte at ``offset``."""
        self.move_cursor(self.document.to_location(offset), center=True)

    def start_at(self, offset: int) -> None:
        """Move the cursor to a byte of the program that was loaded, and show the rows below it.

        If the byte is in the first row, the cursor remains at the start of the text.
        """
        location = self.document.to_location(offset)
        self._start_location = location if location[0] else None
        if self._start_location is not None:
            self.move_cursor(location)
            self.show_start_location()

    def show_start_location(self) -> None:
        """Show the rows below the cursor, unless it has moved since :meth:`start_at`."""
        if self._start_location is not None:
            self.call_after_refresh(self._show_rows_below)

    def _show_rows_below(self) -> None:
        """If not all rows fit, scroll so that the cursor is in the third row."""
        if self._start_location != self.cursor_location:
            self._start_location = None
            return
        row = self.wrapped_document.location_to_offset(self.cursor_location).y
        if self.wrapped_document.height > self.size.height:
            self.scroll_to(y=max(0, row - 2), animate=False, force=True)

    def go_to_typed_location(self, text: str) -> bool:
        """Go to line ``12``, position ``12:5`` or offset ``@120``; return False for other text."""
        location = parse_location(text, self.document.line_count, len(self.source))
        if location is None:
            return False
        if isinstance(location, int):
            self.go_to_offset(location)
        else:
            self.move_cursor(self.clamp_visitable(location), center=True)
        return True

    @property
    def longest_line(self) -> int:
        """The number of characters in the longest line."""
        return max(map(len, self.document.lines))

    def reflow(self, width: int = 80) -> None:
        """Break long lines without changing the program, in languages that allow it."""
        source = self.editing.reflow(self.source, width)
        if source is not None:
            self.replace_source(source)

    # Modes

    def _choose_mode(self) -> None:
        self.mode = mode_for(self, is_alternative=self._language_id in self.changed_mode_languages)
        self._refresh_size()
        self.update_structure()

    def action_mode(self) -> None:
        """Switch between the two typing modes of the language; see :func:`mode_for`."""
        self.changed_mode_languages ^= {self._language_id}
        self._choose_mode()
        self.refresh()
        self.post_message(self.ModeChosen())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return supports_action(self.editing, action)

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Return whether a key types text; include slash and backslash, which Textual omits."""
        text = {"backslash": "\\", "slash": "/"}.get(key, character)
        return super().check_consume_key(key, text)

    def toggle_follows_arrows(self) -> None:
        """Toggle whether typed arrows change the direction of typing."""
        if isinstance(self.mode, GridMode):
            self.mode.follows_arrows = not self.mode.follows_arrows

    @property
    def drawn_cursor(self) -> Location:
        return self.mode.position

    @property
    def extra_rows(self) -> int:
        return self.mode.extra_rows

    @property
    def selects_cells(self) -> bool:
        return isinstance(self.mode, GridMode)

    def selected_columns(self, line: int) -> tuple[int, int] | None:
        if isinstance(self.mode, GridMode):
            return self.mode.selected_columns(line)
        return super().selected_columns(line)

    # Keys

    async def _on_key(self, event: events.Key) -> None:
        """Handle editing keys in the order in which they were typed.

        Textual inserts characters immediately but looks up bindings later, so a backspace would
        take effect after characters that arrived with it.
        """
        if self.completer.handle_key(event) or self.mode.handle_key(event):
            event.stop()
            event.prevent_default()
            return
        if event.is_printable:
            if event.character and event.character.isalpha():
                self.call_next(self.completer.offer)
            return
        remapped = self.app._keymap  # pyright: ignore[reportPrivateUsage]
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            if binding.id not in remapped:
                event.stop()
                event.prevent_default()
                await self.run_action(binding.action)
                return

    async def _on_mouse_down(self, event: events.MouseDown) -> None:
        """On a plane, move the cursor to the clicked cell, even outside the text."""
        self.completer.close()
        if isinstance(self.mode, GridMode):
            row = event.y + self.scroll_offset.y
            column = event.x - self.gutter_width + self.scroll_offset.x
            if column >= 0:
                self.call_next(self.mode.place_cursor, (min(row, self.document.line_count), column))

    def action_leave(self) -> None:
        self.post_message(self.LeaveRequested())

    def action_insert_tab(self) -> None:
        """Complete the word at the cursor; without a word, insert a tab."""
        if not self.read_only and not self.completer.offer_at_end_of_word():
            self.insert("\t", maintain_selection_offset=False)

    def action_complete(self) -> None:
        """Show the completions of the word at the cursor."""
        if not self.read_only:
            self.completer.offer(requested=True)

    def action_copy(self) -> None:
        self.clipboard.copy()

    def action_select_all(self) -> None:
        if not self.mode.select_all():
            super().action_select_all()

    def action_text_end(self, last: bool) -> None:
        """Move the cursor to the end of the text if ``last``, otherwise to its start."""
        self.move_cursor(self.document.end if last else (0, 0))

    def action_cut(self) -> None:
        self.clipboard.cut()

    def action_paste(self) -> None:
        self.clipboard.paste()

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self.clipboard.paste_from_terminal(event)

    # The context of the cursor

    def find_matching_bracket(self, bracket: str, search_from: Location) -> Location | None:
        if not bracket:
            return None
        return self.document.matching_bracket(search_from, self.editing.brackets)

    @on(TextArea.Changed)
    @on(TextArea.SelectionChanged)
    def update_structure(self) -> None:
        """Find the construct at the cursor; in a large program, only after a pause."""
        if self._structure_timer is not None:
            self._structure_timer.stop()
            self._structure_timer = None
        if len(self.source) < LARGE_BYTES:
            self._update_context()
        else:
            self._structure_timer = self.set_timer(PAUSE_SECONDS, self._update_context)

    def _update_context(self) -> None:
        self.structure = self._structure()
        marks = self.structure.marks if self.structure else ()
        ends = [end for mark in marks for end in (mark.start, mark.end)]
        locations = self.document.to_locations(ends)
        self.paint(
            StyledRange(locations[m.start], locations[m.end], f"editor--{m.role}") for m in marks
        )
        self.post_message(self.ContextUpdated())

    def _structure(self) -> Structure | None:
        offset = self.document.to_offset(self.cursor_location)
        if not self.shows_path or not isinstance(self.mode, GridMode):
            return self.editing.structure(self.source, offset)
        if self.mode.position != self.cursor_location:
            return None
        rows, columns = self.mode.direction
        return self.editing.path(self.source, offset, (columns, rows))

    def action_path(self) -> None:
        """Show or hide the path that an instruction pointer takes from the cursor."""
        if self.editing.grid:
            self.shows_path = not self.shows_path
            self.update_structure()

    def action_partner(self) -> None:
        """Move the cursor to the matching bracket or, without one, to the goal at the cursor.

        The goal depends on the language: for example, the argument of an application in Unlambda,
        or the scene to which a line of Shakespeare jumps.
        """
        if self.matching_bracket_location is not None:
            self.move_cursor(self.matching_bracket_location, center=True)
        elif self.structure is not None and self.structure.goal is not None:
            self.go_to_offset(self.structure.goal)

    def action_go_to(self) -> None:
        self.post_message(self.GoToRequested())

    # Textual's hooks

    def _set_document(self, text: str, language: str | None) -> None:
        self._use_document(ByteDocument(to_bytes(text)))

    def _use_document(self, document: ByteDocument) -> None:
        self._stale = True
        self._matches = None
        self.document = document  # pyright: ignore[reportIncompatibleVariableOverride]
        self.wrapped_document = CellWrapping(  # pyright: ignore[reportIncompatibleVariableOverride]
            document, tab_width=self.indent_width
        )
        self.wrapped_document.fold = self.editing.fold
        self.navigator = DocumentNavigator(self.wrapped_document)
        self.wrapped_document.wrap(self.wrap_width)
        self.selection = Selection()
        self._refresh_size()
        self.scroll_to(0, 0, animate=False)
        self.refresh()

    def _build_highlight_map(self) -> None:
        """Update the highlighting after a change of the text; Textual calls it, also after undo."""
        self._error = None
        self._marks = ()
        self._stale = True
