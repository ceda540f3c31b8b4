"""The visible part of a large state: bands of a tape, a window on a plane, rows of a table."""

from __future__ import annotations

from typing import NamedTuple

from esolangs.stops import Address, Slot
from esolangs.view import Point, View, Window
from esoplay.debugging.provenance import shown_stacks
from esoplay.tui.debug.debug_snapshot import active_pointer, first_grid, first_memory, first_tape
from esoplay.tui.debug.state.values import NumberBase, value_width

# The visible cells of a tape

_ROUND_NUMBERS = (32, 20, 16, 10, 8, 5, 4)


class Bands(NamedTuple):
    """The layout of tape cells in bands, one below the other.

    cells_per_band: the number of cells in a band. band_count: the number of bands. pitch: columns
    per cell.
    """

    cells_per_band: int
    band_count: int
    pitch: int

    @property
    def cell_count(self) -> int:
        return self.cells_per_band * self.band_count

    def window_start(self, cell: int, current: int) -> int:
        """Return the first cell of a window that contains ``cell``; ``current`` if possible.

        Windows start at multiples of the band length, so that a tape scrolls by complete bands.
        """
        current -= current % self.cells_per_band
        if current <= cell < current + self.cell_count:
            return current
        band = cell - cell % self.cells_per_band
        return band if cell < current else band - (self.band_count - 1) * self.cells_per_band

    def position(self, cell: int, first: int) -> tuple[int, int] | None:
        """Return the number of the band that shows a cell, and the cell's index in this band.

        first: the first cell of the window. Returns None if the cell is outside the window.
        """
        distance = cell - first
        return divmod(distance, self.cells_per_band) if 0 <= distance < self.cell_count else None


