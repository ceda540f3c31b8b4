"""Where the instruction of a step stands."""

from __future__ import annotations

from esolangs.view import Location, Window
from esoplay.service.debugging import Debugger

_SMALLEST = Window(cells=1, depth=1, width=1, height=1)


def location_of_step(debugger: Debugger, step: int) -> Location:
    """The place of the instruction that step number ``step``, from 1, has executed.

    It is in known history; the debugger stays where it is.
    """
    return debugger.timeline.machine_at(step - 1).view(_SMALLEST).location
