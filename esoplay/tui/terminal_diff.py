"""The cells of the terminal, and the shortest output that changes them.

Textual sends each changed part of a row from the start of its widget, in runs that set all colours
and reset them afterwards. :class:`TerminalCells` parses this output, compares it with the screen,
and sends only the cells that differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.cells import cell_len
from textual._ansi_sequences import SYNC_END, SYNC_START
from textual.driver import Driver

from esoplay.tui.terminal import ExactDriver

if TYPE_CHECKING:
    from textual.app import App


# Colours and attributes of a cell, and the shortest sequence from one to the next. Codes as in
# ECMA-48, 8.3.117 (SGR), with the colours of ISO 8613-6 (38 and 48).

INVISIBLE_ON_SPACES = frozenset({"1", "2", "3"})
"""The SGR codes of bold, faint and italics, which do not change how a space looks."""

END_CODES = {
    "1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "6": "25", "7": "27", "8": "28",
    "9": "29", "21": "24", "51": "54", "52": "54", "53": "55",
}  # fmt: skip
"""The code that ends each attribute; some codes end two, such as 22 for bold and faint."""

PEN_CACHE_SIZE = 4096
"""Maximum number of cached pens, and of cached changes between pens."""


class Pen(NamedTuple):
    """A style of cells: colours, and attributes such as bold.

    attributes: SGR codes in order.
    foreground, background: SGR parameters that set the colours; empty for the terminal's default.
    """

    attributes: tuple[str, ...] = ()
    foreground: str = ""
    background: str = ""


PLAIN_PEN = Pen()


@lru_cache(PEN_CACHE_SIZE)
def parse_pen(parameters: str) -> Pen | None:
    """Return the pen that SGR parameters select, or None for unknown parameters."""
    attributes: set[str] = set()
    foreground = background = ""
    codes = iter(parameters.split(";"))
    for code in codes:
        if code in {"", "0"}:
            attributes.clear()
            foreground = background = ""
        elif code in END_CODES:
            attributes.add(code)
        elif code in {"38", "48"}:
            colour = _colour(code, codes)
            if colour is None:
                return None
            foreground, background = (colour, background) if code == "38" else (foreground, colour)
        elif len(code) == 2 and code[0] in "39" and code[1] in "01234567":
            foreground = code
        elif code[:-1] in {"4", "10"} and code[-1] in "01234567":
            background = code
        elif code in {"39", "49"}:
            foreground, background = ("", background) if code == "39" else (foreground, "")
        else:
            return None
    return Pen(tuple(sorted(attributes)), foreground, background)


def _colour(code: str, codes: Iterator[str]) -> str | None:
    """Return the SGR parameters of an indexed (5) or RGB (2) colour."""
    kind = next(codes, "")
    parts = [next(codes, "") for _ in range({"5": 1, "2": 3}.get(kind, 0))]
    return ";".join([code, kind, *parts]) if parts and all(parts) else None


@lru_cache(PEN_CACHE_SIZE)
def keep_visible_on_spaces(pen: Pen) -> Pen:
    """Return the part of a pen that is visible on a space."""
    if INVISIBLE_ON_SPACES.issuperset(pen.attributes):
        return Pen(background=pen.background)
    return pen


@lru_cache(PEN_CACHE_SIZE)
def nearest_space_pen(previous: Pen, blank: Pen) -> Pen:
    """Return a pen that draws spaces as ``blank`` does and otherwise resembles ``previous``."""
    if blank.attributes:
        return blank
    kept = tuple(code for code in previous.attributes if code in INVISIBLE_ON_SPACES)
    return Pen(kept, previous.foreground, blank.background)


@lru_cache(PEN_CACHE_SIZE)
def style_change(old: Pen, new: Pen) -> str:
    """Return the shortest sequence that changes one pen to the other; "" if they are equal."""
    if old == new:
        return ""
    gone = {END_CODES[code] for code in old.attributes if code not in new.attributes}
    parts = sorted(gone)
    parts += [
        code for code in new.attributes if code not in old.attributes or END_CODES[code] in gone
    ]
    if old.foreground != new.foreground:
        parts.append(new.foreground or "39")
    if old.background != new.background:
        parts.append(new.background or "49")
    # An empty first parameter is 0: all attributes off.
    reset = ["", *new.attributes, *(part for part in (new.foreground, new.background) if part)]
    return f"\x1b[{min(';'.join(parts), ';'.join(reset), key=len)}m"


# Runs of text in one style, and rows of cells as a terminal stores them

_NARROW_TEXT = re.compile("[ -~\u00a1-\u00ac\u00ae-\u02ff\u2190-\u21ff\u2500-\u25fc\u2800-\u28ff]+")
"""Text whose characters all take one cell; it needs no look-up of widths, and most text matches."""


class TextRun(NamedTuple):
    """Text in one style. width: in columns. is_narrow: whether each character takes one column."""

    y: int
    x: int
    text: str
    pen: Pen
    width: int
    is_narrow: bool


class SplitCharacterError(Exception):
    """Half of a wide character would remain; terminals differ in how they display a half."""


class CellRow:
    """The cells of a row: text and pen of each.

    The text of an unknown cell is None. A wide character is in its first cell, and its second cell
    is empty.
    """

    __slots__ = ("pens", "texts")

    def __init__(self, texts: list[str | None], pens: list[Pen]) -> None:
        self.texts = texts
        self.pens = pens

    def copy(self) -> CellRow:
        return CellRow(self.texts.copy(), self.pens.copy())

    def put(self, run: TextRun) -> None:
        """Replace the cells that a run covers.

        Raises SplitCharacterError if half of a wide character would remain.
        """
        _, x, text, pen, width, is_narrow = run
        end = x + width
        texts, pens = self.texts, self.pens
        if len(texts) < end:
            missing = end - len(texts)
            texts += [None] * missing
            pens += [PLAIN_PEN] * missing
        if texts[x] == "" or (end < len(texts) and texts[end] == ""):
            raise SplitCharacterError
        if is_narrow:
            blank = keep_visible_on_spaces(pen)
            texts[x:end] = text
            pens[x:end] = [blank if letter == " " else pen for letter in text]
        else:
            texts[x:end] = [text] + [""] * (width - 1)
            pens[x:end] = [pen] * width

    def pen_from(self, previous: Pen, x: int) -> Pen:
        """Return the pen to draw the cell at ``x`` with, after a cell drawn with ``previous``.

        For a space, it is the pen nearest to ``previous`` with which the space looks the same.
        """
        pen = self.pens[x]
        return nearest_space_pen(previous, pen) if self.texts[x] == " " else pen

    def end_of_style(self, x: int, end: int, pen: Pen) -> int:
        """Return the first column from ``x`` whose cell ``pen`` cannot draw, at most ``end``.

        A pen cannot draw cells in another style, unknown cells, or wide characters.
        """
        texts, pens = self.texts, self.pens
        blank = keep_visible_on_spaces(pen)
        while x < end:
            text = texts[x]
            if text is None or len(text) != 1 or pens[x] != (blank if text == " " else pen):
                break
            if x + 1 < len(texts) and texts[x + 1] == "":
                break
            x += 1
        return x

    def text(self, x: int, end: int) -> str:
        """Return the text of columns ``x`` to ``end`` - 1; none of these cells may be unknown."""
        return "".join([text or "" for text in self.texts[x:end]])


@lru_cache(4096)
def measure(text: str) -> tuple[int, bool]:
    """Return the width in columns, and whether each character always takes one column."""
    if _NARROW_TEXT.fullmatch(text):
        return len(text), True
    width = cell_len(text)
    return width, width == len(text) and all(cell_len(letter) == 1 for letter in text)


# Parse Textual's output

_TOKEN = re.compile(
    r"\x1b\[(?P<row>\d+);(?P<column>\d+)H"
    r"|\x1b\[(?P<pen>[\d;]*)m"
    r"|(?P<end>\n)"
    r"|(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
)
"""Matches one part of a screen update by Textual: a control sequence, a line end, or text."""


class Paint(NamedTuple):
    """An update of the screen by Textual.

    runs: the text that it writes. cursor: the cursor's row and column afterwards.
    """

    runs: list[TextRun]
    cursor: tuple[int, int]

    @property
    def is_full_repaint(self) -> bool:
        """Whether the update seems to paint all rows.

        It must fill at least the first two rows, without gaps and in the same width.
        """
        widths: dict[int, int] = {}
        for y, x, _text, _pen, width, _narrow in self.runs:
            if x != widths.get(y, 0) or (y and y - 1 not in widths):
                return False
            widths[y] = x + width
        return len(widths) > 1 and len(set(widths.values())) == 1


def parse_paint(data: str) -> Paint | None:
    """Parse ``data`` as an update of the screen by Textual; return None for other output."""
    runs: list[TextRun] = []
    y, x, pen, position = -1, -1, PLAIN_PEN, 0
    for token in _TOKEN.finditer(data):
        if token.start() != position:
            return None
        position = token.end()
        row, column, parameters, end, text = token.groups()
        if row is not None:
            y, x = int(row) - 1, int(column) - 1
        elif parameters is not None:
            found = parse_pen(parameters)
            if found is None:
                return None
            pen = found
        elif end is not None:
            x = -1
        else:
            width, narrow = measure(text)
            if x < 0 or not width:
                return None
            runs.append(TextRun(y, x, text, pen, width, narrow))
            x += width
    if position != len(data) or not runs or x < 0 or pen != PLAIN_PEN:
        return None
    return Paint(runs, (y, x))


# Write cells with as few cursor moves and colour changes as possible

MIN_SORTED_BYTES = 400
"""Minimum bytes of output that may be sorted by colour; shorter output is sent row by row."""


class CellChanges:
    """The cells of an update that differ from the screen, row by row."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, CellRow, list[tuple[int, int]]]] = []
        self._has_wide = False

    def compare_row(self, y: int, old_row: CellRow | None, new_row: CellRow) -> None:
        """Collect the cells of a row that differ from the screen."""
        different = list(_column_runs(_changed_columns(old_row, new_row)))
        if different:
            self._rows.append((y, new_row, different))
            self._has_wide |= "" in new_row.texts or (old_row is not None and "" in old_row.texts)

    def sequence(self, cursor_before: tuple[int, int] | None, cursor_after: tuple[int, int]) -> str:
        """Return the output that draws the collected cells on the terminal.

        cursor_before, cursor_after: row and column of the cursor before the output, and as required
        afterwards. A change of colour takes more bytes than a move, so many changes are sorted by
        pen if the output is then shorter. Wide characters are not sorted, because half of one could
        be overwritten.
        """
        writer = EscapeWriter(cursor_before)
        for y, row, stretches in self._rows:
            for x, end in stretches:
                while x < end:
                    x = writer.write(y, x, end, row)
        in_order = writer.finish(cursor_after)
        if self._has_wide or len(in_order) < MIN_SORTED_BYTES:
            return in_order
        return min(in_order, self._write_by_pen(cursor_before, cursor_after), key=_size)

    def _write_by_pen(
        self, cursor_before: tuple[int, int] | None, cursor_after: tuple[int, int]
    ) -> str:
        pieces: dict[Pen, list[tuple[int, int, int, CellRow]]] = {}
        pen = PLAIN_PEN
        for y, row, stretches in self._rows:
            for x, end in stretches:
                while x < end:
                    pen = row.pen_from(pen, x)
                    end_column = max(row.end_of_style(x, end, pen), x + 1)
                    pieces.setdefault(pen, []).append((y, x, end_column, row))
                    x = end_column
        writer = EscapeWriter(cursor_before)
        for pen, places in pieces.items():
            writer.use(pen)
            for y, x, end, row in places:
                writer.write(y, x, end, row)
        return writer.finish(cursor_after)


