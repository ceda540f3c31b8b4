"""Typing modes, which convert keys to text.

Languages with a typing mode of their own (a plane, or letters for whitespace) start in this mode
and can switch to plain typing. In other languages, the Insert key switches between inserting and
overwriting.
"""

from __future__ import annotations

from textual.document._document import Location, Selection
from textual.events import Key

from esolangs.editing import Editing
from esolangs.wording import plural
from esoplay.tui.dialogs import ChoiceDialog, DialogChoice
from esoplay.tui.editor.document import PLACEHOLDER, clean_text, to_bytes, to_text
from esoplay.tui.editor.search import SelectionEditor


def supports_action(editing: Editing, action: str) -> bool:
    """Return whether an action of the editor is useful in a language."""
    match action:
        case "path":
            return editing.grid
        case "complete":
            return type(editing).completions is not Editing.completions
        case _:
            return True


class TypingMode:
    """Plain typing, which inserts characters. Base class of the other modes."""

    label = ""
    """The name of the mode, shown in the frame."""

    def __init__(self, editor: SelectionEditor) -> None:
        self.editor = editor

    @property
    def position(self) -> Location:
        """The displayed location of the cursor."""
        return self.editor.cursor_location

    @property
    def extra_rows(self) -> int:
        """The number of rows below the text that the cursor can reach."""
        return 0

    def handle_key(self, event: Key) -> bool:
        """Handle a key; return whether it was handled."""
        return False

    def paste(self, text: str) -> bool:
        """Paste text; return False to let the editor insert it unchanged."""
        return False

    def select_all(self) -> bool:
        """Select everything; return False to let the editor select the text."""
        return False

    def copied_text(self) -> str | None:
        """Return the text to copy; None copies the selected text."""
        return None

    def clear(self) -> bool:
        """Clear the selection; return False to let the editor delete it."""
        return False


# Typing on a plane: characters overwrite others, in any direction.

Delta = tuple[int, int]

_ARROWS: dict[str, Delta] = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
_TURNS: dict[str, Delta] = {"^": (-1, 0), "v": (1, 0), "<": (0, -1), ">": (0, 1)}
_SIGNS = {delta: sign for sign, delta in zip("↑↓←→", _ARROWS.values(), strict=True)}
_NAMES = dict(zip(_ARROWS.values(), ("north", "south", "west", "east"), strict=True))
_RETURN = chr(PLACEHOLDER + 13)


