"""The key that shows how often instructions were executed, and what keeps that up to date."""

from __future__ import annotations

import time

from textual.actions import SkipAction
from textual.timer import Timer

from esoplay.debugging import heat as service
from esoplay.debugging.debugger import Cancelled, Reason, Stop, Ticker
from esoplay.tui.debug.heat_map import HeatMap, HeatMode
from esoplay.tui.debug.target import Move
from esoplay.tui.debug.term_controls import TermControls

PATIENCE = 0.012
"""Seconds that counting may take on the screen's own thread."""
COUNT_AFTER = 0.15
"""Seconds of rest after which what takes longer is counted in a thread."""


class HeatControls(TermControls):
    """Heat on the program and on the plane."""

    heat_mode = HeatMode.OFF
    _heat: service.Heat | None = None
    _heat_of: object | None = None
    """The timeline that was counted in: another input begins another one."""
    _heat_timer: Timer | None = None
    _refused: int | None = None
    """The step at which the user has stopped the counting."""

    def action_heat(self) -> None:
        driver = self.navigator.driver
        if driver is None or driver.is_blank:
            raise SkipAction  # then the key opens the editor, as everywhere
        self.heat_mode = self.heat_mode.following
        self._refused = None
        self.show_heat()
        self.navigator.say(f"heat: {self.heat_mode.value}")

    def show_heat(self) -> None:
        """Show the counts of this moment, or have them counted as soon as time rests."""
        driver, navigator = self.navigator.driver, self.navigator
        if self._heat_timer is not None:
            self._heat_timer.stop()
            self._heat_timer = None
        if driver is None or self.heat_mode is HeatMode.OFF:
            self._heat = self._heat_of = None
            self._lay(None)
            return
        timeline, step = driver.debugger.timeline, driver.moment.step
        known = self._heat is not None and self._heat_of is timeline and self._heat.step == step
        if not known and not navigator.mover.busy:
            if self._heat_of is not timeline:
                self._heat = None
            try:
                self._heat = service.heat(driver.debugger, ticker=patience())
                self._heat_of = timeline
            except Cancelled:
                if self._refused != step:
                    self._heat_timer = self.set_timer(COUNT_AFTER, self.count_slowly)
        if self._heat is None:
            self._lay(None)
        else:
            self._lay(HeatMap(self.heat_mode, self._heat, stale=self._heat.step != step))

    def _lay(self, map: HeatMap | None) -> None:
        self.parts.program.show_heat(map)
        plane = self.parts.state.plane
        if plane is not None:
            plane.show_heat(map)

    def count_slowly(self) -> None:
        """In a thread, with progress, to be called off like any move."""
        driver, navigator = self.navigator.driver, self.navigator
        if driver is None or navigator.mover.busy or navigator.playing:
            return
        notice = navigator.notice

        def run(ticker: Ticker | None) -> Stop:
            step = driver.debugger.step
            try:
                service.heat(driver.debugger, ticker=ticker)
            except Cancelled:
                self._refused = step
                return Stop(step, (Reason("cancelled", "cancelled"),))
            return Stop(step, (Reason("step", notice),) if notice else ())

        navigator.go(Move("counting executions", run, slow=True))


def patience() -> Ticker:
    """A ticker that says no once counting takes too long."""
    deadline = time.monotonic() + PATIENCE
    return lambda _done, _total: time.monotonic() <= deadline
