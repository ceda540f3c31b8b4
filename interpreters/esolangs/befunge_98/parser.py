"""Source bytes to cells, and back from a point of fungespace to its byte.

Funge-98, "Funge Source File Format": a line is a row, ended by LF, CR or CR LF, and a
form feed leaves no cell behind.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

MARGIN_X, MARGIN_Y = 8, 4  # blank cells that the first window has beyond the source
_DENSE = 8  # most cells of the first window for a byte of source


class Layout:
    """Where the source's bytes stand.

    rows: the bytes of every row, blanks included.  starts: source offset of each row.
    width, height: of the first window, whose left and upper edge is (0, 0).
    far: cells of the source outside that window.
    """

    def __init__(self, source: bytes, limits: tuple[int, int] | None, torus: bool):
        self.source = source
        self._feeds = b"\f" in source
        self.rows, self.starts = _rows(source)
        if limits is not None:
            self.rows = [row[: limits[0]] for row in self.rows[: limits[1]]]
        widest = max(map(len, self.rows), default=0)
        if torus:  # the window is all of the space
            self.width, self.height = max(1, widest), max(1, len(self.rows))
        else:
            width, height = _window(widest, len(self.rows), len(source))
            self.width, self.height = width + MARGIN_X, height + MARGIN_Y
        self.far = self._far_cells()

    def plane(self) -> bytes:
        """The window's bytes, row after row, with a ring of one blank cell around it."""
        stride = self.width + 2
        blank = b" " * stride
        middle = [
            b" " + row[: self.width].ljust(self.width) + b" " for row in self.rows[: self.height]
        ]
        return b"".join([blank, *middle, blank * (self.height - len(middle)), blank])

    def loaded(self, x: int, y: int) -> int:
        """What the source put into a cell; a blank where it has none."""
        if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y]):
            return self.rows[y][x]
        return 32

    def offset_of(self, x: int, y: int) -> int | None:
        """The source offset of the byte that a cell was loaded from."""
        if not (0 <= y < len(self.rows) and 0 <= x < len(self.rows[y])):
            return None
        offset = self.starts[y] + x
        if self._feeds:
            at = self.source.find(b"\f", self.starts[y])
            while 0 <= at <= offset:
                offset += 1
                at = self.source.find(b"\f", at + 1)
        return offset

    def point_of(self, offset: int) -> tuple[int, int] | None:
        """The cell that the byte at a source offset was loaded into; None if it made none."""
        if not 0 <= offset < len(self.source) or self.source[offset] in b"\n\r\f":
            return None
        y = bisect_right(self.starts, offset) - 1
        x = offset - self.starts[y]
        if self._feeds:
            x -= self.source.count(b"\f", self.starts[y], offset)
        return (x, y) if y < len(self.rows) and x < len(self.rows[y]) else None

    def nearest_offset(self, x: int, y: int) -> int:
        """Where a caret would stand for a cell that has no byte: the end of its row, or of all."""
        if not 0 <= y < len(self.rows):
            return 0 if y < 0 else len(self.source)
        return self.starts[y] if x < 0 else self.starts[y] + len(self.rows[y])

    def _far_cells(self) -> dict[tuple[int, int], int]:
        far: dict[tuple[int, int], int] = {}
        for y, row in enumerate(self.rows):
            first = self.width if y < self.height else 0
            for x in range(first, len(row)):
                if row[x] != 32:
                    far[x, y] = row[x]
        return far


def _rows(source: bytes) -> tuple[list[bytes], array[int]]:
    """Rows without the bytes that end them, and where each begins.

    ``bytes.splitlines`` ends lines at LF, CR and CR LF, and at nothing else.
    """
    rows: list[bytes] = []
    starts = array("q")
    at = 0
    for line in source.splitlines(keepends=True):
        starts.append(at)
        at += len(line)
        rows.append(line.rstrip(b"\r\n").replace(b"\f", b""))
    return rows, starts


def _window(width: int, height: int, size: int) -> tuple[int, int]:
    """Of the first window: all of the source unless that would be blank for the most part."""
    room = _DENSE * size + 4096
    if width * height <= room:
        return width, height
    width = min(width, max(256, room // height))
    return width, min(height, room // width)
