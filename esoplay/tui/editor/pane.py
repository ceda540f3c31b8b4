"""The editor with its frame: whose program it is, whether it is saved, what is wrong with it."""

from __future__ import annotations

from textual import on
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.events import Click
from textual.widgets import Static, TextArea

from esolangs.errors import ParseError
from esolangs.registry import find_language
from esoplay.tui.buffers import Buffer
from esoplay.tui.editor.editor import EDITABLE_BYTES, LONG_LINE, Editor


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
        yield Complaint(markup=False)

    def open(self, buffer: Buffer, source: bytes) -> None:
        """Edit ``source`` as the contents of ``buffer``."""
        self._buffer = buffer
        language = find_language(buffer.language_id)
        self.editor.load(source, language.id, wrap=language.line_breaks_neutral)
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
            place = f"line {error.line}, column {error.column}"
            complaint.update(Content.assemble(("✗ ", "$error"), f"{error.message} – {place}"))
        elif warning is not None:
            complaint.update(warning)
        self.refresh_titles()

    def go_to_error(self) -> None:
        """Put the cursor on the parse error."""
        if self._error is not None:
            self.editor.focus()
            self.editor.go_to_offset(self._error.offset)

    @on(TextArea.Changed)
    @on(TextArea.SelectionChanged)
    def refresh_titles(self) -> None:
        """Bring the frame up to date."""
        if self._buffer is None:
            return
        row, column = self.editor.cursor_location
        dirty = " ●" if self.dirty and self._buffer.draft is not None else ""
        self.border_title = Content(f"{self._buffer.path.name}{dirty}")
        self.border_subtitle = Content(f"{len(self.source):,} bytes  {row + 1}:{column + 1}")

    def _warning(self) -> str | None:
        if self.editor.read_only:
            return f"read only: larger than {EDITABLE_BYTES:,} bytes"
        if self.editor.longest_line > LONG_LINE:
            language = find_language(self._buffer.language_id) if self._buffer else None
            offer = "; ^p “Reflow” breaks it" if language and language.line_breaks_neutral else ""
            return f"a line of {self.editor.longest_line:,} characters{offer}"
        return None
