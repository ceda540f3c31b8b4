"""Keys and clicks by the source: stepping by its lines, its breakpoints, its variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on

from esoplay.debugging.debugger import BreakpointSpec, Cancelled, Granularity
from esoplay.errors import EsoplayError
from esoplay.tui.debug.heat import patience
from esoplay.tui.debug.heat_map import HeatMap
from esoplay.tui.debug.keys import HINTS, HINTS_BY_LINE, HINTS_SOURCED
from esoplay.tui.debug.line_heat import LineHeatMap
from esoplay.tui.debug.source_view import SourceView
from esoplay.tui.debug.sourced import Entry
from esoplay.tui.debug.target import Driver
from esoplay.tui.debug.variables_list import VariablesList
from esoplay.tui.debug.watches import WatchControls

if TYPE_CHECKING:
    from esoplay.debugging.source_maps import SourceHeat


NO_MAP = "no source map is open: the program was not made by a generator that writes one"


class SourceControls(WatchControls):
    """What there is besides where a program has a source map."""

    by_line = False
    """``s`` and ``n`` step by lines of the source, and so does playing."""

    def take_source(self, driver: Driver) -> None:
        """Show the source of a program just opened, if it has one."""
        parts = self.parts
        source_map = driver.source.source_map
        driver.source.by_line = self.by_line and source_map is not None
        driver.refresh()
        parts.source.open(source_map)
        parts.source.show_granularity(driver.source.by_line)
        parts.place_parts()

    def leave_source(self) -> None:
        """No program is open any more."""
        self.parts.source.open(None)
        self.parts.place_parts()

    @property
    def hints(self) -> tuple[tuple[str, str], ...]:
        """The keys worth knowing in this program."""
        if not self.is_sourced:
            return HINTS
        front = "program" if self.parts.source_in_front else "source"
        hints = HINTS_BY_LINE if self.by_line else HINTS_SOURCED
        return tuple((key, front if key == "Y" else words) for key, words in hints)

    @property
    def is_sourced(self) -> bool:
        """The program that is open has a source map."""
        driver = self.navigator.driver
        return driver is not None and driver.source.source_map is not None

    # Granularity

    def action_granularity(self) -> None:
        """Change between stepping by instruction and by line of the source."""
        driver = self.navigator.driver
        if driver is None or not self.is_sourced:
            self.navigator.say(NO_MAP)
            return
        self.by_line = driver.source.by_line = not self.by_line
        self.parts.bring_text(source=self.by_line)
        self.parts.source.show_granularity(self.by_line)
        words = "s, n and Space step by source line" if self.by_line else "by instruction again"
        self.navigator.say(words)

    def action_turn_text(self) -> None:
        """Source or program, where there is room for one of them only."""
        if not self.is_sourced:
            self.navigator.say(NO_MAP)
            return
        parts = self.parts
        both = parts.source.display and parts.program.display
        if both:  # then the keyboard goes to the other one
            (parts.program if parts.source.has_focus else parts.source).focus()
        else:
            parts.bring_text(source=not parts.source_in_front)
        self.show_moment()

    def action_unit(self, direction: int) -> None:
        if self.by_line and self.is_sourced:
            self._step_line(direction)
        else:
            self.action_step(direction)

    def action_leap(self, granularity: Granularity, direction: int) -> None:
        if granularity == "loop" and self.by_line and self.is_sourced:
            count = self.take_count()
            self.go(lambda driver: driver.to_other_line(count, reverse=direction < 0))
        else:
            super().action_leap(granularity, direction)

    def _step_line(self, direction: int) -> None:
        count = self.take_count()
        reverse = direction < 0
        self.go(lambda driver: driver.step(count, reverse=reverse, granularity="source"))

    # Lines as places

    @on(SourceView.MarginClicked)
    def _margin_clicked(self, event: SourceView.MarginClicked) -> None:
        self._toggle_standing(BreakpointSpec(source_line=event.line))

    # Variables

    def action_write(self, direction: int) -> None:
        entry = self.parts.variables.subject
        if isinstance(self.here, VariablesList) and entry is not None:
            self._to_change(entry, direction)
        else:
            super().action_write(direction)

    def _to_change(self, entry: Entry, direction: int) -> None:
        from esoplay.tui.debug.variable_questions import to_change

        self.go(lambda driver: to_change(driver, entry, reverse=direction < 0))

    @on(VariablesList.Selected)
    def _variable_selected(self, event: VariablesList.Selected) -> None:
        driver = self.navigator.driver
        cells = event.entry.cells
        if driver is None or not cells or event.entry.is_array:
            return
        try:
            driver.select(cells[0])
        except EsoplayError:
            return
        self.navigator.refresh()

    # Heat

    def _lay(self, map: HeatMap | None) -> None:
        super()._lay(map)
        self.parts.source.show_heat(None if map is None else self._line_heat())

    def _line_heat(self) -> LineHeatMap | None:
        """The counts by line; those of before, where counting takes longer than a moment."""
        driver, heat = self.navigator.driver, self._heat
        if driver is None or heat is None or not self.is_sourced:
            return None
        if heat.step == driver.moment.step and not self.navigator.mover.busy:
            from esoplay.debugging.source_maps import line_heat

            try:
                lines = line_heat(driver.debugger, ticker=patience())
            except Cancelled:
                lines = None
            if lines is not None:
                self._lines_counted = lines
        if self._lines_counted is None:
            return None
        stale = self._lines_counted.step != driver.moment.step
        return LineHeatMap(self.heat_mode, self._lines_counted, heat, stale=stale)

    _lines_counted: SourceHeat | None = None
