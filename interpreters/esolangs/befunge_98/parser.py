"""The parser from source bytes to cells, and the map from cells back to bytes.

Funge-98, "Funge Source File Format": a line is a row, ended by LF, CR or CR LF, and a
form feed is not a cell.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MARGIN_X, MARGIN_Y = 8, 4  # blank cells that the first window has beyond the source
_MAX_CELLS_PER_BYTE = 8  # of source, in the first window
_LAZY_ROWS_BYTES = 1 << 18  # size of a source from which its rows are not stored
_PIECE_CELLS = 1 << 16  # cells of the window that are created at a time


class SourceLayout:
    """Where each byte of a source file is in fungespace, and the size of the first window.

    rows: the bytes of every row, spaces included.  starts: offset in the source of each row.
    width, height: of the first window, whose upper left corner is (0, 0).
    """

    def __init__(self, source: bytes, limits: tuple[int, int] | None, torus: bool):
        self.source = source
        self._feeds = b"\f" in source
        self.starts = _row_starts(source)
        rows = _LazyRows(source, self.starts)
        self.rows: list[bytes] | _LazyRows = rows
        if limits is not None:
            self.rows = [rows[y][: limits[0]] for y in range(min(len(rows), limits[1]))]
        elif len(source) < _LAZY_ROWS_BYTES:
            self.rows = list(rows)
        widest = max(map(len, self.rows), default=0)
        if torus:  # the window is the whole space
            self.width, self.height = max(1, widest), max(1, len(self.rows))
        else:
            width, height = _window_size(widest, len(self.rows), len(source))
            self.width, self.height = width + MARGIN_X, height + MARGIN_Y

    def pieces(self) -> Iterator[bytes]:
        """Yield the window's bytes, some rows at a time, with a ring of blank cells around it."""
        width, count = self.width, max(1, _PIECE_CELLS // (self.width + 2))
        blank = b" " * (width + 2)
        yield blank
        for first in range(0, self.height, count):
            last = min(self.height, first + count)
            rows = [self.rows[y] for y in range(first, min(last, len(self.rows)))]
            lines = [b" " + row[:width].ljust(width) + b" " for row in rows]
            yield b"".join(lines) + blank * (last - first - len(lines))
        yield blank

    def initial_value(self, x: int, y: int) -> int:
        """Return the initial value of a cell; a space if the source has none for it."""
        if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y]):
            return self.rows[y][x]
        return 32

    def offset_at(self, x: int, y: int) -> int | None:
        """Return the source offset of the byte that a cell was loaded from, or None."""
        if not (0 <= y < len(self.rows) and 0 <= x < len(self.rows[y])):
            return None
        offset = self.starts[y] + x
        if self._feeds:
            at = self.source.find(b"\f", self.starts[y])
            while 0 <= at <= offset:
                offset += 1
                at = self.source.find(b"\f", at + 1)
        return offset

    def point_at(self, offset: int) -> tuple[int, int] | None:
        """Return the cell of the byte at a source offset, or None if the byte has no cell."""
        if not 0 <= offset < len(self.source) or self.source[offset] in b"\n\r\f":
            return None
        y = bisect_right(self.starts, offset) - 1
        x = offset - self.starts[y]
        if self._feeds:
            x -= self.source.count(b"\f", self.starts[y], offset)
        return (x, y) if y < len(self.rows) and x < len(self.rows[y]) else None

    def nearest_offset(self, x: int, y: int) -> int:
        """Return the offset nearest to a cell that has no byte in the source.

        It is an end of the cell's row or, above and below all rows, an end of the source.
        """
        if not 0 <= y < len(self.rows):
            return 0 if y < 0 else len(self.source)
        return self.starts[y] if x < 0 else self.starts[y] + len(self.rows[y])

    def count_far(self) -> int:
        """Return how many cells outside the first window the source fills with nonblank bytes."""
        count = 0
        for y, row in enumerate(self.rows):
            if y >= self.height or len(row) > self.width:
                row = row[self.width :] if y < self.height else row
                count += len(row) - row.count(b" ")
        return count

    def far_cells(self) -> dict[tuple[int, int], int]:
        """Return the values of the nonblank cells outside the first window, by coordinates."""
        far: dict[tuple[int, int], int] = {}
        for y, row in enumerate(self.rows):
            first = self.width if y < self.height else 0
            for x in range(first, len(row)):
                if row[x] != 32:
                    far[x, y] = row[x]
        return far


class _LazyRows:
    """The rows of a source, without the bytes that end them, split on demand.

    With short rows, a list of all rows would need more memory than the window.
    """

    def __init__(self, source: bytes, starts: array[int]):
        self._source = source
        self._row_starts = starts
        self._latest = -1, b""

    def __len__(self) -> int:
        return len(self._row_starts)

    def __getitem__(self, y: int) -> bytes:
        if self._latest[0] != y:
            end = self._row_starts[y + 1] if y + 1 < len(self._row_starts) else len(self._source)
            row = self._source[self._row_starts[y] : end].rstrip(b"\r\n").replace(b"\f", b"")
            self._latest = y, row
        return self._latest[1]

    def __iter__(self) -> Iterator[bytes]:
        for y in range(len(self._row_starts)):
            yield self[y]


def _row_starts(source: bytes) -> array[int]:
    """Return the start offsets of the rows.  Only LF, CR and CR LF end a row."""
    starts = array("q")
    at, size = 0, len(source)
    returns = b"\r" in source
    while at < size:
        starts.append(at)
        end = source.find(b"\n", at)
        end = size if end < 0 else end
        back = source.find(b"\r", at, end) if returns else -1
        at = (end if back < 0 or back + 1 == end else back) + 1
    return starts


def _window_size(width: int, height: int, size: int) -> tuple[int, int]:
    """Return the size of the first window: the whole source, unless most of it would be blank."""
    room = _MAX_CELLS_PER_BYTE * size + 4096
    if width * height <= room:
        return width, height
    width = min(width, max(256, room // height))
    return width, min(height, room // width)
