"""Writes cells with as few moves and changes of colour as it can."""

from __future__ import annotations

from collections.abc import Iterator

from esoplay.tui.thrift.pens import PLAIN, Pen, change
from esoplay.tui.thrift.rows import Row

WORTH_SORTING = 400
"""Bytes; what is shorter is sent row by row."""


class Changes:
    """The cells of a paint that differ from those shown, row by row."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, Row, list[tuple[int, int]]]] = []
        self._wide = False

    def row(self, y: int, shown: Row | None, wanted: Row) -> None:
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
        writer = Writer(before)
        for y, row, stretches in self._rows:
            for x, end in stretches:
                while x < end:
                    x = writer.write(y, x, end, row)
        in_order = writer.finish(after)
        if self._wide or len(in_order) < WORTH_SORTING:
            return in_order
        return min(in_order, self._by_pen(before, after), key=_size)

    def _by_pen(self, before: tuple[int, int] | None, after: tuple[int, int]) -> str:
        pieces: dict[Pen, list[tuple[int, int, int, Row]]] = {}
        pen = PLAIN
        for y, row, stretches in self._rows:
            for x, end in stretches:
                while x < end:
                    pen = row.pen_from(pen, x)
                    behind = max(row.alike(x, end, pen), x + 1)
                    pieces.setdefault(pen, []).append((y, x, behind, row))
                    x = behind
        writer = Writer(before)
        for pen, places in pieces.items():
            writer.use(pen)
            for y, x, end, row in places:
                writer.write(y, x, end, row)
        return writer.finish(after)


class Writer:
    """Collects what is sent; begins and ends with a plain pen."""

    def __init__(self, cursor: tuple[int, int] | None) -> None:
        self._parts: list[str] = []
        self._pen = PLAIN
        self._cursor = cursor

    def write(self, y: int, x: int, end: int, row: Row) -> int:
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

    def _go(self, y: int, x: int, row: Row) -> None:
        if self._cursor == (y, x):
            return
        if self._cursor is None or self._cursor[0] != y:
            self._parts.append(_move(y, x))
            return
        move = f"\x1b[{x + 1}G"
        between = self._again(row, self._cursor[1], x, len(move))
        self._parts.append(move if between is None else between)

    def _again(self, row: Row, first: int, end: int, most: int) -> str | None:
        """The cells between, where sending them again costs no more bytes than a move."""
        if not 0 < end - first <= most or row.alike(first, end, self._pen) < end:
            return None
        between = row.text(first, end)
        return between if len(between.encode()) <= most else None


def _different(shown: Row | None, wanted: Row) -> list[int]:
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
