"""The editor widget: Textual's TextArea over a document of bytes.

TextArea brings cursor, selection, mouse, undo.  Replaced are the parts that would lose bytes
(its document), that walk whole lines (wrapping, bracket search) and that draw.  The private
parts of Textual used for that are watched by a canary test.
"""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.document._document import EditResult, Location, Selection
from textual.document._document_navigator import DocumentNavigator
from textual.message import Message
from textual.strip import Strip
from textual.widgets import TextArea

from esoplay.tui.blanks import NEWLINE, SPACE, TAB, blanks_are_code
from esoplay.tui.editor.codec import PLACEHOLDER, to_bytes, to_text, visible
from esoplay.tui.editor.document import ByteDocument
from esoplay.tui.editor.wrapping import CellWrapping, Row, cells
from esoplay.tui.highlight import Highlighter
from esoplay.tui.lexing import KINDS

EDITABLE_BYTES = 1 << 20
"""Larger programs are shown, not edited."""

LEX_AFTER = 0.01
"""Seconds between two moments of lexing, in which keys come first."""

_TAB = chr(PLACEHOLDER + 9)
_BLANKS = str.maketrans({" ": SPACE, _TAB: TAB})

LONG_LINE = 20_000
"""Characters of a line from which on reflowing is worth offering."""


