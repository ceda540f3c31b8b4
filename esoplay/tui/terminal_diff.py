"""What a terminal shows, cell by cell, and what has to be sent to change it.

Textual sends each changed part of a row from the beginning of its widget, in runs that set all
colours and reset them after.  :class:`TerminalCells` reads such a paint, compares it with what is
there, and sends the cells that differ.
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


# Colours and attributes of a cell, and the shortest way from one to the next.
#
# Codes as in ECMA-48, 8.3.117 (SGR), with the colours of ISO 8613-6 (38 and 48).

UNSEEN_ON_BLANKS = frozenset({"1", "2", "3"})
"""Bold, faint and italics: a blank looks the same with them."""

OFF = {
    "1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "6": "25", "7": "27", "8": "28",
    "9": "29", "21": "24", "51": "54", "52": "54", "53": "55",
}  # fmt: skip
"""What ends an attribute; bold and faint, for one, end together."""

REMEMBERED = 4096
"""Pens, and changes of pens, that are not worked out again."""


class Pen(NamedTuple):
    """How cells are drawn.

    attributes: codes of SGR in order.  front, back: the parameters of SGR that set the colours,
    empty for the terminal's own.
    """

    attributes: tuple[str, ...] = ()
    front: str = ""
    back: str = ""


PLAIN = Pen()


@lru_cache(REMEMBERED)
def pen_of(parameters: str) -> Pen | None:
    """The pen that parameters of SGR make of a plain one; None for any that no pen has."""
    attributes: set[str] = set()
    front = back = ""
    codes = iter(parameters.split(";"))
    for code in codes:
        if code in {"", "0"}:
            attributes.clear()
            front = back = ""
        elif code in OFF:
            attributes.add(code)
        elif code in {"38", "48"}:
            colour = _colour(code, codes)
            if colour is None:
                return None
            front, back = (colour, back) if code == "38" else (front, colour)
        elif len(code) == 2 and code[0] in "39" and code[1] in "01234567":
            front = code
        elif code[:-1] in {"4", "10"} and code[-1] in "01234567":
            back = code
        elif code in {"39", "49"}:
            front, back = ("", back) if code == "39" else (front, "")
        else:
            return None
    return Pen(tuple(sorted(attributes)), front, back)


def _colour(code: str, codes: Iterator[str]) -> str | None:
    """The parameters of a colour from a table (5) or by its parts (2)."""
    kind = next(codes, "")
    parts = [next(codes, "") for _ in range({"5": 1, "2": 3}.get(kind, 0))]
    return ";".join([code, kind, *parts]) if parts and all(parts) else None


@lru_cache(REMEMBERED)
def seen_on_blanks(pen: Pen) -> Pen:
    """What of a pen shows where it draws a blank."""
    if UNSEEN_ON_BLANKS.issuperset(pen.attributes):
        return Pen(back=pen.back)
    return pen


@lru_cache(REMEMBERED)
def for_blanks(before: Pen, blank: Pen) -> Pen:
    """The pen nearest to ``before`` whose blanks look like those of ``blank``."""
    if blank.attributes:
        return blank
    kept = tuple(code for code in before.attributes if code in UNSEEN_ON_BLANKS)
    return Pen(kept, before.front, blank.back)


@lru_cache(REMEMBERED)
def change(before: Pen, after: Pen) -> str:
    """The shortest sequence that turns one pen into the other, empty between equal ones."""
    if before == after:
        return ""
    gone = {OFF[code] for code in before.attributes if code not in after.attributes}
    parts = sorted(gone)
    parts += [
        code for code in after.attributes if code not in before.attributes or OFF[code] in gone
    ]
    if before.front != after.front:
        parts.append(after.front or "39")
    if before.back != after.back:
        parts.append(after.back or "49")
    # An empty first parameter is 0: all off.
    anew = ["", *after.attributes, *(part for part in (after.front, after.back) if part)]
    return f"\x1b[{min(';'.join(parts), ';'.join(anew), key=len)}m"


# Runs of text in one style, and rows of cells as a terminal keeps them.

_NARROW = re.compile("[ -~\u00a1-\u00ac\u00ae-\u02ff\u2190-\u21ff\u2500-\u25fc\u2800-\u28ff]+")
"""Text whose letters take one cell each, told without a table: most that is ever shown."""


class TextRun(NamedTuple):
    """Text in one style.  width: columns.  narrow: every letter takes one of them."""

    y: int
    x: int
    text: str
    pen: Pen
    width: int
    narrow: bool


class HalvedError(Exception):
    """Terminals differ in what they show in place of half a wide character."""


class CellRow:
    """Cells of a row: text and pen of each, and None as text of one that is not known.

    What is wider than a cell is in its first one, with nothing in the cells behind it.
    """

    __slots__ = ("pens", "texts")

    def __init__(self, texts: list[str | None], pens: list[Pen]) -> None:
        self.texts = texts
        self.pens = pens

    def copy(self) -> CellRow:
        return CellRow(self.texts.copy(), self.pens.copy())

    def put(self, run: TextRun) -> None:
        """Write a run.

        Raises HalvedError when half of something wide would be left.
        """
        _, x, text, pen, width, narrow = run
        end = x + width
        texts, pens = self.texts, self.pens
        if len(texts) < end:
            missing = end - len(texts)
            texts += [None] * missing
            pens += [PLAIN] * missing
        if texts[x] == "" or (end < len(texts) and texts[end] == ""):
            raise HalvedError
        if narrow:
            blank = seen_on_blanks(pen)
            texts[x:end] = text
            pens[x:end] = [blank if letter == " " else pen for letter in text]
        else:
            texts[x:end] = [text] + [""] * (width - 1)
            pens[x:end] = [pen] * width

    def pen_from(self, before: Pen, x: int) -> Pen:
        """The pen for the cell at ``x``; for a blank the nearest one to ``before``."""
        pen = self.pens[x]
        return for_blanks(before, pen) if self.texts[x] == " " else pen

    def alike(self, x: int, end: int, pen: Pen) -> int:
        """The column up to which cells from ``x`` on are narrow and look as ``pen`` draws them."""
        texts, pens = self.texts, self.pens
        blank = seen_on_blanks(pen)
        while x < end:
            text = texts[x]
            if text is None or len(text) != 1 or pens[x] != (blank if text == " " else pen):
                break
            if x + 1 < len(texts) and texts[x + 1] == "":
                break
            x += 1
        return x

    def text(self, x: int, end: int) -> str:
        """The text of cells that are known."""
        return "".join([text or "" for text in self.texts[x:end]])


@lru_cache(4096)
def measure(text: str) -> tuple[int, bool]:
    """Width in columns, and whether every letter takes one, whatever is beside it."""
    if _NARROW.fullmatch(text):
        return len(text), True
    width = cell_len(text)
    return width, width == len(text) and all(cell_len(letter) == 1 for letter in text)


# Reads what Textual paints.

_TOKEN = re.compile(
    r"\x1b\[(?P<row>\d+);(?P<column>\d+)H"
    r"|\x1b\[(?P<pen>[\d;]*)m"
    r"|(?P<end>\n)"
    r"|(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
)
"""All that Textual paints with (``_compositor.py``)."""


class Paint(NamedTuple):
    """What is written, and where the cursor is left, as row and column."""

    runs: list[TextRun]
    cursor: tuple[int, int]

    @property
    def is_whole(self) -> bool:
        """Every row from the first to its last is filled, without a gap."""
        widths: dict[int, int] = {}
        for y, x, _text, _pen, width, _narrow in self.runs:
            if x != widths.get(y, 0) or (y and y - 1 not in widths):
                return False
            widths[y] = x + width
        return len(widths) > 1 and len(set(widths.values())) == 1


def paint_of(data: str) -> Paint | None:
    """The paint that ``data`` is; None for anything else."""
    runs: list[TextRun] = []
    y, x, pen, position = -1, -1, PLAIN, 0
    for token in _TOKEN.finditer(data):
        if token.start() != position:
            return None
        position = token.end()
        row, column, parameters, end, text = token.groups()
        if row is not None:
            y, x = int(row) - 1, int(column) - 1
        elif parameters is not None:
            found = pen_of(parameters)
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
    if position != len(data) or not runs or x < 0 or pen != PLAIN:
        return None
    return Paint(runs, (y, x))


# Writes cells with as few moves and changes of colour as it can.

WORTH_SORTING = 400
"""Bytes; what is shorter is sent row by row."""


class Changes:
    """The cells of a paint that differ from those shown, row by row."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, CellRow, list[tuple[int, int]]]] = []
        self._wide = False

    def row(self, y: int, shown: CellRow | None, wanted: CellRow) -> None:
        """Note the cells of a row that differ from those shown."""
        different = list(_stretches(_different(shown, wanted)))
        if different:
            self._rows.append((y, wanted, different))
            self._wide |= "" in wanted.texts or (shown is not None and "" in shown.texts)

    def sequence(self, before: tuple[int, int] | None, after: tuple[int, int]) -> str:
        """What writes them, with the cursor where it is before and where it is wanted after.

        A change of colour takes more bytes than a move, so that many changes are sent sorted by
        pen where that is shorter; not where letters are wide, half of which could be lost.
        """
        writer = EscapeWriter(before)
        for y, row, stretches in self._rows:
            for x, end in stretches:
                while x < end:
                    x = writer.write(y, x, end, row)
        in_order = writer.finish(after)
        if self._wide or len(in_order) < WORTH_SORTING:
            return in_order
        return min(in_order, self._by_pen(before, after), key=_size)

    def _by_pen(self, before: tuple[int, int] | None, after: tuple[int, int]) -> str:
        pieces: dict[Pen, list[tuple[int, int, int, CellRow]]] = {}
        pen = PLAIN
        for y, row, stretches in self._rows:
            for x, end in stretches:
                while x < end:
                    pen = row.pen_from(pen, x)
                    behind = max(row.alike(x, end, pen), x + 1)
                    pieces.setdefault(pen, []).append((y, x, behind, row))
                    x = behind
        writer = EscapeWriter(before)
        for pen, places in pieces.items():
            writer.use(pen)
            for y, x, end, row in places:
                writer.write(y, x, end, row)
        return writer.finish(after)