class EscapeWriter:
    """Collects output for the terminal; the output starts and ends with the default pen."""

    def __init__(self, cursor: tuple[int, int] | None) -> None:
        self._parts: list[str] = []
        self._pen = PLAIN_PEN
        self._cursor = cursor

    def write(self, y: int, x: int, end: int, row: CellRow) -> int:
        """Move to a cell, and write it with the following cells of the same style.

        Returns the column after these cells.
        """
        self._move_cursor(y, x, row)
        self.use(row.pen_from(self._pen, x))
        end_column = row.end_of_style(x, end, self._pen)
        if end_column > x:
            self._parts.append(row.text(x, end_column))
            self._cursor = y, end_column
            return end_column
        self._parts.append(row.text(x, x + 1))
        self._cursor = None  # terminals disagree on which characters are wide
        return x + 1

    def use(self, pen: Pen) -> None:
        """Use ``pen`` for text from now on."""
        if pen != self._pen:
            self._parts.append(style_change(self._pen, pen))
            self._pen = pen

    def finish(self, cursor: tuple[int, int]) -> str:
        """Return the collected output, with the cursor moved to ``cursor``."""
        self.use(PLAIN_PEN)
        if self._cursor != cursor:
            self._parts.append(_move_sequence(*cursor))
        return "".join(self._parts)

    def _move_cursor(self, y: int, x: int, row: CellRow) -> None:
        if self._cursor == (y, x):
            return
        if self._cursor is None or self._cursor[0] != y:
            self._parts.append(_move_sequence(y, x))
            return
        move = f"\x1b[{x + 1}G"
        between = self._bridge_text(row, self._cursor[1], x, len(move))
        self._parts.append(move if between is None else between)

    def _bridge_text(self, row: CellRow, first: int, end: int, max_bytes: int) -> str | None:
        """Return the text of the cells from ``first`` to ``end``; printing it moves the cursor.

        Returns None if the text takes more bytes than ``max_bytes``, or needs another pen.
        """
        if not 0 < end - first <= max_bytes or row.end_of_style(first, end, self._pen) < end:
            return None
        between = row.text(first, end)
        return between if len(between.encode()) <= max_bytes else None


