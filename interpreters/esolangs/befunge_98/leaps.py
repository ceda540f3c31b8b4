"""Passing over straight code to where an IP turns, and out of a block.

A turn is not known beforehand, as code may change itself and take decisions: the cells that
can turn an IP are those that hold such an instruction now, on the path that lies ahead.
"""

from __future__ import annotations

from esolangs.befunge_98.machine import BefungeMachine
from esolangs.machine import LeapKind
from esolangs.stops import Address, Leap, StopSet

_TURNS = frozenset(b"><^v?_|[]rwx@q")
_MOST = 4096  # cells looked at


def leap(machine: BefungeMachine, kind: LeapKind) -> Leap | None:
    """See :meth:`esolangs.machine.Machine.leap`.

    over: to the next instruction on the way that may change the delta.  out: to the end of
    the innermost block, which is the next ``}`` on the way.
    """
    core, ip = machine.core, machine.core.ip
    if core.ended or core.lost or kind.startswith("back"):
        return None
    if kind == "out":
        if not ip.below:
            return None
        ends = _ends_of_blocks(machine)
        return Leap(StopSet(locations=ends), extra=1) if ends else None
    turns = _turns_ahead(machine)
    return Leap(StopSet(locations=turns)) if turns else None


def _turns_ahead(machine: BefungeMachine) -> frozenset[Address]:
    core, ip = machine.core, machine.core.ip
    x, y = ip.x, ip.y
    for _ in range(_MOST):
        x, y = core.after(x, y, ip.dx, ip.dy)
        if (x, y) == (ip.x, ip.y):
            break
        if core.get(x, y) in _TURNS:
            return frozenset({(x, y)})
    return frozenset()


def _ends_of_blocks(machine: BefungeMachine) -> frozenset[Address]:
    """Every ``}`` in the window, which is where blocks end as long as code is not made anew."""
    core = machine.core
    stride = core.width + 2
    codes = bytes(core.plane_codes)
    found: list[Address] = []
    at = codes.find(b"}")
    while at >= 0 and len(found) < _MOST:
        found.append((at % stride - 1 + core.left, at // stride - 1 + core.top))
        at = codes.find(b"}", at + 1)
    return frozenset(found)
