"""How many steps to run between two looks at the clock, the ticker and history."""

from __future__ import annotations

from esolangs.limits import UNLIMITED

_LEAST = 10  # steps


class Pace:
    """A slice of steps that takes about ``seconds``, whatever the program and the machine."""

    def __init__(self, first: int, seconds: float, *, fixed: bool = False):
        """``first``: steps of the first slice; it stays when ``fixed``."""
        self._first = first
        self._seconds = seconds
        self._fixed = fixed
        self.slice = first

    def begin_anew(self) -> None:
        """What is run from now on may go at quite another speed."""
        self.slice = self._first

    def ran(self, steps: int, seconds: float) -> None:
        """Learn from a run of one slice.

        A run that ended before its slice was used up says nothing about a longer one.
        """
        if self._fixed:
            return
        if seconds > 2 * self._seconds:
            self.slice = max(_LEAST, int(steps * self._seconds / seconds))
        elif seconds < self._seconds / 2 and steps >= self.slice:
            factor = 8 if seconds < self._seconds / 16 else 2
            self.slice = min(factor * self.slice, UNLIMITED // 2)
