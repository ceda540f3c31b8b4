"""Which cells of a tape are on the screen."""

from __future__ import annotations

from typing import NamedTuple

from esoplay.tui.debug.state.values import Base, value_width

_ROUND_NUMBERS = (32, 20, 16, 10, 8, 5, 4)


class Bands(NamedTuple):
    """Cells in bands, one below the other.

    across: cells of a band.  bands: how many.  pitch: columns of a cell.
    """

    across: int
    bands: int
    pitch: int

    @property
    def cells(self) -> int:
        return self.across * self.bands

    def window_for(self, cell: int, current: int) -> int:
        """First cell of a window that shows ``cell``, staying at ``current`` where it can.

        Windows begin at whole bands, so that a tape scrolls by bands and rests in between.
        """
        current -= current % self.across
        if current <= cell < current + self.cells:
            return current
        band = cell - cell % self.across
        return band if cell < current else band - (self.bands - 1) * self.across

    def position(self, cell: int, first: int) -> tuple[int, int] | None:
        """Band and place in it of a cell in the window that begins at ``first``."""
        distance = cell - first
        return divmod(distance, self.across) if 0 <= distance < self.cells else None


def bands_for(width: int, height: int, *, bits: int, base: Base, highest: int) -> Bands:
    """The bands that fit a panel: each band takes an index row and a value row.

    highest: a cell index that must be readable.
    """
    pitch = max(value_width(bits, base), len(str(highest)), 2) + 2
    fitting = max(1, width // pitch)
    across = next((number for number in _ROUND_NUMBERS if number <= fitting), fitting)
    return Bands(across, max(1, height // 2), pitch)
