"""Snapshots along a run that make seeking fast; they accelerate and never define.

A checkpoint is kept about every `SPACING` seconds of running, so that reaching any
step costs at most that much replay.  When they fill their share of memory, those
whose gap is cheapest to replay are dropped first.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Generic, Protocol, TypeVar


class Keepable(Protocol):
    """What was at a step, and the bytes that keeping it takes."""

    @property
    def steps(self) -> int: ...
    @property
    def size(self) -> int: ...


Kept = TypeVar("Kept", bound=Keepable)

SPACING = 0.010
"""Seconds of replay between two checkpoints, while memory allows."""

MEMORY = 48 << 20
"""Bytes that all checkpoints of one timeline may occupy."""


class Checkpoints(Generic[Kept]):
    """Snapshots in order of their steps; the first one, where the run begins, stays."""

    def __init__(self, first: Kept, memory: int = MEMORY):
        self._snapshots = [first]
        self._steps = [first.steps]
        self._seconds = [0.0]  # what running from the one before took
        self._memory = memory
        self._size = first.size

    def __len__(self) -> int:
        return len(self._snapshots)

    @property
    def size(self) -> int:
        """Bytes that the snapshots occupy, roughly."""
        return self._size

    def add(self, snapshot: Kept, seconds: float) -> None:
        """Keep ``snapshot``, which took ``seconds`` to reach from the last one."""
        at = bisect_left(self._steps, snapshot.steps)
        if at < len(self._steps) and self._steps[at] == snapshot.steps:
            self._size += snapshot.size - self._snapshots[at].size
            self._snapshots[at] = snapshot
            return
        self._snapshots.insert(at, snapshot)
        self._steps.insert(at, snapshot.steps)
        self._seconds.insert(at, seconds)
        self._size += snapshot.size
        while self._size > self._memory and len(self._snapshots) > 2:
            self._drop_cheapest()

    def before(self, step: int) -> Kept:
        """The nearest snapshot at or before ``step``."""
        return self._snapshots[bisect_right(self._steps, step) - 1]

    def steps_between(self, low: int, high: int) -> list[int]:
        """Steps of the checkpoints in ``low`` ≤ step < ``high``, ascending."""
        return self._steps[bisect_left(self._steps, low) : bisect_left(self._steps, high)]

    def forget_after(self, step: int) -> None:
        """Drop all beyond ``step``: the future has changed."""
        keep = max(1, bisect_right(self._steps, step))
        self._size -= sum(snapshot.size for snapshot in self._snapshots[keep:])
        del self._snapshots[keep:], self._steps[keep:], self._seconds[keep:]

    def _drop_cheapest(self) -> None:
        """Merge the neighbouring gaps that together take least; never the first or last."""
        seconds = self._seconds
        at = min(range(1, len(seconds) - 1), key=lambda i: seconds[i] + seconds[i + 1])
        seconds[at + 1] += seconds[at]
        self._size -= self._snapshots[at].size
        del self._snapshots[at], self._steps[at], seconds[at]
