"""Passing over straight code to the next turn of an IP, and out of a block."""

from __future__ import annotations

from esolangs.befunge_98.machine import BefungeMachine
from esolangs.machine import LeapKind
from esolangs.stops import Address, Leap, StopSet

_TURNS = frozenset(b"><^v?_|[]rwx@q")
_MOST = 4096  # cells looked at


def leap(machine: BefungeMachine, kind: LeapKind) -> Leap | None:
    """See :meth:`esolangs.machine.Machine.leap`.

    over: to the next instruction after this one that turns the IP, or may turn it.  out: to the
    end of the innermost block, which is the next ``}`` on the way.
    """
    core, ip = machine.core, machine.core.ip
    if core.ended or core.lost or kind.startswith("back"):
        return None
    if kind == "out":
        if not ip.below:
            return None
        ends = _ends_of_blocks(machine)
        return Leap(StopSet(locations=ends), extra=1) if ends else None
    return _to_next_turn(machine)


def _to_next_turn(machine: BefungeMachine) -> Leap | None:
    """The steps that this IP takes before one that turns it, found by running a copy.

    Looking along the delta would not do: the next instruction may turn the IP itself, ``#`` and
    ``;`` skip cells, text in strings is not executed, and code may change itself. None when there
    is no turn within the steps that are looked at.
    """
    copy = machine.copy()
    identity = copy.core.ip.id
    taken = 0  # when this IP had its last turn to move
    delta = None
    while copy.steps - machine.steps < _MOST and copy.status == "running":
        ip = copy.core.ip
        if ip.id == identity:
            if delta is None:
                pass  # the step that is asked for: it may turn
            elif taken and delta != (ip.dx, ip.dy):
                return _steps(taken)
            elif not ip.string and copy.next_value() in _TURNS:
                return _steps(copy.steps - machine.steps)
            taken = copy.steps - machine.steps
            delta = ip.dx, ip.dy
        copy.run(1)
    return None if copy.status == "running" else _steps(copy.steps - machine.steps)


def _steps(count: int) -> Leap | None:
    return Leap(StopSet(every=True), extra=count - 1) if count > 1 else None


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
