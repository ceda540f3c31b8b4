"""Count executions for the heat map, and update the counts after each move."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from textual.timer import Timer

from esoplay.debugging import heat as execution_heat
from esoplay.debugging.debugger import MoveCancelled, Reason, Stop, Ticker
from esoplay.tui.debug.heat_map import HeatMap, HeatMode, LineHeatMap
from esoplay.tui.debug.moves import Move
from esoplay.tui.debug.target import DebugTarget
from esoplay.tui.debug.time_travel import TimeTravel

if TYPE_CHECKING:
    from esoplay.debugging.source_maps import SourceHeat


MAIN_THREAD_SECONDS = 0.012
"""Maximum seconds of counting on the main thread."""
IDLE_SECONDS = 0.15
"""Seconds without a move until a thread starts a count that is slow on the main thread."""


class ExecutionHeat:
    """Heat maps of program, plane and source: execution counts up to the current step."""

    def __init__(
        self,
        time_travel: TimeTravel,
        set_timer: Callable[[float, Callable[[], None]], Timer],
        show_counts: Callable[[HeatMap | None, LineHeatMap | None], None],
    ) -> None:
        """Count executions of the program in ``time_travel``.

        set_timer: calls a function after a delay. show_counts: called with the counts by
        instruction and by line; None hides the counts.
        """
        self._time = time_travel
        self._set_timer = set_timer
        self._show_counts = show_counts
        self.mode = HeatMode.OFF
        self._heat: execution_heat.Heat | None = None
        self._counted_timeline: object | None = None
        """The timeline of the last count; a change of the input creates another timeline."""
        self._source_heat: SourceHeat | None = None
        self._timer: Timer | None = None
        self._cancelled_step: int | None = None
        """The step for which the user cancelled the count, so that it does not start again."""

    def cycle_mode(self) -> None:
        """Switch to the next mode of the heat map, or turn it off."""
        self.mode = self.mode.next_mode
        self._cancelled_step = None
        self.show()
        self._time.show_notice(f"heat: {self.mode.value}")

    def show(self) -> None:
        """Show the execution counts at the current step.

        If counting takes too long, the previous counts of the run remain, and a thread counts after
        ``IDLE_SECONDS`` without a move, unless the user cancelled the count for this step.
        """
        target, travel = self._time.target, self._time
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if target is None or self.mode is HeatMode.OFF:
            self._heat = self._counted_timeline = None
            self._show_counts(None, None)
            return
        timeline, step = target.debugger.timeline, target.snapshot.step
        known = (
            self._heat is not None
            and self._counted_timeline is timeline
            and self._heat.step == step
        )
        if not known and not travel.is_busy:
            if self._counted_timeline is not timeline:
                self._heat = None
            try:
                self._heat = execution_heat.heat(target.debugger, ticker=time_limit_ticker())
                self._counted_timeline = timeline
            except MoveCancelled:
                if self._cancelled_step != step:
                    self._timer = self._set_timer(IDLE_SECONDS, self.count_in_thread)
        if self._heat is None:
            self._show_counts(None, None)
        else:
            heat_map = HeatMap(self.mode, self._heat, stale=self._heat.step != step)
            self._show_counts(heat_map, self._line_heat(target, self._heat))

    def _line_heat(self, target: DebugTarget, heat: execution_heat.Heat) -> LineHeatMap | None:
        """Return the counts by source line; the previous counts if counting takes too long."""
        if target.source.source_map is None:
            return None
        if heat.step == target.snapshot.step and not self._time.is_busy:
            from esoplay.debugging.source_maps import line_heat

            with suppress(MoveCancelled):
                self._source_heat = (
                    line_heat(target.debugger, ticker=time_limit_ticker()) or self._source_heat
                )
        if self._source_heat is None:
            return None
        stale = self._source_heat.step != target.snapshot.step
        return LineHeatMap(self.mode, self._source_heat, heat, stale=stale)

    def count_in_thread(self) -> None:
        """Count in a thread and show progress; Escape cancels the count like a move."""
        target, travel = self._time.target, self._time
        if target is None or travel.is_busy or travel.is_playing:
            return
        notice = travel.notice

        def run(ticker: Ticker | None) -> Stop:
            step = target.debugger.step
            try:
                execution_heat.heat(target.debugger, ticker=ticker)
            except MoveCancelled:
                self._cancelled_step = step
                return Stop(step, (Reason("cancelled", "cancelled"),))
            return Stop(step, (Reason("step", notice),) if notice else ())

        travel.start(Move("counting executions", run, in_thread=True))


def time_limit_ticker() -> Ticker:
    """Return a ticker that cancels the counting of executions after ``MAIN_THREAD_SECONDS``."""
    deadline = time.monotonic() + MAIN_THREAD_SECONDS
    return lambda _done, _total: time.monotonic() <= deadline