class GridMode(TypingMode):
    """Typing in rows and columns, which does not move other cells.

    The cursor can be after the end of a row, or one row below the last row: typing there adds
    spaces. A selection is a rectangle. follows_arrows: whether an arrow typed outside strings
    changes the direction of typing.
    """

    def __init__(self, editor: SelectionEditor) -> None:
        super().__init__(editor)
        self.follows_arrows = True
        self.direction: Delta = (0, 1)
        self._at: Location = editor.cursor_location
        self._anchor: Location | None = None
        self._run_start = self._at
        self._is_in_string = False

    @property
    def label(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return f"types {_NAMES[self.direction]} {_SIGNS[self.direction]}"

    @property
    def position(self) -> Location:
        """The cell of the cursor; the editor's cursor if that was not moved by this mode."""
        here = self.editor.cursor_location
        if self._clamp(self._at) != here:
            self._at = here
            self._start_run()
        if self._anchor is None or self._clamp(self._anchor) != self.editor.selection.start:
            start = self.editor.selection.start
            self._anchor = None if start == here else start
        return self._at

    @property
    def extra_rows(self) -> int:
        return 1

    # Keys

    def handle_key(self, event: Key) -> bool:
        select = event.key.startswith("shift+")
        name = event.key.removeprefix("shift+")
        if name in _ARROWS:
            self._move(self._next_cell(self.position, _ARROWS[name]), select=select)
        elif event.key in _DIRECTIONS:
            self.set_direction(_DIRECTIONS[event.key])
        elif self.editor.read_only:
            return False
        elif event.key == "enter":
            self._move_to_next_row()
        elif event.key == "tab":
            self.type("\t")
        elif event.key == "backspace":
            if not self.clear():
                before = self._next_cell(self.position, (-self.direction[0], -self.direction[1]))
                self._is_in_string ^= self._row(before[0])[before[1] : before[1] + 1] == '"'
                self._clear_cells([before], 1)
                self._continue_run(before)
        elif event.key == "delete":
            if not self.clear():
                self._clear_cells([self.position], 1)
        elif event.is_printable and event.character:
            self.type(event.character)
        else:
            return False
        return True

    def place_cursor(self, location: Location) -> None:
        """Move the cursor to a clicked cell, which can be after the end of a row."""
        if self.editor.selection.is_empty and self._clamp(location) == self.editor.cursor_location:
            self._continue_run(location)
            self._start_run()

    def go_to(self, location: Location) -> None:
        """Move the cursor to a cell, which can be after the end of a row."""
        self._move((min(location[0], self.editor.document.line_count), location[1]))

    def set_direction(self, delta: Delta) -> None:
        """Set the direction of typing."""
        self.direction = delta
        self._start_run()
        self.editor.update_structure()

    def type(self, character: str) -> None:
        """Put a character into the cell at the cursor, and move to the next cell."""
        at = self.position
        if self._run_start == at:
            self._is_in_string = self._is_inside_string(at)
        self._write_block(at, [clean_text(character)])
        turned = not self._is_in_string and self.follows_arrows and _TURNS.get(character)
        if character == '"':
            self._is_in_string = not self._is_in_string
        if turned:
            self.direction = turned
        self._continue_run(self._next_cell(at, self.direction))

    def paste(self, text: str) -> bool:
        """Write the pasted lines as a block, which replaces the selected rectangle."""
        lines = [line.removesuffix(_RETURN) for line in clean_text(text).split("\n")]
        if len(lines) > 1 and not lines[-1]:
            lines.pop()
        rectangle = self._rectangle()
        row, column = self.position if rectangle is None else rectangle[0]
        if rectangle is None:
            self._write_block(self.position, lines)
        else:
            self._replace_rectangle(rectangle, lines)
        self._move((row + len(lines) - 1, column + len(lines[-1])))
        return True

    # Rectangles

    def selected_columns(self, line: int) -> tuple[int, int] | None:
        rectangle = self._rectangle()
        if rectangle is None or not rectangle[0][0] <= line <= rectangle[1][0]:
            return None
        return rectangle[0][1], rectangle[1][1] + 1

    def select_all(self) -> bool:
        """Select the rectangle that contains all rows."""
        rows = range(self.editor.document.line_count)
        self._move((0, 0))
        last = rows[-1] if self._row(rows[-1]) or len(rows) == 1 else rows[-2]
        self._move((last, max(0, max(len(self._row(row)) for row in rows) - 1)), select=True)
        return True

    def copied_text(self) -> str | None:
        """Return the cells of the selected rectangle or of the cursor, padded with spaces."""
        (top, left), (bottom, right) = self._rectangle() or (self.position, self.position)
        return "\n".join(
            self._row(row)[left : right + 1].ljust(right + 1 - left)
            for row in range(top, bottom + 1)
        )

    def clear(self) -> bool:
        """Fill the rectangle with spaces."""
        rectangle = self._rectangle()
        if rectangle is None:
            return False
        (top, left), (bottom, right) = rectangle
        self._clear_cells([(row, left) for row in range(top, bottom + 1)], right + 1 - left)
        self._move((top, left))
        return True

    def _rectangle(self) -> tuple[Location, Location] | None:
        at = self.position
        anchor = self._anchor
        if anchor is None or (self.editor.selection.is_empty and anchor == at):
            return None
        rows, columns = sorted((at[0], anchor[0])), sorted((at[1], anchor[1]))
        return (rows[0], columns[0]), (rows[1], columns[1])

    # Moving

    def _start_run(self) -> None:
        self._run_start = self._at

    def _next_cell(self, at: Location, delta: Delta) -> Location:
        """Return the next cell in a direction; rows and columns are never below 0."""
        last = self.editor.document.line_count
        return min(max(0, at[0] + delta[0]), last), max(0, at[1] + delta[1])

    def _clamp(self, at: Location) -> Location:
        document = self.editor.document
        if at[0] >= document.line_count:
            return document.end
        return at[0], min(at[1], len(self._row(at[0])))

    def _move(self, location: Location, *, select: bool = False) -> None:
        anchor = (self._anchor or self.position) if select else None
        self._continue_run(location, anchor)
        self._start_run()
        self.editor.history.checkpoint()

    def _continue_run(self, location: Location, anchor: Location | None = None) -> None:
        self._at = location
        self._anchor = anchor
        end = self._clamp(location)
        scrolled = self.editor.scroll_offset
        self.editor.selection = Selection(self._clamp(anchor) if anchor else end, end)
        if end != location:  # The view has scrolled to the text cursor; scroll back.
            self.editor.scroll_to(*scrolled, animate=False, force=True, immediate=True)
        self.editor.show_cell(location)

    def _move_to_next_row(self) -> None:
        """Move below the start of this run of typing, or to its right if typing vertically."""
        row, column = self._run_start
        beside = (row + 1, column) if self.direction[0] == 0 else (row, column + 1)
        self._move((min(beside[0], self.editor.document.line_count), beside[1]))

    def _is_inside_string(self, at: Location) -> bool:
        row = self._row(at[0])
        if self.direction[0] or not row:
            return False
        passed = row[: at[1]] if self.direction[1] > 0 else row[at[1] + 1 :]
        return passed.count('"') % 2 == 1

    # Cells

    def _row(self, number: int) -> str:
        """Return the cells of a row, without a carriage return at its end."""
        if number >= self.editor.document.line_count:
            return ""
        return self.editor.document.get_line(number).removesuffix(_RETURN)

    def _write_block(self, at: Location, lines: list[str]) -> None:
        """Write lines below each other, starting at a cell, as one edit."""
        row, column = at
        count = self.editor.document.line_count
        if row < count and len(lines) == 1 and column <= len(self._row(row)):
            end = min(column + len(lines[0]), len(self._row(row)))
            self._replace((row, column), (row, end), lines[0])
            return
        written: list[str] = []
        for number, line in enumerate(lines, row):
            old = self._row(number)
            written.append(old[:column].ljust(column) + line + old[column + len(line) :])
        self._rewrite(row, written)

    def _replace_rectangle(self, rectangle: tuple[Location, Location], lines: list[str]) -> None:
        """Write lines into a rectangle and clear its other cells, as one edit."""
        (top, left), (bottom, right) = rectangle
        count = self.editor.document.line_count
        written: list[str] = []
        for row in range(top, max(top + len(lines), min(bottom + 1, count))):
            old, line = self._row(row), lines[row - top] if row < top + len(lines) else ""
            width = right + 1 - left if row <= bottom else 0
            rest = old[left + max(width, len(line)) :]
            gap = " " * max(0, width - len(line)) if rest else ""
            before = old[:left].ljust(left) if line or rest else old[:left]
            written.append(before + line + gap + rest)
        ended = count > 1 and not self._row(count - 1)
        covered = (top, left) == (0, 0) and len(written) >= count - ended
        if covered and not any(written[len(lines) :]):
            end = "\n" if ended else ""
            self._replace((0, 0), self.editor.document.end, "\n".join(lines) + end)
        else:
            self._rewrite(top, written)

    def _clear_cells(self, cells: list[Location], width: int) -> None:
        """Clear ``width`` cells in each row, starting at ``cells``, which are in one column."""
        written: list[str] = []
        for row, column in cells:
            old = self._row(row)
            new = old[:column] + " " * min(width, len(old) - column) + old[column + width :]
            written.append(new if column + width < len(old) else old[:column])
        if len(cells) == 1 and cells[0][0] < self.editor.document.line_count:
            row, column = cells[0]
            size = len(self._row(row))
            self._replace(
                (row, min(column, size)),
                (row, min(column + width, size)),
                written[0][column : column + width],
            )
        elif cells:
            last = self.editor.document.line_count - cells[0][0]
            self._rewrite(cells[0][0], written[:last])

    def _rewrite(self, first: int, rows: list[str]) -> None:
        """Replace rows, or add rows after the last one, as one edit."""
        document = self.editor.document
        count = document.line_count
        kept = [
            _RETURN if number < count and document.get_line(number).endswith(_RETURN) else ""
            for number in range(first, first + len(rows))
        ]
        text = "\n".join(row + end for row, end in zip(rows, kept, strict=True))
        if first >= count:
            self._replace(document.end, document.end, "\n" + text)
            return
        last = min(first + len(rows), count) - 1
        self._replace((first, 0), (last, len(document.get_line(last))), text)

    def _replace(self, start: Location, end: Location, text: str) -> None:
        if start != end or text:
            self.editor.replace(text, start, end, maintain_selection_offset=False)


_DIRECTIONS = {
    f"{modifier}+{name}": delta for modifier in ("alt", "ctrl") for name, delta in _ARROWS.items()
}


# Typing whitespace by letters, in languages in which whitespace is code

COMMENT_START = "#"


class WhitespaceMode(TypingMode):
    """Typing of whitespace by letters or by the whitespace keys.

    ``#`` starts a comment, which ends at Enter or when the cursor moves away. In a comment, letters
    are letters and whitespace is not code.
    """

    def __init__(self, editor: SelectionEditor) -> None:
        super().__init__(editor)
        self._comment_end: Location | None = None

    @property
    def label(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        if self._is_in_comment:
            return "comment, Enter ends it"
        letters = " ".join(letter.upper() for letter in self.editor.editing.letters)
        return f"{letters} type whitespace"

    @property
    def _is_in_comment(self) -> bool:
        return self._comment_end is not None and self._comment_end == self.editor.cursor_location

    def handle_key(self, event: Key) -> bool:
        character = event.character
        if self.editor.read_only:
            return False
        if self._is_in_comment:
            if event.key == "enter":
                self._comment_end = None
                self.editor.update_structure()
                return True
            if event.key == "backspace":
                self.editor.action_delete_left()
            elif event.is_printable and character:
                blank = self.editor.editing.comment_blank
                self.editor.type(blank if character == " " else character)
            else:
                return False
            self._comment_end = self.editor.cursor_location
            return True
        blank = self.editor.editing.letters.get((character or "").lower())
        if blank is not None:
            self.editor.type(blank)
            return True
        if character == COMMENT_START:
            self.editor.type(character)
            self._comment_end = self.editor.cursor_location
            return True
        return False

    def paste(self, text: str) -> bool:
        """Convert pasted letters to whitespace; ask first if the text contains other characters."""
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
                f"It contains the letters {letters} and other text.",
                (
                    DialogChoice(
                        "letters",
                        "l",
                        "Letters",
                        f"convert them to whitespace: {plural(len(shown.source), 'byte')}",
                    ),
                    DialogChoice("raw", "r", "Raw", "insert every byte as it is"),
                ),
            ),
            answered,
        )
        return True


class OverwriteMode(TypingMode):
    """Typing that overwrites the text up to the end of the line."""

    label = "overwrites"

    def handle_key(self, event: Key) -> bool:
        editor, character = self.editor, event.character
        if editor.read_only or not event.is_printable or not character:
            return False
        row, column = editor.cursor_location
        if editor.selection.is_empty and column < len(editor.document.get_line(row)):
            editor.selection = Selection((row, column), (row, column + 1))
        editor.type(character)
        return True


def mode_for(editor: SelectionEditor, *, is_alternative: bool) -> TypingMode:
    """Return the default typing mode of a language, or its alternative."""
    if editor.editing.grid:
        return TypingMode(editor) if is_alternative else GridMode(editor)
    if editor.editing.letters:
        return TypingMode(editor) if is_alternative else WhitespaceMode(editor)
    return OverwriteMode(editor) if is_alternative else TypingMode(editor)