def _changed_columns(old_row: CellRow | None, new_row: CellRow) -> list[int]:
    """Return the columns whose cells must be written.

    The second cell of a wide character and unknown cells are not written.
    """
    texts, pens = new_row.texts, new_row.pens
    if old_row is None:
        return [x for x, text in enumerate(texts) if text]
    if old_row.texts == texts and old_row.pens == pens:
        return []
    cells = zip(texts, pens, old_row.texts, old_row.pens, strict=False)
    found = [
        x
        for x, (text, pen, old_text, old_pen) in enumerate(cells)
        if text and (text != old_text or pen != old_pen)
    ]
    known = len(old_row.texts)
    return found + [x for x, text in enumerate(texts[known:], known) if text]


def _column_runs(columns: list[int]) -> Iterator[tuple[int, int]]:
    """Yield runs of adjacent columns as ``(first, end)``."""
    first = end = -1
    for x in columns:
        if x != end:
            if first >= 0:
                yield first, end
            first = x
        end = x + 1
    if first >= 0:
        yield first, end


def _move_sequence(y: int, x: int) -> str:
    return f"\x1b[{y + 1};{x + 1}H" if x else f"\x1b[{y + 1}H"


def _size(sequence: str) -> int:
    return len(sequence.encode())


_INVISIBLE_OUTPUT = re.compile(
    r"(?:\x1b\[\?(?!(?:47|1047|1049)[hl])\d+(?:\$p|[hl])|\x1b\[[<>=]\d*u|\x1b\]52;[^\x07\x1b]*\x07)*"
)
"""Output that does not change cells: queries, clipboard, modes that do not switch screens."""


