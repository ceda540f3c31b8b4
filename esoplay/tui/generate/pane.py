"""The program generated from the current source; the code of the cursor's line is marked.

Before a program is generated, the pane lists the errors of the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rich.style import Style
from textual.binding import BindingType
from textual.events import Click
from textual.strip import Strip

from esolangs.wording import plural
from esoplay.tui.debug.byte_glyphs import format_int
from esoplay.tui.debug.canvas import StyledText, make_strip
from esoplay.tui.debug.program_view import NO_SPAN, ProgramView
from esoplay.tui.keys import Action, bindings
from esoplay.tui.word_wrap import wrap_words

if TYPE_CHECKING:
    from esolangs.errors import ParseError
    from esoplay.programs.generation import GeneratedProgram


class SourceErrorRow(NamedTuple):
    """An error in a source. Line and column count from 1."""

    line: int
    column: int
    message: str


class GeneratedPane(ProgramView):
    """A pane with the generated program; follows the editor's cursor, and is scrolled by keys."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "generated",
        Action("generated.down", "rows(1)", "Down"),
        Action("generated.up", "rows(-1)", "Up"),
        Action("generated.page-down", "pages(1)", "Page down"),
        Action("generated.page-up", "pages(-1)", "Page up"),
        Action("generated.start", "rows(-1000000000)", "Start"),
        Action("generated.end", "rows(1000000000)", "End"),
    )

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._generated: GeneratedProgram | None = None
        self._language_id = ""
        self._parse_error: ParseError | None = None
        self._errors: tuple[SourceErrorRow, ...] = ()
        self._wrapped_rows: tuple[object, list[tuple[str, str]]] | None = None
        self._is_generating = False
        self._source_line: int | None = None
        self._current = NO_SPAN

    def forget(self) -> None:
        """Discard the program and its errors, and show an empty pane."""
        self._generated = self._source_line = None
        self._errors = ()
        self.open(b"", "")
        self._current = NO_SPAN

    def show_program(
        self,
        language_id: str,
        program: GeneratedProgram | None,
        error: ParseError | None,
        errors: tuple[SourceErrorRow, ...] = (),
        *,
        is_generating: bool,
    ) -> None:
        """Show the last generated program or, if none exists, the errors.

        error: an error of the source; the title shows its line. errors: all errors, for the list.
        is_generating: whether the source is being compiled.
        """
        self._errors = errors
        self._language_id, self._parse_error, self._is_generating = (
            language_id,
            error,
            is_generating,
        )
        if program is not self._generated:
            top = self.first_row
            self._generated = program
            self.open(b"" if program is None else program.source, language_id)
            self._current = NO_SPAN
            self.first_row = top
            self._show_line()
        self.repaint()

    def show_line(self, line: int) -> None:
        """Mark the code of a source line, and scroll to its start."""
        if line != self._source_line:
            self._source_line = line
            self._show_line()
            self.repaint()

    def _show_line(self) -> None:
        if self._generated is None or self._source_line is None:
            return
        spans = self._generated.source_map.spans_of_line(self._source_line)
        if spans:
            self._bring_into_view(spans[0].start)

    # Drawing

    def row_count(self) -> int:
        return super().row_count() if self._generated is not None else len(self._error_rows())

    def line(self, row: int, width: int) -> Strip:
        if self._generated is not None:
            return super().line(row, width)
        place, words = self._error_rows()[row]
        pieces = [
            StyledText(f"{place} ", self.palette.warning),
            StyledText(words, self.palette.base),
        ]
        return make_strip(pieces, width, self.palette.base)

    def _error_rows(self) -> list[tuple[str, str]]:
        """Return position and text for each row of the list of errors."""
        key = self._errors, self.inner_width
        if self._wrapped_rows is None or self._wrapped_rows[0] != key:
            self._wrapped_rows = key, self._wrapped_errors()
        return self._wrapped_rows[1]

    def _wrapped_errors(self) -> list[tuple[str, str]]:
        places = [f"{each.line}:{each.column}" for each in self._errors]
        broad = max(map(len, places), default=0)
        room = max(8, self.inner_width - broad - 1)
        found: list[tuple[str, str]] = []
        for place, each in zip(places, self._errors, strict=True):
            for at, words in enumerate(wrap_words(each.message, room) or [""]):
                found.append((f"{'' if at else place:>{broad}}", words))
        return found

    def heading(self) -> list[StyledText]:
        pieces = [self.title_span(self._language_id)]
        if self._parse_error is not None and self._generated is not None:
            words = f" stale: error in line {self._parse_error.line}"
            pieces.append(StyledText(words, self.palette.warning))
        elif self._parse_error is not None:
            words = f" none: error in line {self._parse_error.line}"
            pieces.append(StyledText(words, self.palette.warning))
        elif self._is_generating:
            pieces.append(StyledText(" …", self.palette.warning))
        return pieces

    def caption(self) -> list[StyledText]:
        if self._generated is None:
            return []
        return [self.title_span(plural(len(self._generated.source), "byte"))]

    def footer(self) -> list[StyledText]:
        if self._generated is None or self._source_line is None:
            return []
        spans = self._generated.source_map.spans_of_line(self._source_line)
        size = sum(span.end - span.start for span in spans)
        words = (
            f"line {self._source_line}: {format_int(size)}"
            if spans
            else f"line {self._source_line}: no code"
        )
        return [self.title_span(words)]

    def _marked_bytes(self) -> dict[int, Style]:
        """Return the styles of visible bytes that were generated from the marked source line."""
        if self._generated is None or not self._text.source:
            return {}
        source_map, line = self._generated.source_map, self._source_line
        first, end = self._visible_bytes()
        offsets = range(first, min(end, len(self._text.source)))
        found = self.palette.found
        return {at: found for at in offsets if source_map.line_at(at) == line}

    # Keys and mouse

    def action_rows(self, count: int) -> None:
        self._scroll_by(count)

    def action_pages(self, count: int) -> None:
        self._scroll_by(count * max(1, self.inner_height - 1))

    def on_click(self, event: Click) -> None:
        """Do nothing, because the pane does not have a cursor."""
        event.stop()


# The reference card of write-once sources

CARD = """\
# Write once

A small subset of Python. A source is compiled to a program in each language, which does
what CPython does when it runs the same source.

| values | |
|-|-|
| `n = 0` | an int, any integer |
| `c = getc()`, `ord("a")`, `b: byte = 0` | a byte, 0 to 255 |
| `a = ints(20)`, `a = chars(80)` | arrays, all 0, of 256 elements at most; an index is a byte |
| `int(c)`, `byte(n)` | convert a byte to an int, an int to a byte |

| statements | |
|-|-|
| `=` `+=` `-=` `*=` `//=` `%=` | assign; a dividend must not be negative |
| `if` `elif` `else`, `while` | conditions are comparisons, joined by `and` `or` `not` |
| `for i in range(end)` | also `range(start, end)` |
| `def f(c: byte, a: ints) -> int:` | one `return`, at the end; no recursion |
| `N = 3` outside of functions | a constant, or a variable that a function declares `global` |

| calls | |
|-|-|
| `getc()` | the next character, 0 at the end of the input |
| `read_int()`, `ended_by()` | the next number; the character after it |
| `read_line(a)` | reads a line into an array, returns the length of the line |
| `putc(c)`, `puts("text")`, `print_int(n)` | print |
| `divide(a, b)`, `append_digit(n, d)`, `len(a)` | a / b towards zero; 10n + d; length |
"""
