"""Typing on a plane: characters take the place of others, and go on in any direction."""

from __future__ import annotations

from textual.document._document import Location, Selection
from textual.events import Key

from esoplay.tui.editor.codec import PLACEHOLDER, clean
from esoplay.tui.editor.mode import Mode
from esoplay.tui.editor.selecting import SelectingEditor

Delta = tuple[int, int]

_ARROWS: dict[str, Delta] = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
_TURNS: dict[str, Delta] = {"^": (-1, 0), "v": (1, 0), "<": (0, -1), ">": (0, 1)}
_SIGNS = {delta: sign for sign, delta in zip("↑↓←→", _ARROWS.values(), strict=True)}
_RETURN = chr(PLACEHOLDER + 13)


class GridMode(Mode):
    """Rows and columns.  Nothing that stands elsewhere moves, whatever is typed or pasted.

    The cursor may stand beyond the end of a row, or one row below the last: blanks are added
    when something is typed there.  A selection is a rectangle.
    turns: a typed arrow outside of strings turns what is typed after it.
    """

    def __init__(self, editor: SelectingEditor) -> None:
        super().__init__(editor)
        self.turns = True
        self.delta: Delta = (0, 1)
        self._at: Location = editor.cursor_location
        self._anchor: Location | None = None
        self._begin = self._at
        self._string = False

    @property
    def words(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return f"grid {_SIGNS[self.delta]}"

    @property
    def at(self) -> Location:
        """The cell of the cursor; that of the editor's cursor when something else moved it."""
        here = self.editor.cursor_location
        if self._clamped(self._at) != here:
            self._at = here
            self._begin_run()
        if self._anchor is None or self._clamped(self._anchor) != self.editor.selection.start:
            start = self.editor.selection.start
            self._anchor = None if start == here else start
        return self._at

    @property
    def extra_rows(self) -> int:
        return 1

    # Keys

    def key(self, event: Key) -> bool:
        select = event.key.startswith("shift+")
        name = event.key.removeprefix("shift+")
        if name in _ARROWS:
            self._move(self._ahead(self.at, _ARROWS[name]), select=select)
        elif event.key in _DIRECTIONS:
            self.head(_DIRECTIONS[event.key])
        elif self.editor.read_only:
            return False
        elif event.key == "enter":
            self._next_row()
        elif event.key == "tab":
            self.type("\t")
        elif event.key == "backspace":
            if not self.clear():
                before = self._ahead(self.at, (-self.delta[0], -self.delta[1]))
                self._string ^= self._row(before[0])[before[1] : before[1] + 1] == '"'
                self._blank([before], 1)
                self._go_on(before)
        elif event.key == "delete":
            if not self.clear():
                self._blank([self.at], 1)
        elif event.is_printable and event.character:
            self.type(event.character)
        else:
            return False
        return True

    def put_at(self, at: Location) -> None:
        """Put the cursor on a cell that was clicked, beyond the end of a row too."""
        if self.editor.selection.is_empty and self._clamped(at) == self.editor.cursor_location:
            self._go_on(at)
            self._begin_run()

    def head(self, delta: Delta) -> None:
        """Type in this direction from now on."""
        self.delta = delta
        self._begin_run()
        self.editor.look()

    def type(self, character: str) -> None:
        """Put a character into the cell at the cursor and go on."""
        at = self.at
        if self._begin == at:
            self._string = self._in_string(at)
        self._put(at, [clean(character)])
        turned = not self._string and self.turns and _TURNS.get(character)
        if character == '"':
            self._string = not self._string
        if turned:
            self.delta = turned
        self._go_on(self._ahead(at, self.delta))

    def paste(self, text: str) -> bool:
        """Put the pasted lines below each other, as a block; a selected rectangle makes way."""
        lines = [line.removesuffix(_RETURN) for line in clean(text).split("\n")]
        if len(lines) > 1 and not lines[-1]:
            lines.pop()
        rectangle = self._rectangle()
        row, column = self.at if rectangle is None else rectangle[0]
        if rectangle is None:
            self._put(self.at, lines)
        else:
            self._put_instead(rectangle, lines)
        self._move((row + len(lines) - 1, column + len(lines[-1])))
        return True

    # Rectangles

    def selected_in(self, line: int) -> tuple[int, int] | None:
        rectangle = self._rectangle()
        if rectangle is None or not rectangle[0][0] <= line <= rectangle[1][0]:
            return None
        return rectangle[0][1], rectangle[1][1] + 1

    def select_all(self) -> bool:
        """Select the rectangle around all rows, however short the last one is."""
        rows = range(self.editor.document.line_count)
        self._move((0, 0))
        last = rows[-1] if self._row(rows[-1]) or len(rows) == 1 else rows[-2]
        self._move((last, max(0, max(len(self._row(row)) for row in rows) - 1)), select=True)
        return True

    def copied(self) -> str | None:
        """The cells of the rectangle, or the one of the cursor; blanks where a row is short."""
        (top, left), (bottom, right) = self._rectangle() or (self.at, self.at)
        return "\n".join(
            self._row(row)[left : right + 1].ljust(right + 1 - left)
            for row in range(top, bottom + 1)
        )

    def clear(self) -> bool:
        """Blank the rectangle."""
        rectangle = self._rectangle()
        if rectangle is None:
            return False
        (top, left), (bottom, right) = rectangle
        self._blank([(row, left) for row in range(top, bottom + 1)], right + 1 - left)
        self._move((top, left))
        return True

    def _rectangle(self) -> tuple[Location, Location] | None:
        at = self.at
        anchor = self._anchor
        if anchor is None or (self.editor.selection.is_empty and anchor == at):
            return None
        rows, columns = sorted((at[0], anchor[0])), sorted((at[1], anchor[1]))
        return (rows[0], columns[0]), (rows[1], columns[1])

    # Moving

    def _begin_run(self) -> None:
        self._begin = self._at

    def _ahead(self, at: Location, delta: Delta) -> Location:
        """The next cell; the plane begins at its first row and column."""
        last = self.editor.document.line_count
        return min(max(0, at[0] + delta[0]), last), max(0, at[1] + delta[1])

    def _clamped(self, at: Location) -> Location:
        document = self.editor.document
        if at[0] >= document.line_count:
            return document.end
        return at[0], min(at[1], len(self._row(at[0])))

    def _move(self, to: Location, *, select: bool = False) -> None:
        anchor = (self._anchor or self.at) if select else None
        self._go_on(to, anchor)
        self._begin_run()
        self.editor.history.checkpoint()

    def _go_on(self, to: Location, anchor: Location | None = None) -> None:
        self._at = to
        self._anchor = anchor
        end = self._clamped(to)
        self.editor.selection = Selection(self._clamped(anchor) if anchor else end, end)
        self.editor.show_cell(to)

    def _next_row(self) -> None:
        """To the row, or the column, beside the one in which this run of typing began."""
        row, column = self._begin
        beside = (row + 1, column) if self.delta[0] == 0 else (row, column + 1)
        self._move((min(beside[0], self.editor.document.line_count), beside[1]))

    def _in_string(self, at: Location) -> bool:
        row = self._row(at[0])
        if self.delta[0] or not row:
            return False
        passed = row[: at[1]] if self.delta[1] > 0 else row[at[1] + 1 :]
        return passed.count('"') % 2 == 1

    # Cells

    def _row(self, number: int) -> str:
        """A row's cells, without the carriage return that may end it."""
        if number >= self.editor.document.line_count:
            return ""
        return self.editor.document.get_line(number).removesuffix(_RETURN)

    def _put(self, at: Location, lines: list[str]) -> None:
        """Write lines below each other from a cell on, as one edit."""
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

    def _put_instead(self, rectangle: tuple[Location, Location], lines: list[str]) -> None:
        """Write lines where a rectangle was, whose other cells become blank, as one edit."""
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

    def _blank(self, cells: list[Location], width: int) -> None:
        """Blank some cells from each of these on, which stand below each other."""
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
        """Put rows in the place of others, and behind the last one, as one edit."""
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
