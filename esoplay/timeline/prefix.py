"""How far two versions of a program do the same.

A step is the same when both executed an instruction that is written alike and it read, printed and
stored the same.  Where the instruction stands does not matter: a comment above it may have grown.
"""

from __future__ import annotations

import time

from esoplay.timeline.lockstep import stored
from esoplay.timeline.timeline import Ticker, Timeline, tick

_PREFIX_TICK = 0.005  # seconds between two calls of a ticker
_LOOKS = 64  # steps between two looks at the clock


def common_steps(this: Timeline, other: Timeline, limit: int, ticker: Ticker | None = None) -> int:
    """Steps from the start, ``limit`` at most, that are the same in both.

    Both keep their positions.  Raises Cancelled.
    """
    a, b = this.machine_at(0), other.machine_at(0)
    texts = this.program.source, other.program.source
    ticked = time.monotonic()
    for done in range(limit):
        mine, theirs = a.step(), b.step()
        if mine is None or theirs is None:
            return done
        if (
            texts[0][slice(*mine.span)] != texts[1][slice(*theirs.span)]
            or mine.printed != theirs.printed
            or mine.read != theirs.read
            or stored(mine) != stored(theirs)
        ):
            return done
        if done % _LOOKS == 0 and time.monotonic() - ticked > _PREFIX_TICK:
            ticked = time.monotonic()
            tick(ticker, done, limit)
    return limit
