"""Finding out when a value was put into the selected place last, without making anybody wait."""

from __future__ import annotations

import time

from esoplay.debugging.debugger import Cancelled, Debugger
from esoplay.debugging.provenance import puts
from esoplay.tui.debug.moment import LastPut, LastWrite, Moment

EAGER_SECONDS, IDLE_SECONDS = 0.008, 0.03
"""What it should take at every step, and when time rests: of this thread, so that a busy machine
does not change what is shown."""


class LookUp:
    """Of one place.  Once it takes too long at a step, it waits until time rests."""

    def __init__(self, debugger: Debugger) -> None:
        self._debugger = debugger
        self._took = 0.0

    def at_once(self, moment: Moment) -> Moment:
        """The moment with what is known of its slot or cell, if that can be found out quickly."""
        return self._known(moment, EAGER_SECONDS) if self._took <= EAGER_SECONDS else moment

    def at_rest(self, moment: Moment) -> Moment:
        """The same with more time; what is not found then stays unknown until asked for."""
        return self._known(moment, IDLE_SECONDS)

    def _known(self, moment: Moment, seconds: float) -> Moment:
        slot, cell, began = moment.slot, moment.selected, time.thread_time()

        def ticker(_done: int, _total: int) -> bool:
            return time.thread_time() < began + seconds

        try:
            if slot is not None:
                pushes = puts(self._debugger, slot, ticker=ticker) if moment.step else []
                moment = moment._replace(last_put=LastPut(slot, next(iter(pushes), None)))
            elif cell is not None:
                writes = self._debugger.writes(cell, ticker=ticker) if moment.step else []
                moment = moment._replace(last_write=LastWrite(cell, next(iter(writes), None)))
        except Cancelled:
            pass
        self._took = time.thread_time() - began
        return moment