class EscapeWriter:
    """Collects what is sent; begins and ends with a plain pen."""

    def __init__(self, cursor: tuple[int, int] | None) -> None:
        self._parts: list[str] = []
        self._pen = PLAIN
        self._cursor = cursor

    def write(self, y: int, x: int, end: int, row: CellRow) -> int:
        """Go to a cell and write those that look alike, at least the one here.

        Returns the column behind them.
        """
        self._go(y, x, row)
        self.use(row.pen_from(self._pen, x))
        behind = row.alike(x, end, self._pen)
        if behind > x:
            self._parts.append(row.text(x, behind))
            self._cursor = y, behind
            return behind
        self._parts.append(row.text(x, x + 1))
        self._cursor = None  # terminals disagree on what is wide
        return x + 1

    def use(self, pen: Pen) -> None:
        """Write with ``pen`` from now on."""
        if pen != self._pen:
            self._parts.append(change(self._pen, pen))
            self._pen = pen

    def finish(self, cursor: tuple[int, int]) -> str:
        """All that is to be sent, with the cursor where it is wanted at the end."""
        self.use(PLAIN)
        if self._cursor != cursor:
            self._parts.append(_move(*cursor))
        return "".join(self._parts)

    def _go(self, y: int, x: int, row: CellRow) -> None:
        if self._cursor == (y, x):
            return
        if self._cursor is None or self._cursor[0] != y:
            self._parts.append(_move(y, x))
            return
        move = f"\x1b[{x + 1}G"
        between = self._again(row, self._cursor[1], x, len(move))
        self._parts.append(move if between is None else between)

    def _again(self, row: CellRow, first: int, end: int, most: int) -> str | None:
        """The cells between, where sending them again costs no more bytes than a move."""
        if not 0 < end - first <= most or row.alike(first, end, self._pen) < end:
            return None
        between = row.text(first, end)
        return between if len(between.encode()) <= most else None


