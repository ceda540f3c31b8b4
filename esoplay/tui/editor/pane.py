"""The editor in a frame with the title, the program's errors, and the search bar."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import Click
from textual.widgets import Input, Static, TextArea

from esolangs.editing import Editing
from esolangs.errors import ParseError
from esolangs.registry import find_language
from esolangs.wording import plural
from esoplay.tui.buffers import ProgramBuffer
from esoplay.tui.dialogs import TextDialog
from esoplay.tui.editor.completion import CompletionList
from esoplay.tui.editor.document import to_bytes, to_text
from esoplay.tui.editor.editor import LONG_LINE, MAX_EDITABLE_BYTES, Editor
from esoplay.tui.editor.search import SearchQuery, parse_pattern
from esoplay.tui.keys import Action, bindings
from esoplay.tui.word_wrap import cut_words

# The search bar.


class ToggleButton(Static):
    """A setting that is on or off; a click changes it."""

    DEFAULT_CSS = """
    ToggleButton { width: auto; padding: 0 1; color: $quiet; pointer: pointer; }
    ToggleButton.-on { color: $accent; text-style: bold underline; }
    """
    app: App[None]

    def __init__(self, text: str, action: str, *, id: str) -> None:
        super().__init__(text, id=id, markup=False)
        self._action = action

    async def on_click(self, event: Click) -> None:
        event.stop()
        await self.query_ancestor(FindBar).run_action(self._action)


class FindBar(Horizontal):
    """A bar that searches while the user types.

    "Match case" distinguishes upper and lower case. With "Escapes" a backslash starts an escape or,
    in a language whose code is whitespace, letters stand for whitespace.
    """

    DEFAULT_CSS = """
    FindBar {
        height: 1;
        display: none;
        background: $panel;
        &.-shown { display: block; }
        Input { width: 1fr; height: 1; border: none; padding: 0 1; background: $boost; }
        Input:focus { border: none; }
        #replace { display: none; }
        #find-count { width: auto; padding: 0 1; color: $quiet; }
        #find-label { width: auto; padding: 0 1; color: $quiet; }
    }
    FindBar.-replacing #replace { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "find",
        Action("find.close", "close", "Back to the program", in_footer=True),
        Action("find.next", "next(1)", "Next"),
        Action("find.previous", "next(-1)", "Previous"),
        Action("find.replace", "replace", "Replace with"),
        Action("find.replace_all", "replace_all", "Replace all"),
        Action("find.case", "case", "Match case"),
        Action("find.escapes", "escapes", "Interpret escapes; in Whitespace, also S T L"),
    )
    app: App[None]

    def __init__(self, editor: Editor) -> None:
        super().__init__(id="find-bar")
        self._editor = editor
        self._match_case = True
        self._uses_escapes = False
        self._replaced_count = 0

    def compose(self) -> ComposeResult:
        yield Static("find", id="find-label", markup=False)
        yield Input(id="find", select_on_focus=True)
        yield Input(id="replace", placeholder="replace with (F7: all)", select_on_focus=True)
        yield ToggleButton("Aa", "case", id="find-case")
        yield ToggleButton("\\n", "escapes", id="find-escapes")
        yield Static(id="find-count", markup=False)

    @property
    def is_shown(self) -> bool:
        return self.has_class("-shown")

    def open(self) -> None:
        """Open the search bar, with the selection as the text to search for."""
        letters = self._editor.editing.letters
        if not self.is_shown and letters:
            self._uses_escapes = True
        self.query_one("#find-escapes", ToggleButton).update("STL" if letters else "\\n")
        self.add_class("-shown")
        field = self.query_one("#find", Input)
        selected = self._editor.selected_text
        if selected and "\n" not in selected and selected.isprintable():
            field.value = selected
        field.focus()
        self._search(move=False)

    def refresh_matches(self) -> None:
        """Search again after a change of the text."""
        if self.is_shown:
            self._editor.search_again()
            self._show_count(None)
            self._replaced_count = 0

    # Actions

    def action_close(self) -> None:
        self.remove_class("-shown", "-replacing")
        self._editor.search(SearchQuery(""))
        self._editor.focus()

    def action_next(self, offset: int) -> None:
        if self.query_one("#find", Input).value:
            self._show_count(self._editor.action_find_next(offset))

    def action_replace(self) -> None:
        self.toggle_class("-replacing")
        here = "#replace" if self.has_class("-replacing") else "#find"
        self.query_one(here, Input).focus()

    def action_replace_all(self) -> None:
        if self.has_class("-replacing"):
            self._replaced_count = self._editor.replace_all(self._replacement())
            self._show_count(None)

    def action_case(self) -> None:
        self._match_case = not self._match_case
        self._search(move=False)

    def action_escapes(self) -> None:
        self._uses_escapes = not self._uses_escapes
        self._search(move=False)

    # Events

    @on(Input.Changed, "#find")
    def _text_changed(self) -> None:
        if self.is_shown:
            self._search(move=True)

    @on(Input.Submitted, "#find")
    def _find_next(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_next(1)

    @on(Input.Submitted, "#replace")
    def _replace_one(self, event: Input.Submitted) -> None:
        event.stop()
        if not self._editor.read_only:
            self._show_count(self._editor.replace_match(self._replacement()))

    def _search(self, *, move: bool) -> None:
        self.query_one("#find-case").set_class(self._match_case, "-on")
        self.query_one("#find-escapes").set_class(self._uses_escapes, "-on")
        text = self._pattern(self.query_one("#find", Input).value)
        matches = self._editor.search(SearchQuery(text, self._match_case))
        index = None
        if move and matches:
            top = min(self._editor.selection)
            self._editor.move_cursor(top)
            index = self._editor.action_find_next(1)
        self._show_count(index)

    def _replacement(self) -> str:
        return self._pattern(self.query_one("#replace", Input).value)

    def _pattern(self, typed: str) -> str:
        letters = self._editor.editing.letters
        if letters and self._uses_escapes:
            converted = self._editor.editing.from_visible(to_bytes(typed).upper())
            return (
                to_text(converted.source)
                if converted and converted.is_certain
                else parse_pattern(typed, uses_escapes=True)
            )
        return parse_pattern(typed, uses_escapes=self._uses_escapes)

    def _show_count(self, index: int | None) -> None:
        matches = self._editor.matches
        if self._replaced_count:
            count_text = Content(f"{self._replaced_count:,} replaced")
        elif matches is None:
            count_text = Content("")
        elif not len(matches):
            count_text = Content.styled("not found", "$error")
        else:
            if index is None:
                index = matches.index_at(min(self._editor.selection))
            total = f"{len(matches):,}{'+' if matches.has_more else ''}"
            count_text = Content(
                f"{index + 1:,} of {total}" if index is not None else f"{total} found"
            )
        self.query_one("#find-count", Static).update(count_text)


_MIN_TEXT_COLUMNS = 8


def can_reflow(editing: Editing) -> bool:
    """Return whether line breaks can be added without changing a program of the language."""
    return type(editing).reflow is not Editing.reflow


def _error_text(error: ParseError) -> str:
    """Return the text of a parse error; the position is first, because the end may be cut off."""
    place = f"line {error.line}, column {error.column}"
    if place in error.message:
        return error.message
    return f"{place}: {error.message}"


class DiagnosticLine(Static):
    """A line below the program with the parse error or a warning; a click goes to the error."""

    DEFAULT_CSS = """
    DiagnosticLine {
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
    """Shows one program for editing."""

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
        self._buffer: ProgramBuffer | None = None
        self._error: ParseError | None = None
        self.editor = Editor(id="editor")
        self.find_bar = FindBar(self.editor)

    @property
    def source(self) -> bytes:
        """The current bytes of the program."""
        return self.editor.source

    @property
    def error(self) -> ParseError | None:
        """The parse error that is marked, or None."""
        return self._error

    @property
    def is_dirty(self) -> bool:
        """Whether the program differs from its file."""
        return self._buffer is not None and self.source != self._buffer.saved_source

    def compose(self) -> ComposeResult:
        yield self.editor
        yield self.find_bar
        yield DiagnosticLine(markup=False)
        yield CompletionList(self.editor.completer.choose)

    def open(self, buffer: ProgramBuffer, source: bytes, *, cursor_offset: int = 0) -> None:
        """Open ``buffer`` in the editor, with ``source`` as its text.

        cursor_offset: the offset at which the cursor starts, such as the offset of the first
        instruction, because comments before it can be long.
        """
        self._buffer = buffer
        self.editor.load(source, buffer.text_language)
        if cursor_offset:
            self.editor.start_at(cursor_offset)
        self.show_error(None)

    def show_error(self, error: ParseError | None) -> None:
        """Mark a parse error; None removes the mark."""
        self._error = error
        self.editor.show_error(error.span if error else None)
        diagnostic_line = self.query_one(DiagnosticLine)
        warning = self._warning() if error is None else None
        diagnostic_line.set_class(error is not None, "-error")
        diagnostic_line.set_class(warning is not None, "-warning")
        if error is not None:
            diagnostic_line.update(Content.assemble(("✗ ", "$error"), _error_text(error)))
        elif warning is not None:
            diagnostic_line.update(warning)
        self.refresh_titles()

    def go_to_error(self) -> None:
        """Move the cursor to the parse error."""
        if self._error is not None:
            self.editor.focus()
            self.editor.go_to_offset(self._error.offset)

    @on(TextArea.Changed)
    def _refresh_matches(self) -> None:
        self.find_bar.refresh_matches()

    def on_resize(self) -> None:
        self.refresh_titles()
        self.editor.show_start_location()

    @on(Editor.ContextUpdated)
    @on(TextArea.SelectionChanged)
    def refresh_titles(self) -> None:
        """Update the title and subtitle of the frame."""
        if self._buffer is None:
            return
        row, column = self.editor.drawn_cursor
        dirty = " ●" if self.is_dirty and self._buffer.draft is not None else ""
        self.border_title = Content(f"{self._buffer.path.name}{dirty}{self._mode_text()}")
        has_byte_order_mark = (
            row == 0 and column > 0 and self.editor.document.get_line(0)[0] == "\ufeff"
        )
        position = (
            f"{plural(len(self.source), 'byte')}  {row + 1}:{column + 1 - has_byte_order_mark}"
        )
        context = self._context_text(self.size.width - len(position) - 10)
        self.border_subtitle = Content(f"{context}  {position}" if context else position)

    def _mode_text(self) -> str:
        has_own_mode = self.editor.editing.grid or bool(self.editor.editing.letters)
        label = self.editor.mode.label
        if not has_own_mode:
            return f"  {label} (Ins)" if label else ""
        return f"  {label} · Ins: plain typing" if label else "  plain typing · Ins ends it"

    def _context_text(self, room: int) -> str:
        """Describe the construct at the cursor in at most ``room`` columns."""
        structure = self.editor.structure
        text = structure.words if structure is not None else ""
        partner = self.editor.matching_bracket_location
        if not text and partner is not None:
            text = f"matching bracket {partner[0] + 1}:{partner[1] + 1}"
        if len(text) > room:
            text = cut_words(text, room) if room > _MIN_TEXT_COLUMNS else ""
        return text

    @on(Editor.SearchRequested)
    def _find(self) -> None:
        self.find_bar.open()

    @on(Editor.GoToRequested)
    def _go_to(self) -> None:
        def answered(text: str | None) -> None:
            if text is not None and not self.editor.go_to_typed_location(text):
                self.notify(
                    f"{text!r} is not a position; expected 12, 12:5 or @120", severity="warning"
                )

        help_text = (
            "A line such as 12, a line and column such as 12:5, or a byte offset such as @120."
        )
        self.app.push_screen(TextDialog("Go to", help_text), answered)

    def _warning(self) -> str | None:
        if self.editor.read_only:
            return f"read only: larger than {MAX_EDITABLE_BYTES:,} bytes"
        if self.editor.longest_line > LONG_LINE:
            offer = "; ^p “Reflow” adds line breaks" if can_reflow(self.editor.editing) else ""
            return f"a line of {self.editor.longest_line:,} characters{offer}"
        return None


def code_offset(language_id: str, source: bytes) -> int:
    """Return the offset of the first executed instruction; 0 if there is none or on a parse error.

    A loop at the very start of a Brainfuck program is not executed, so it is a comment.
    """
    language = find_language(language_id)
    try:
        program = language.parse(source, language.configure())
    except ParseError:
        return 0
    spans = program.spans()
    if not spans:
        return 0
    first = spans[0][0]
    if source[first : first + 1] == b"[":
        machine = program.start(b"")
        machine.step()
        after = machine.location
        if isinstance(after, int) and after > spans[0][1]:
            return min(after, len(source))
    return first