class TerminalCells:
    """The last known contents of a terminal's cells, used to send only changes."""

    def __init__(self) -> None:
        self._rows: dict[int, CellRow] = {}
        self._cursor: tuple[int, int] | None = None

    def forget(self) -> None:
        """Mark all cells as unknown, because the screen may have changed."""
        self._rows.clear()
        self._cursor = None

    def shorten(self, data: str) -> str:
        """Return output with the same effect as ``data``.

        After a resize, Textual paints all rows; such a paint is sent completely. Output that is not
        a paint is returned unchanged; if it may change cells, all cells are unknown afterwards.
        """
        paint = parse_paint(data)
        if paint is None:
            if not _INVISIBLE_OUTPUT.fullmatch(data):
                self.forget()
            return data
        if paint.is_full_repaint:
            self.forget()
        try:
            painted = self._rows_after(paint.runs)
        except SplitCharacterError:
            self.forget()
            return data
        changes = CellChanges()
        for y in sorted(painted):
            changes.compare_row(y, self._rows.get(y), painted[y])
        self._rows.update(painted)
        before, self._cursor = self._cursor, paint.cursor
        return changes.sequence(before, paint.cursor)

    def _rows_after(self, runs: list[TextRun]) -> dict[int, CellRow]:
        """Return each row that contains one of ``runs``, as it is after the runs are printed."""
        rows: dict[int, CellRow] = {}
        for run in runs:
            row = rows.get(run.y)
            if row is None:
                shown = self._rows.get(run.y)
                row = rows[run.y] = CellRow([], []) if shown is None else shown.copy()
            row.put(run)
        return rows


# The driver that sends only changed cells


class DiffDriver(ExactDriver):
    """A driver of Unix terminals that sends only the cells changed since the last paint."""

    _cells: TerminalCells | None = None
    _is_update_pending = False

    def write(self, data: str) -> None:
        """Send ``data``, or shorter output with the same effect.

        The brackets of synchronised output are sent only if there is output between them.
        """
        if self._cells is None:
            self._cells = TerminalCells()
        if data == SYNC_START:
            self._is_update_pending = True
        elif data == SYNC_END and self._is_update_pending:
            self._is_update_pending = False
        elif needed := self._cells.shorten(data):
            if self._is_update_pending:
                self._is_update_pending = False
                super().write(SYNC_START)
            super().write(needed)

    def repaint_all(self) -> None:
        """Send the next paint completely; another program may have written to the screen."""
        self._cells = None


def diff_driver(driver: type[Driver]) -> type[Driver]:
    """Return DiffDriver in place of ExactDriver; return any other driver unchanged."""
    return DiffDriver if driver is ExactDriver else driver


def repaint_all(app: App[Any]) -> None:
    """Paint all cells of the terminal again."""
    driver = app._driver  # pyright: ignore[reportPrivateUsage]
    if isinstance(driver, DiffDriver):
        driver.repaint_all()
    app.refresh(layout=True)