def _different(shown: CellRow | None, wanted: CellRow) -> list[int]:
    """Columns whose cells are to be written.

    Nothing is to be written behind the first cell of a wide letter, and none that is not known.
    """
    texts, pens = wanted.texts, wanted.pens
    if shown is None:
        return [x for x, text in enumerate(texts) if text]
    if shown.texts == texts and shown.pens == pens:
        return []
    cells = zip(texts, pens, shown.texts, shown.pens, strict=False)
    found = [
        x
        for x, (text, pen, old_text, old_pen) in enumerate(cells)
        if text and (text != old_text or pen != old_pen)
    ]
    known = len(shown.texts)
    return found + [x for x, text in enumerate(texts[known:], known) if text]


def _stretches(columns: list[int]) -> Iterator[tuple[int, int]]:
    """Neighbouring columns as ``(first, end)``."""
    first = end = -1
    for x in columns:
        if x != end:
            if first >= 0:
                yield first, end
            first = x
        end = x + 1
    if first >= 0:
        yield first, end


def _move(y: int, x: int) -> str:
    return f"\x1b[{y + 1};{x + 1}H" if x else f"\x1b[{y + 1}H"


def _size(sequence: str) -> int:
    return len(sequence.encode())


_UNSEEN = re.compile(
    r"(?:\x1b\[\?(?!(?:47|1047|1049)[hl])\d+(?:\$p|[hl])|\x1b\[[<>=]\d*u|\x1b\]52;[^\x07\x1b]*\x07)*"
)
"""Modes, queries and the clipboard: they change no cell, as the alternate screen does."""


