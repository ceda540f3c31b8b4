"""The editor with its frame: whose program it is, whether it is saved, what is wrong with it."""

from __future__ import annotations

from textual import on
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.events import Click
from textual.widgets import Static, TextArea

from esolangs.editing import Editing
from esolangs.errors import ParseError
from esoplay.tui.buffers import Buffer
from esoplay.tui.dialogs import TextDialog
from esoplay.tui.editor.completion import CompletionList
from esoplay.tui.editor.editor import EDITABLE_BYTES, LONG_LINE, Editor
from esoplay.tui.editor.find_bar import FindBar

_LEAST_WORDS = 8


def can_reflow(editing: Editing) -> bool:
    """Whether the language has places where line breaks mean nothing."""
    return type(editing).reflow is not Editing.reflow


def _placed(error: ParseError) -> str:
    """A parse error with its place first, since the end of a long one may be out of sight."""
    place = f"line {error.line}, column {error.column}"
    if place in error.message:
        return error.message
    return f"{place}: {error.message}"


class Complaint(Static):
    """The line under the program: the parse error, or a warning; a click goes there."""

    DEFAULT_CSS = """
    Complaint {
        height: auto;
        max-height: 2;
        padding: 0 1;
        display: none;
        &.-error { display: block; color: $text; background: $error 25%; pointer: pointer; }
        &.-warning { display: block; color: $quiet; background: $panel; }
    }
    """

    def on_click(self, event: Click) -> None:
        event.stop()
        self.query_ancestor(EditorPane).go_to_error()


class EditorPane(Vertical):
    """One program being edited."""

    DEFAULT_CSS = """
    EditorPane {
        border: round $border-blurred;
        border-title-color: $text;
        border-title-style: bold;
        border-subtitle-color: $quiet;
        background: $background;
        &:focus-within { border: round $border; }
    }
    """
    app: App[None]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._buffer: Buffer | None = None
        self._error: ParseError | None = None
        self.editor = Editor(id="editor")
        self.find_bar = FindBar(self.editor)

    @property
    def source(self) -> bytes:
        """The program's bytes as they stand."""
        return self.editor.source

    @property
    def error(self) -> ParseError | None:
        """The parse error that is marked."""
        return self._error

    @property
    def dirty(self) -> bool:
        """The program differs from its file."""
        return self._buffer is not None and self.source != self._buffer.saved

    def compose(self) -> ComposeResult:
        yield self.editor
        yield self.find_bar
        yield Complaint(markup=False)
        yield CompletionList(self.editor.completer.choose)

    def open(self, buffer: Buffer, source: bytes) -> None:
        """Edit ``source`` as the contents of ``buffer``."""
        self._buffer = buffer
        self.editor.load(source, buffer.text_language)
        self.show_error(None)

    def show_error(self, error: ParseError | None) -> None:
        """Mark a parse error, or that there is none."""
        self._error = error
        self.editor.show_error(error.span if error else None)
        complaint = self.query_one(Complaint)
        warning = self._warning() if error is None else None
        complaint.set_class(error is not None, "-error")
        complaint.set_class(warning is not None, "-warning")
        if error is not None:
            complaint.update(Content.assemble(("✗ ", "$error"), _placed(error)))
        elif warning is not None:
            complaint.update(warning)
        self.refresh_titles()

    def go_to_error(self) -> None:
        """Put the cursor on the parse error."""
        if self._error is not None:
            self.editor.focus()
            self.editor.go_to_offset(self._error.offset)

    @on(TextArea.Changed)
    def _changed(self) -> None:
        self.find_bar.refresh_finds()

    def on_resize(self) -> None:
        self.refresh_titles()

    @on(Editor.Looked)
    @on(TextArea.SelectionChanged)
    def refresh_titles(self) -> None:
        """Bring the frame up to date."""
        if self._buffer is None:
            return
        row, column = self.editor.drawn_cursor
        dirty = " ●" if self.dirty and self._buffer.draft is not None else ""
        self.border_title = Content(f"{self._buffer.path.name}{dirty}{self._way_of_typing()}")
        place = f"{len(self.source):,} bytes  {row + 1}:{column + 1}"
        words = self._words(self.size.width - len(place) - 10)
        self.border_subtitle = Content(f"{words}  {place}" if words else place)

    def _way_of_typing(self) -> str:
        own = self.editor.editing.grid or bool(self.editor.editing.letters)
        words = self.editor.mode.words
        if not own:
            return f"  {words} (Ins)" if words else ""
        return f"  {words} (Ins: plain)" if words else "  plain (Ins)"

    def _words(self, room: int) -> str:
        """What stands at the cursor, as far as there is room to tell."""
        structure = self.editor.structure
        words = structure.words if structure is not None else ""
        partner = self.editor.matching_bracket_location
        if not words and partner is not None:
            words = f"its partner: {partner[0] + 1}:{partner[1] + 1}"
        if len(words) > room:
            words = f"{words[: room - 1]}…" if room > _LEAST_WORDS else ""
        return words

    @on(Editor.FindWanted)
    def _find(self) -> None:
        self.find_bar.open()

    @on(Editor.PlaceWanted)
    def _go_to(self) -> None:
        def answered(text: str | None) -> None:
            if text is not None and not self.editor.go_to_place(text):
                self.notify(f"{text!r} is no line: 12, 12:5 or @120", severity="warning")

        words = "A line as 12, a line and column as 12:5, or an offset in bytes as @120."
        self.app.push_screen(TextDialog("Go to", words), answered)

    def _warning(self) -> str | None:
        if self.editor.read_only:
            return f"read only: larger than {EDITABLE_BYTES:,} bytes"
        if self.editor.longest_line > LONG_LINE:
            offer = "; ^p “Reflow” breaks it" if can_reflow(self.editor.editing) else ""
            return f"a line of {self.editor.longest_line:,} characters{offer}"
        return None
