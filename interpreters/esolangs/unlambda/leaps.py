"""Passing over applications and out of them, in both directions of time.

The continuation has as many frames as there are applications waiting for a value.  Over an
application is the next one for which no more wait than for it, so that the evaluation it
starts is passed over, but not what it becomes: over ```sxyz leads to where what `xz gave is
applied to what `yz gave.  Out is the next one for which fewer wait.  Frames are counted, not
told apart: where a captured continuation is taken up again, these lead to the first such
application in time, whichever continuation it belongs to.
"""

from __future__ import annotations

from esolangs.machine import LeapKind
from esolangs.stops import Leap, StopSet
from esolangs.unlambda.machine import ANYWHERE, UnlambdaMachine


def leap(machine: UnlambdaMachine, kind: LeapKind) -> Leap | None:
    """See :meth:`esolangs.machine.Machine.leap`."""
    if machine.ended:
        return None
    depth = machine.depth
    if kind == "back_over":
        after = machine.depth_after()
        return None if depth <= after else _within(after)
    if kind != "over":
        depth -= 1
    return _within(depth) if depth >= 0 else None


def _within(depth: int) -> Leap:
    return Leap(StopSet(locations=frozenset({(ANYWHERE, depth)})))
