"""Where the text of a program is stopped at, and where breakpoints wait for lost instructions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from esolangs.language import Program
    from esolangs.stops import Address
    from esoplay.debugging.debugger import Breakpoint
    from esoplay.tui.debug.anchors import Orphan

SET, IDLE, ORPHAN = "●", "○", "◌"
"""Marks of a breakpoint that works, of one that rests, and of one whose instruction is gone."""


class ProgramStops:
    """The breakpoints of a program by the bytes that they stand on."""

    def __init__(self, source: bytes, program: Program | None) -> None:
        """``program``: what the source was parsed to, if it could be."""
        self._source = source
        self._program = program
        self._enabled: dict[Address, bool] = {}
        self._offsets: list[int] = []
        self._orphans: list[int] = []

    def take(self, breakpoints: Iterable[Breakpoint], orphans: Iterable[Orphan]) -> None:
        """Find out which addresses are stopped at, and whether any stop there is enabled."""
        self._enabled = {}
        for each in breakpoints:
            for address in each.locations or ():
                self._enabled[address] = self._enabled.get(address, False) or each.spec.enabled
        self._offsets = sorted(at for at in self._enabled if isinstance(at, int))
        self._orphans = sorted(orphan.near for orphan in orphans)

    def within(self, first: int, end: int) -> dict[int, bool]:
        """Offsets ``first`` ≤ n < ``end`` that are stopped at, and whether those are enabled."""
        if not self._enabled:
            return {}
        low, high = (bisect_left(self._offsets, at) for at in (first, end))
        found = {offset: self._enabled[offset] for offset in self._offsets[low:high]}
        if self._program is not None and len(self._enabled) > len(self._offsets):  # points
            for offset in range(first, min(end, len(self._source))):
                enabled = self._enabled.get(self._program.address_of(offset))
                if enabled is not None:
                    found[offset] = enabled
        return found

    def has_orphan(self, first: int, end: int) -> bool:
        """Whether a breakpoint has lost its place at an offset ``first`` ≤ n < ``end``."""
        at = bisect_left(self._orphans, first)
        return at < len(self._orphans) and self._orphans[at] < end
