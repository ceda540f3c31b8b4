"""Execution counts of instructions and source lines, as digits and shades."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from esoplay.debugging.heat import MAX_LEVEL, Heat
from esoplay.tui.debug.byte_glyphs import format_int

if TYPE_CHECKING:
    from collections.abc import Iterator

    from esolangs.language import Program
    from esolangs.source import Span
    from esolangs.stops import Address
    from esoplay.debugging.source_maps import SourceHeat, SourceLineHeat


SHADES = 5
"""Number of shades, from rarely to frequently executed; other code has no shade."""


class HeatMode(Enum):
    """What the heat map shows. The value is the label of the mode."""

    OFF = "off"
    COUNT = "times executed"
    NEVER = "never executed"
    LAST = "last executed"

    @property
    def next_mode(self) -> HeatMode:
        modes = list(HeatMode)
        return modes[(modes.index(self) + 1) % len(modes)]


class HeatMap:
    """Execution counts up to a step, to be drawn in one mode.

    mode: whether colours show the count, the last execution, or code that was never executed.
    stale: whether the pane now shows another step than that of the counts.
    """

    def __init__(self, mode: HeatMode, heat: Heat, *, stale: bool = False) -> None:
        self.mode = mode
        self._heat = heat
        self._stale = stale

    def is_executed(self, location: Address) -> bool:
        """Return whether a location was executed."""
        return self._heat.count_and_last_step(location)[0] > 0

    def level(self, location: Address) -> int:
        """Return how often or how recently a location was executed, from 0 to ``MAX_LEVEL``.

        In mode ``NEVER``, this is ``MAX_LEVEL`` if the location was never executed, otherwise 0.
        """
        count, last = self._heat.count_and_last_step(location)
        if self.mode is HeatMode.LAST:
            return self._heat.recency(last)
        if self.mode is HeatMode.NEVER:
            return 0 if count else MAX_LEVEL
        return self._heat.level(count)

    def digit(self, location: Address) -> str:
        """Return the digit that shows the heat of an instruction without colour."""
        level = self.level(location)
        if self.mode is HeatMode.NEVER:
            return "0" if level else " "
        return str(level)

    def shade(self, location: Address) -> int:
        """Return the shade of an instruction, counted from 1; 0 for none."""
        return (self.level(location) + 1) // 2

    @property
    def legend(self) -> str:
        """The meaning of the heat map's digits; for outdated counts, the step of the counts."""
        if self._stale:
            return f"as of step {format_int(self._heat.step)}"
        match self.mode:
            case HeatMode.COUNT:
                most = (
                    f", {MAX_LEVEL} = {format_int(self._heat.max_count)}×"
                    if self._heat.max_count > 1
                    else ""
                )
                return f"0 never, 1 once{most}"
            case HeatMode.NEVER:
                return "0 = never executed"
            case HeatMode.LAST:
                return f"{MAX_LEVEL} just now, 1 long ago, 0 never"
            case HeatMode.OFF:
                return ""


class HeatLayer:
    """Digits and shades of a heat map, by byte of a program's source."""

    def __init__(self, program: Program, heat_map: HeatMap) -> None:
        self._program = program
        self.heat_map = heat_map

    def digits_and_shades(self, first: int, end: int) -> tuple[dict[int, str], dict[int, int]]:
        """Return digits and shades of a byte range: a digit per instruction, a shade per byte."""
        digits: dict[int, str] = {}
        shades: dict[int, int] = {}
        for span in self._spans(first, end):
            location = self._program.address_at(span[0])
            digits[max(first, span[0])] = self.heat_map.digit(location)
            shade = self.heat_map.shade(location)
            if shade:
                shades |= dict.fromkeys(range(max(first, span[0]), min(end, span[1])), shade)
        return digits, shades

    def _spans(self, first: int, end: int) -> Iterator[Span]:
        """Yield the instructions that overlap a range of bytes, in order."""
        offset = first
        end = min(end, len(self._program.source))
        while offset < end:
            span = self._program.instruction_at(offset)
            if span is not None and span[0] <= offset < span[1]:
                yield span
                offset = span[1]
            else:
                offset += 1


# Execution counts of source lines, as digits and shades.


class LineHeatMap:
    """Execution counts of source lines up to a step, shown according to a heat map mode.

    stale: whether the pane now shows another step than that of the counts.
    """

    def __init__(
        self, mode: HeatMode, source_heat: SourceHeat, heat: Heat, *, stale: bool = False
    ) -> None:
        self._mode = mode
        self._lines = {each.line: each for each in source_heat.lines}
        self._percent = source_heat.percent
        self._heat = heat
        self._stale = stale

    def digit(self, line: int) -> str:
        """Return the digit next to a line; a space if the line did not generate code."""
        found = self._lines.get(line)
        if found is None or (self._mode is HeatMode.NEVER and found.count):
            return " "
        return "0" if self._mode is HeatMode.NEVER else str(self._level(found))

    def shade(self, line: int) -> int:
        """Return the shade of a line, counted from 1; 0 for none."""
        found = self._lines.get(line)
        return 0 if found is None else (self._level(found) + 1) // 2

    @property
    def legend(self) -> str:
        """The meaning of the heat map's digits; for outdated counts, the step of the counts."""
        if self._stale:
            return f"as of step {format_int(self._heat.step)}"
        match self._mode:
            case HeatMode.COUNT:
                most = max((each.count for each in self._lines.values()), default=0)
                highest = f", 9 = {format_int(most)}" if most > 1 else ""
                return f"steps: 0 = none{highest}"
            case HeatMode.NEVER:
                return f"lines executed: {self._percent}%; 0 = never executed"
            case HeatMode.LAST:
                return f"{MAX_LEVEL} just now, 1 long ago, 0 never"
            case HeatMode.OFF:
                return ""

    def _level(self, line: SourceLineHeat) -> int:
        if self._mode is HeatMode.LAST:
            return self._heat.recency(line.last)
        if self._mode is HeatMode.NEVER:
            return 0 if line.count else MAX_LEVEL
        return line.level
