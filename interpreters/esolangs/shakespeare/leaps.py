"""Getting out of a scene, in both directions of time.

A scene is left when another one (or the end of the play) is reached, and a goto to its own
beginning does not leave it.  A sentence calls nothing, so there is nothing to pass over.
"""

from __future__ import annotations

from esolangs.machine import LeapKind
from esolangs.shakespeare.machine import ShakespeareMachine
from esolangs.stops import Leap, StopSet


def leap(machine: ShakespeareMachine, kind: LeapKind) -> Leap | None:
    """See :meth:`esolangs.machine.Machine.leap`."""
    program = machine.program
    scene = program.scene_of(machine.core.ip)
    if scene < 0 or kind in ("over", "back_over"):
        return None
    here = program.starts[program.scenes[scene][3]]
    if kind == "back_out":
        return Leap(StopSet(locations=frozenset({here})))
    others = {program.starts[first] for _, _, _, first in program.scenes}
    return Leap(StopSet(locations=frozenset(others | {len(program.source)}) - {here}))
