"""What a new version of a program leaves as it was."""

from __future__ import annotations

from esoplay.service.debugging import Debugger, Ticker
from esoplay.timeline.comparison import common_steps

FARTHEST = 200_000
"""Steps that two versions are compared for, one by one."""

__all__ = ["FARTHEST", "same_until"]


def same_until(old: Debugger, new: Debugger, step: int, ticker: Ticker | None = None) -> int:
    """How many of the first ``step`` steps both versions do alike.

    0 where their inputs, dialects or options differ, where cells were changed by hand, and where
    ``step`` lies beyond FARTHEST.  Both keep their positions.  Raises Cancelled.
    """
    a, b = old.recording, new.recording
    alike = (
        a.language == b.language
        and a.dialect == b.dialect
        and dict(a.options) == dict(b.options)
        and (a.stdin, a.closed, a.seed) == (b.stdin, b.closed, b.seed)
        and not a.edits
        and not b.edits
    )
    if not alike or step > FARTHEST:
        return 0
    return common_steps(old.timeline, new.timeline, step, ticker)