class Editor(TextArea):
    """Edits a program's bytes; :attr:`source` is always exactly what would be saved."""

    DEFAULT_CSS = """
    Editor {
        border: none;
        padding: 0;
        background: $background;
        scrollbar-size: 1 1;
        & .editor--comment { color: $code-comment; }
        & .editor--loop { color: $code-loop; }
        & .editor--move { color: $code-move; }
        & .editor--arithmetic { color: $code-arithmetic; }
        & .editor--io { color: $code-io; }
        & .editor--control { color: $quiet; background: $panel; }
        & .editor--error { color: $background; background: $error; }
        & .text-area--cursor { color: $background; background: $foreground; }
        & .text-area--gutter { color: $code-comment; }
        & .text-area--cursor-gutter { color: $accent; background: $background; }
        & .text-area--cursor-line { background: $boost; }
        & .text-area--matching-bracket {
            color: $pointer-text; background: $pointer; text-style: bold;
        }
        &:focus { border: none; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"editor--{kind}" for kind in KINDS),
        "editor--control",
        "editor--error",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave the editor", show=False, id="editor.leave"),
        Binding("tab", "insert_tab", "Tab", show=False, id="editor.tab"),
        Binding("ctrl+z", "undo", "Undo", show=False, id="editor.undo"),
        Binding("ctrl+y", "redo", "Redo", show=False, id="editor.redo"),
        Binding("ctrl+x", "cut", "Cut the selection, or the line", show=False, id="editor.cut"),
        Binding("ctrl+c", "copy", "Copy", show=False, id="editor.copy"),
        Binding("ctrl+v", "paste", "Paste", show=False, id="editor.paste"),
        Binding("f6", "select_line", "Select the line", show=False, id="editor.line"),
        Binding("f7", "select_all", "Select all", show=False, id="editor.all"),
    ]

    document: ByteDocument  # pyright: ignore[reportIncompatibleVariableOverride]
    wrapped_document: CellWrapping  # pyright: ignore[reportIncompatibleVariableOverride]
    app: App[None]

    class Left(Message):
        """Escape was pressed: the keyboard should go back to the panes."""

    def __init__(self, *, id: str | None = None) -> None:
        self._highlighter: Highlighter | None = None
        self._blanks = False
        self._stale = False
        self._lexing = False
        self._error: tuple[Location, Location] | None = None
        self._copied: tuple[str, str] | None = None
        super().__init__(id=id, show_line_numbers=True, max_checkpoints=500)
        self.cursor_blink = False

    # Contents

    @property
    def source(self) -> bytes:
        """The program's bytes as they stand."""
        return self.document.source

    def load(self, source: bytes, language_id: str, *, wrap: bool = True) -> None:
        """Show another program; forgets the undo history."""
        self._highlighter = Highlighter(language_id)
        self._blanks = blanks_are_code(language_id)
        self._error = None
        self.read_only = len(source) > EDITABLE_BYTES
        self.set_reactive(TextArea.soft_wrap, wrap)
        self.history.clear()
        self._adopt(ByteDocument(source))

    def replace_source(self, source: bytes) -> None:
        """Put other bytes in place, as one edit that can be undone; the cursor stays near."""
        cursor = self.cursor_location
        self.history.checkpoint()
        self.replace(to_text(source), self.document.start, self.document.end)
        self.history.checkpoint()
        self.move_cursor(self.clamp_visitable(cursor))

    def show_error(self, span: tuple[int, int] | None) -> None:
        """Mark the bytes of a parse error, or none."""
        document = self.document
        self._error = span and (
            document.location_of(span[0]),
            document.location_of(max(span[1], span[0] + 1)),
        )
        self.refresh()

    def go_to_offset(self, offset: int) -> None:
        """Put the cursor on the byte at ``offset``."""
        self.move_cursor(self.document.location_of(offset), center=True)

    @property
    def longest_line(self) -> int:
        """Characters in the longest line."""
        return max(map(len, self.document.lines))

    def reflow(self, width: int = 80) -> None:
        """Break long lines; only for languages to which line breaks mean nothing."""
        lines = [
            line[start : start + width]
            for line in self.document.lines
            for start in range(0, len(line) or 1, width)
        ]
        self.replace_source(to_bytes("\n".join(lines)))

    # Keys

    async def _on_key(self, event: events.Key) -> None:
        """Act on editing keys in the order in which they were typed.

        Textual inserts characters at once but looks bindings up later, so that of keys that
        arrive together (a slow line, a fast hand) a backspace would come after what follows it.
        """
        if event.is_printable:
            return
        remapped = self.app._keymap  # pyright: ignore[reportPrivateUsage]
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            if binding.id not in remapped:
                event.stop()
                event.prevent_default()
                await self.run_action(binding.action)
                return

    def action_leave(self) -> None:
        self.post_message(self.Left())

    def action_insert_tab(self) -> None:
        if not self.read_only:
            self.insert("\t", maintain_selection_offset=False)

    def action_copy(self) -> None:
        """Copy the selection: real text for other programs, exact bytes for this one."""
        if self.selected_text:
            text = to_bytes(self.selected_text).decode("utf-8", "replace")
            self._copied = (text, self.selected_text)
            self.app.copy_to_clipboard(text)

    def action_cut(self) -> None:
        if self.selection.is_empty:
            self.action_select_line()
        self.action_copy()
        if not self.read_only:
            self.delete(*self.selection)

    def action_paste(self) -> None:
        if self._copied is not None and self.app.clipboard == self._copied[0]:
            self._insert_pasted(self._copied[1])
        else:
            self._insert_pasted(_terminal_lines(self.app.clipboard))

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self._insert_pasted(_terminal_lines(event.text))

    def _insert_pasted(self, text: str) -> None:
        if not self.read_only:
            result = self.replace(text, *self.selection, maintain_selection_offset=False)
            self.move_cursor(result.end_location)

    def find_matching_bracket(self, bracket: str, search_from: Location) -> Location | None:
        return self.document.matching_bracket(search_from) if bracket else None

    def _set_document(self, text: str, language: str | None) -> None:
        self._adopt(ByteDocument(to_bytes(text)))

    def _adopt(self, document: ByteDocument) -> None:
        self._stale = True
        self.document = document  # pyright: ignore[reportIncompatibleVariableOverride]
        self.wrapped_document = CellWrapping(  # pyright: ignore[reportIncompatibleVariableOverride]
            document, tab_width=self.indent_width
        )
        self.navigator = DocumentNavigator(self.wrapped_document)
        self.wrapped_document.wrap(self.wrap_width)
        self.selection = Selection()
        self._refresh_size()
        self.scroll_to(0, 0, animate=False)
        self.refresh()

    def edit(self, edit: object) -> EditResult:
        self._error = None
        self._stale = True
        return super().edit(edit)  # pyright: ignore[reportArgumentType]

    # Drawing

    def render_line(self, y: int) -> Strip:
        scroll_x, scroll_y = self.scroll_offset
        row = self.wrapped_document.row(y + scroll_y)
        base = self.rich_style
        width = self.scrollable_content_region.width
        if row is None:
            return Strip.blank(width, base)
        cursor_line = row.line == self.cursor_location[0] and self.has_focus
        if cursor_line:
            base += self.get_component_rich_style("text-area--cursor-line")
        segments = list(self._segments(row, base))
        length = cells("".join(segment.text for segment in segments))
        text = Strip(segments, length)
        room = width - self.gutter_width
        if not self.soft_wrap:
            text = text.crop(scroll_x, scroll_x + room)
        text = text.extend_cell_length(room, base).crop(0, room)
        return Strip.join([Strip([self._gutter(row, base, cursor_line)]), text])

    def _gutter(self, row: Row, base: Style, cursor_line: bool) -> Segment:
        name = "text-area--cursor-gutter" if cursor_line else "text-area--gutter"
        number = str(row.line + 1) if row.section == 0 else ""
        style = base + self.get_component_rich_style(name, partial=True)
        return Segment(f"{number:>{self.gutter_width - 2}}  ", style)

    def _segments(self, row: Row, base: Style) -> list[Segment]:
        """The row's characters and one cell behind them, cut where the style changes."""
        line = self.document.get_line(row.line)
        shown = visible(line[row.start : row.end])
        size = len(shown) + 1
        if self._blanks:
            shown = visible(line[row.start : row.end].translate(_BLANKS))
        styles = [base] * size
        self._paint_tokens(styles, row, line, base)
        self._paint_marks(styles, row)
        breaks = row.end == len(line) and row.line + 1 < self.document.line_count
        shown += NEWLINE if self._blanks and breaks else " "
        segments: list[Segment] = []
        start = 0
        for end in range(1, size + 1):
            if end == size or styles[end] is not styles[start]:
                segments.append(Segment(shown[start:end], styles[start]))
                start = end
        return segments

    def _paint_tokens(self, styles: list[Style], row: Row, line: str, base: Style) -> None:
        highlighter = self._highlighter
        if highlighter is not None:
            if self._stale:
                highlighter.change(list(self.document.lines))
                self._stale = False
            for piece in highlighter.pieces(row.line, row.start, row.end + self._blanks):
                style = base + self._component(f"editor--{piece.kind}")
                for index in range(piece.start - row.start, piece.end - row.start):
                    styles[index] = style
            if highlighter.pending and not self._lexing:
                self._lexing = True
                self.set_timer(LEX_AFTER, self._go_on_lexing)
        control = None
        for index, character in enumerate(line[row.start : row.end]):
            if "\ue000" <= character <= "\ue0ff" and not (self._blanks and character == _TAB):
                control = control or base + self._component("editor--control")
                styles[index] = control

    def _go_on_lexing(self) -> None:
        """Bring in the colours that were not known when the text was drawn."""
        self._lexing = False
        if self._highlighter is None or self._stale:
            return
        if self._highlighter.go_on():
            self.refresh()
        else:
            self._lexing = True
            self.set_timer(LEX_AFTER, self._go_on_lexing)

    def _paint_marks(self, styles: list[Style], row: Row) -> None:
        last = row.end == len(self.document.get_line(row.line))

        def paint(start: Location, end: Location, style: Style) -> None:
            if start[0] <= row.line <= end[0]:
                first = start[1] if start[0] == row.line else 0
                final = end[1] if end[0] == row.line else row.end + 1
                limit = len(styles) if last else len(styles) - 1
                for index in range(max(0, first - row.start), min(limit, final - row.start)):
                    styles[index] = style

        def paint_cell(at: Location, style: Style) -> None:
            paint(at, (at[0], at[1] + 1), style)

        if self._error is not None:
            paint(*self._error, self._component("editor--error", partial=False))
        top, bottom = sorted(self.selection)
        if top != bottom:
            paint(top, bottom, self._component("text-area--selection", partial=False))
        elif (partner := self.matching_bracket_location) is not None and self.has_focus:
            paint_cell(partner, self._component("text-area--matching-bracket", partial=False))
        if self.has_focus:
            paint_cell(self.cursor_location, self._component("text-area--cursor", partial=False))

    def _component(self, name: str, *, partial: bool = True) -> Style:
        return self.get_component_rich_style(name, partial=partial)


def _terminal_lines(text: str) -> str:
    """Terminals send a pasted line break as a carriage return."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