class TerminalCells:
    """The cells of a terminal, as far as they are known."""

    def __init__(self) -> None:
        self._rows: dict[int, CellRow] = {}
        self._cursor: tuple[int, int] | None = None

    def forget(self) -> None:
        """Anything may be on the screen."""
        self._rows.clear()
        self._cursor = None

    def thrifty(self, data: str) -> str:
        """What to send in place of ``data`` so that the screen looks the same after it.

        A paint of all rows, as after a change of the terminal's size, is sent whole.  So is what
        is no paint; after that the cells count as unknown, unless it can have changed none.
        """
        paint = paint_of(data)
        if paint is None:
            if not _UNSEEN.fullmatch(data):
                self.forget()
            return data
        if paint.is_whole:
            self.forget()
        try:
            painted = self._painted(paint.runs)
        except HalvedError:
            self.forget()
            return data
        changes = Changes()
        for y in sorted(painted):
            changes.row(y, self._rows.get(y), painted[y])
        self._rows.update(painted)
        before, self._cursor = self._cursor, paint.cursor
        return changes.sequence(before, paint.cursor)

    def _painted(self, runs: list[TextRun]) -> dict[int, CellRow]:
        """The rows that are painted on as they will be."""
        rows: dict[int, CellRow] = {}
        for run in runs:
            row = rows.get(run.y)
            if row is None:
                shown = self._rows.get(run.y)
                row = rows[run.y] = CellRow([], []) if shown is None else shown.copy()
            row.put(run)
        return rows


# The driver that sends terminals no more than they need.


class DiffDriver(ExactDriver):
    """The driver of Unix terminals; of what is painted again it sends what changed."""

    _cells: TerminalCells | None = None
    _begun = False

    def write(self, data: str) -> None:
        """Send ``data``, or what has the same effect.

        The brackets around an update (synchronised output) are left out around nothing.
        """
        if self._cells is None:
            self._cells = TerminalCells()
        if data == SYNC_START:
            self._begun = True
        elif data == SYNC_END and self._begun:
            self._begun = False
        elif needed := self._cells.thrifty(data):
            if self._begun:
                self._begun = False
                super().write(SYNC_START)
            super().write(needed)

    def paint_anew(self) -> None:
        """Send everything that is painted next: something else may have written on the screen."""
        self._cells = None


def thrifty(driver: type[Driver]) -> type[Driver]:
    """The driver to use in place of ``driver``; others than the exact one stay as they are."""
    return DiffDriver if driver is ExactDriver else driver


def paint_anew(app: App[Any]) -> None:
    """Paint every cell of the terminal, whatever it is thought to show."""
    driver = app._driver  # pyright: ignore[reportPrivateUsage]
    if isinstance(driver, DiffDriver):
        driver.paint_anew()
    app.refresh(layout=True)
