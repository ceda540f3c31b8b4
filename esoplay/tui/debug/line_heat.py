"""How often the lines of a source were executed, as digits and shades."""

from __future__ import annotations

from typing import TYPE_CHECKING

from esoplay.debugging.heat import HOTTEST
from esoplay.tui.debug.heat_map import HeatMode
from esoplay.tui.debug.visible import grouped

if TYPE_CHECKING:
    from esoplay.debugging.heat import Heat
    from esoplay.debugging.source_maps import LineHeat, SourceHeat


class LineHeatMap:
    """Counts by line up to one step, seen in one mode; ``stale`` when another step is shown."""

    def __init__(
        self, mode: HeatMode, lines: SourceHeat, heat: Heat, *, stale: bool = False
    ) -> None:
        self._mode = mode
        self._lines = {each.line: each for each in lines.lines}
        self._percent = lines.percent
        self._heat = heat
        self._stale = stale

    def digit(self, line: int) -> str:
        """What stands beside a line; a blank beside one that has made nothing."""
        found = self._lines.get(line)
        if found is None or (self._mode is HeatMode.NEVER and found.count):
            return " "
        return "0" if self._mode is HeatMode.NEVER else str(self._level(found))

    def shade(self, line: int) -> int:
        """Which of the palette's shades a line has, from 1; 0 for none."""
        found = self._lines.get(line)
        return 0 if found is None else (self._level(found) + 1) // 2

    @property
    def legend(self) -> str:
        """What the digits mean."""
        if self._stale:
            return f"as of step {grouped(self._heat.step)}"
        match self._mode:
            case HeatMode.COUNT:
                most = max((each.count for each in self._lines.values()), default=0)
                return f"steps: 0 none, 9 = {grouped(most)}"
            case HeatMode.NEVER:
                return f"{self._percent}% of the lines executed, never: 0"
            case HeatMode.LAST:
                return "last: 9 now … 1 long ago, 0 never"
            case HeatMode.OFF:
                return ""

    def _level(self, line: LineHeat) -> int:
        if self._mode is HeatMode.LAST:
            return self._heat.recency(line.last)
        if self._mode is HeatMode.NEVER:
            return 0 if line.count else HOTTEST
        return line.level