def choose_bands(width: int, height: int, *, bits: int, base: NumberBase, highest: int) -> Bands:
    """Return the bands that fit a panel; each band has a row of indices and a row of values.

    highest: the highest cell index that must be readable.
    """
    pitch = max(value_width(bits, base), len(str(highest)), 2) + 2
    fitting = max(1, width // pitch)
    cells_per_band = next((number for number in _ROUND_NUMBERS if number <= fitting), fitting)
    return Bands(cells_per_band, max(1, height // 2), pitch)


MAX_DEPTH = 5000
"""Maximum number of stack entries to request."""


MAX_LINES = 4096
"""Maximum number of lines to request of a drawing by a turtle."""


MIN_MARGIN, MAX_MARGIN = 2, 8
"""Minimum and maximum number of cells to show on each side of the instruction pointer.

In between, the margin is a sixteenth of the window, to show the cells ahead.
"""


class Extent(NamedTuple):
    """The number of cells of a plane that fit a panel."""

    width: int
    height: int

    def visible_corner(self, point: Point, corner: Point, low: Point, high: Point) -> Point:
        """Return the top left cell of this window, placed so that it contains ``point``.

        corner: the current top left cell, which remains if possible. low, high: the corners of the
        used part of the plane, which is shown completely if it fits. Otherwise a moved window has
        the point well inside it, because a window that rarely moves is easier to read.
        """
        x = _first_visible(point[0], corner[0], self.width, low[0], high[0])
        y = _first_visible(point[1], corner[1], self.height, low[1], high[1])
        return x, y


def _first_visible(position: int, first: int, size: int, low: int, high: int) -> int:
    if low <= position <= high and high - low < size:
        return low
    margin = min(max(MIN_MARGIN, min(size // 16, MAX_MARGIN)), (size - 1) // 2)
    is_at_edge = low <= position < low + margin and first == low  # no used cells before the window
    if is_at_edge or first + margin <= position < first + size - margin:
        return first
    if low <= position < low + size - margin:
        return low
    wanted = position - size // 3 if position >= first else position - 2 * size // 3
    return max(position + margin + 1 - size, min(wanted, position - margin))


class PanelCapacity(NamedTuple):
    """The amount of state that fits the panels: of a tape, of a plane or term, and of a stack."""

    bands: Bands = Bands(cells_per_band=8, band_count=2, pitch=5)
    extent: Extent = Extent(36, 6)
    depth: int = 32


class Viewport:
    """The visible window on a program's state, which follows the program or the selected place."""

    def __init__(self) -> None:
        self.capacity = PanelCapacity()
        self.is_scrolled = False
        self._first: int | None = 0
        self._corner: Point = (0, 0)
        self._revealed_cell: Address | None = None
        self._slot: Slot | None = None
        self._depth = 0

    @property
    def window(self) -> Window:
        """The window to request from a machine."""
        width, height = self.capacity.extent
        return Window(
            cells=self.capacity.bands.cell_count,
            first=self._first,
            depth=max(self.capacity.depth, self._depth),
            width=width,
            height=height,
            corner=self._corner,
            lines=MAX_LINES,
            used_only=True,
        )

    def start_at(self, corner: Point) -> None:
        """Make ``corner`` the top left cell of the plane, if the followed cell remains visible."""
        self._corner = corner

    def follow(self) -> None:
        """Show the program's position again, unless the user has scrolled away from it."""
        self._revealed_cell = None

    def reveal(self, cell: Address | None) -> None:
        """Show a cell; None returns to the program's position."""
        self._revealed_cell = cell
        self.is_scrolled = False

    def reveal_slot(self, slot: Slot | None) -> None:
        """Show a stack slot, at most ``MAX_DEPTH`` values below the top."""
        self._slot, self._depth = slot, 0

    def scroll(self, columns: int, rows: int) -> None:
        """Show another part of a plane until :meth:`reveal` is called."""
        x, y = self._corner
        self._corner = x + columns, y + rows
        self.is_scrolled = True

    def adjust(self, view: View) -> bool:
        """Move the window to the requested position; return whether it moved."""
        deepened = self._extend_depth(view)
        return self._adjust(view) or deepened

    def _adjust(self, view: View) -> bool:
        if first_tape(view) is not None:
            return self._adjust_tape(view)
        return self._adjust_plane(view) if first_grid(view) is not None else self._adjust_rows(view)

    def _extend_depth(self, view: View) -> bool:
        """Show more values of the stacks if the selected slot is too deep to be visible.

        Return whether more values are shown than before.
        """
        if self._slot is None:
            return False
        for stack in shown_stacks(view):
            if stack.key == self._slot.stack:
                wanted = min(stack.depth - self._slot.level, MAX_DEPTH)
                if wanted > max(self.capacity.depth, self._depth):
                    self._depth = wanted
                    return True
        return False

    def _adjust_tape(self, view: View) -> bool:
        """Show the requested cell or else the pointer; return whether ``view`` is out of date."""
        tape = first_tape(view)
        if tape is None:
            return False
        wanted = self._revealed_cell if isinstance(self._revealed_cell, int) else tape.pointer
        before = self._first
        self._first = self.capacity.bands.window_start(wanted, before or 0)
        return self._first != before or tape.first != self._first

    def _adjust_rows(self, view: View) -> bool:
        """Show the row of the requested memory cell, or else the rows that the language selects.

        Returns whether the window moved.
        """
        memory = first_memory(view)
        wanted = self._revealed_cell if isinstance(self._revealed_cell, int) else None
        before = self._first
        if wanted is None:
            self._first = None
        elif memory is None or all(row[0] != wanted for row in memory.rows):
            self._first = wanted - self.capacity.depth // 4
        return self._first != before

    def _adjust_plane(self, view: View) -> bool:
        plane = first_grid(view)
        if plane is None or self.is_scrolled:
            return False
        pointer = active_pointer(plane)
        if isinstance(self._revealed_cell, tuple):
            wanted = self._revealed_cell[0], self._revealed_cell[1]
        elif pointer is not None:
            wanted = pointer.position
        else:
            return False
        before = self._corner
        self._corner = self.capacity.extent.visible_corner(wanted, before, plane.low, plane.high)
        return self._corner != before
