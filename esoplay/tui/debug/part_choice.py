"""The part of a term that is asked about."""

from __future__ import annotations

from esolangs.view import Term, Window
from esoplay.debugging.debugger import Cancelled, Debugger
from esoplay.debugging.provenance import TermOrigin, origin_of_part
from esoplay.errors import UsageError

EAGER_TRACED_STEPS = {"compiled": 2_000_000, "plain": 20_000}
"""The last step at which it is told without being asked for what made a part: that replays."""


class PartChoice:
    """A selected part, by its number; it lasts as long as the term it was selected in."""

    def __init__(self, debugger: Debugger) -> None:
        self._debugger = debugger
        self._part: int | None = None
        self._seen: tuple[int, Window] = 0, Window()
        self._origin: TermOrigin | None = None

    def choose(self, part: int | None, window: Window) -> None:
        """Ask about a part of the view through ``window`` here; None asks about none."""
        self._part, self._seen, self._origin = part, (self._debugger.step, window), None

    def learn(self, origin: TermOrigin) -> None:
        """Keep what is known of the part from now on."""
        self._origin = origin

    def at(self, window: Window) -> int | None:
        """The part, if the view through ``window`` here shows the term it was selected in."""
        step, seen = self._seen
        if step != self._debugger.step:
            self._part = None
        elif self._part is not None and seen != window:  # a panel beside it took or left room
            if self._terms(seen) != self._terms(window):
                self._part = None
            self._seen = step, window
        return self._part

    def _terms(self, window: Window) -> list[Term]:
        view = self._debugger.view(window)
        return [panel for panel in view.panels if isinstance(panel, Term)]

    def origin(self, window: Window) -> TermOrigin | None:
        """What made the part, as far as it is known or soon found out."""
        part = self.at(window)
        if part is None:
            return None
        debugger = self._debugger
        if self._origin is None and debugger.step <= EAGER_TRACED_STEPS.get(
            debugger.program.engine, 0
        ):
            try:
                self._origin = origin_of_part(debugger, part, window, longest=1)
            except (Cancelled, UsageError):
                return None
        return self._origin
