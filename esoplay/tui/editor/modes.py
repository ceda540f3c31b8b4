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
from esoplay.tui.editor.document import FIRST_PLACEHOLDER, clean_text, to_bytes, to_text
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
        """The number of rows below the last line of the text to which the cursor can move."""
        return 0

    def handle_key(self, event: Key) -> bool:
        """Handle a key; return whether it was handled."""
        return False

    def paste(self, text: str) -> bool:
        """Paste text; return False to let the editor insert it unchanged."""
        return False

    def select_all(self) -> bool:
        """Select everything; return False if the editor should select the whole text instead."""
        return False

    def copied_text(self) -> str | None:
        """Return the text to copy, or None if the editor should copy the selected text."""
        return None

    def clear(self) -> bool:
        """Clear the mode's own selection, such as a rectangle; return False if it has none."""
        return False


# Typing on a plane: characters overwrite others, in any direction.

Delta = tuple[int, int]

_ARROW_KEYS: dict[str, Delta] = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
_TURNS: dict[str, Delta] = {"^": (-1, 0), "v": (1, 0), "<": (0, -1), ">": (0, 1)}
_ARROW_GLYPHS = {delta: sign for sign, delta in zip("↑↓←→", _ARROW_KEYS.values(), strict=True)}
_DIRECTION_NAMES = dict(zip(_ARROW_KEYS.values(), ("north", "south", "west", "east"), strict=True))
_CARRIAGE_RETURN = chr(FIRST_PLACEHOLDER + 13)


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
        self._position: Location = editor.cursor_location
        self._anchor: Location | None = None
        self._run_start = self._position
        self._is_in_string = False

    @property
    def label(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return f"types {_DIRECTION_NAMES[self.direction]} {_ARROW_GLYPHS[self.direction]}"

    @property
    def position(self) -> Location:
        """The cell of the cursor, which can be outside the text.

        If other code has moved the editor's cursor, this is the location of the editor's cursor.
        """
        here = self.editor.cursor_location
        if self._clamp(self._position) != here:
            self._position = here
            self._start_run()
        if self._anchor is None or self._clamp(self._anchor) != self.editor.selection.start:
            start = self.editor.selection.start
            self._anchor = None if start == here else start
        return self._position

    @property
    def extra_rows(self) -> int:
        return 1

    # Keys

    def handle_key(self, event: Key) -> bool:
        select = event.key.startswith("shift+")
        name = event.key.removeprefix("shift+")
        if name in _ARROW_KEYS:
            self._move(self._next_cell(self.position, _ARROW_KEYS[name]), select=select)
        elif event.key in _DIRECTION_KEYS:
            self.set_direction(_DIRECTION_KEYS[event.key])
        elif self.editor.read_only:
            return False
        elif event.key == "enter":
            self._move_to_next_row()
        elif event.key == "tab":
            self.type("\t")
        elif event.key == "backspace":
            if not self.clear():
                previous = self._next_cell(self.position, (-self.direction[0], -self.direction[1]))
                self._is_in_string ^= self._row(previous[0])[previous[1] : previous[1] + 1] == '"'
                self._clear_cells([previous], 1)
                self._continue_run(previous)
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
        location = self.position
        if self._run_start == location:
            self._is_in_string = self._is_inside_string(location)
        self._write_block(location, [clean_text(character)])
        new_direction = not self._is_in_string and self.follows_arrows and _TURNS.get(character)
        if character == '"':
            self._is_in_string = not self._is_in_string
        if new_direction:
            self.direction = new_direction
        self._continue_run(self._next_cell(location, self.direction))

    def paste(self, text: str) -> bool:
        """Write the pasted lines as a block, which replaces the selected rectangle."""
        lines = [line.removesuffix(_CARRIAGE_RETURN) for line in clean_text(text).split("\n")]
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
        """Clear the selected rectangle; return False if nothing is selected."""
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
        self._run_start = self._position

    def _next_cell(self, location: Location, delta: Delta) -> Location:
        """Return the next cell in a direction, at most one row below the text."""
        last = self.editor.document.line_count
        return min(max(0, location[0] + delta[0]), last), max(0, location[1] + delta[1])

    def _clamp(self, location: Location) -> Location:
        document = self.editor.document
        if location[0] >= document.line_count:
            return document.end
        return location[0], min(location[1], len(self._row(location[0])))

    def _move(self, location: Location, *, select: bool = False) -> None:
        anchor = (self._anchor or self.position) if select else None
        self._continue_run(location, anchor)
        self._start_run()
        self.editor.history.checkpoint()

    def _continue_run(self, location: Location, anchor: Location | None = None) -> None:
        """Move the cursor without changing the cell where typing started.

        anchor: the opposite corner of the selection, or None.
        """
        self._position = location
        self._anchor = anchor
        end = self._clamp(location)
        scroll_offset = self.editor.scroll_offset
        self.editor.selection = Selection(self._clamp(anchor) if anchor else end, end)
        if end != location:  # The view has scrolled to the text cursor; scroll back.
            self.editor.scroll_to(*scroll_offset, animate=False, force=True, immediate=True)
        self.editor.show_cell(location)

    def _move_to_next_row(self) -> None:
        """Move below the cell where typing started, or to its right if typing vertically."""
        row, column = self._run_start
        next_start = (row + 1, column) if self.direction[0] == 0 else (row, column + 1)
        self._move((min(next_start[0], self.editor.document.line_count), next_start[1]))

    def _is_inside_string(self, location: Location) -> bool:
        row = self._row(location[0])
        if self.direction[0] or not row:
            return False
        passed = row[: location[1]] if self.direction[1] > 0 else row[location[1] + 1 :]
        return passed.count('"') % 2 == 1

    # Cells

    def _row(self, number: int) -> str:
        """Return the cells of a row, without a carriage return at its end."""
        if number >= self.editor.document.line_count:
            return ""
        return self.editor.document.get_line(number).removesuffix(_CARRIAGE_RETURN)

    def _write_block(self, location: Location, lines: list[str]) -> None:
        """Write lines below each other, starting at a cell, as one edit."""
        row, column = location
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
        ends_with_newline = count > 1 and not self._row(count - 1)
        covered = (top, left) == (0, 0) and len(written) >= count - ends_with_newline
        if covered and not any(written[len(lines) :]):
            end = "\n" if ends_with_newline else ""
            self._replace((0, 0), self.editor.document.end, "\n".join(lines) + end)
        else:
            self._rewrite(top, written)

    def _clear_cells(self, starts: list[Location], width: int) -> None:
        """Clear ``width`` cells in each row of a rectangle.

        starts: the leftmost cell of each row, from top to bottom; all are in the same column.
        """
        written: list[str] = []
        for row, column in starts:
            old = self._row(row)
            new = old[:column] + " " * min(width, len(old) - column) + old[column + width :]
            written.append(new if column + width < len(old) else old[:column])
        if len(starts) == 1 and starts[0][0] < self.editor.document.line_count:
            row, column = starts[0]
            size = len(self._row(row))
            self._replace(
                (row, min(column, size)),
                (row, min(column + width, size)),
                written[0][column : column + width],
            )
        elif starts:
            existing_rows = self.editor.document.line_count - starts[0][0]
            self._rewrite(starts[0][0], written[:existing_rows])

    def _rewrite(self, first: int, rows: list[str]) -> None:
        """Replace the rows from ``first`` on, and add rows after the last one, as one edit."""
        document = self.editor.document
        count = document.line_count
        line_ends = [
            _CARRIAGE_RETURN
            if number < count and document.get_line(number).endswith(_CARRIAGE_RETURN)
            else ""
            for number in range(first, first + len(rows))
        ]
        text = "\n".join(row + end for row, end in zip(rows, line_ends, strict=True))
        if first >= count:
            self._replace(document.end, document.end, "\n" + text)
            return
        last = min(first + len(rows), count) - 1
        self._replace((first, 0), (last, len(document.get_line(last))), text)

    def _replace(self, start: Location, end: Location, text: str) -> None:
        if start != end or text:
            self.editor.replace(text, start, end, maintain_selection_offset=False)


_DIRECTION_KEYS = {
    f"{modifier}+{name}": delta
    for modifier in ("alt", "ctrl")
    for name, delta in _ARROW_KEYS.items()
}


# Typing whitespace by letters, in languages in which whitespace is code

COMMENT_START = "#"


class WhitespaceMode(TypingMode):
    """Typing of whitespace by letters or by the whitespace keys.

    ``#`` starts a comment, which ends at Enter or when the cursor moves away. In a comment, letters
    are typed unchanged, and the space key types a character that is not code.
    """

    def __init__(self, editor: SelectionEditor) -> None:
        super().__init__(editor)
        self._comment_end: Location | None = None

    @property
    def label(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        if self._is_in_comment:
            return "comment, Enter ends it"
        letters = " ".join(letter.upper() for letter in self.editor.editing.letters)
        return f"keys {letters} type whitespace"

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
        converted = self.editor.editing.from_visible(to_bytes(text))
        if converted is None:
            return False
        if converted.is_certain:
            self.editor.insert_exactly(to_text(converted.source))
            return True

        def answered(answer: str | None) -> None:
            if answer is not None:
                self.editor.insert_exactly(
                    to_text(converted.source) if answer == "letters" else text
                )

        letters = " ".join(letter.upper() for letter in self.editor.editing.letters)
        self.editor.app.push_screen(
            ChoiceDialog(
                "What was pasted?",
                f"The letters {letters} may stand for whitespace or be comments.",
                (
                    DialogChoice(
                        "letters",
                        "l",
                        "Letters",
                        f"convert them to whitespace: {plural(len(converted.source), 'byte')}",
                    ),
                    DialogChoice("raw", "r", "Raw", "insert every byte as it is"),
                ),
            ),
            answered,
        )
        return True


class OverwriteMode(TypingMode):
    """Typing in which a character replaces the next one, or is inserted at the end of a line."""

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
    """Return a typing mode for the language of the editor; each language has two modes.

    is_alternative: whether to return the second mode instead of the default mode.
    """
    if editor.editing.grid:
        return TypingMode(editor) if is_alternative else GridMode(editor)
    if editor.editing.letters:
        return TypingMode(editor) if is_alternative else WhitespaceMode(editor)
    return OverwriteMode(editor) if is_alternative else TypingMode(editor)
