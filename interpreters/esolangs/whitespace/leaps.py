"""Passing over calls and out of them, in both directions of time.

A call is over when control is back behind it with as many calls open as before it, and
it began at its instruction with that many open; so the stops are pairs of an offset and
a depth of calls, and recursion does not deceive them.
"""

from __future__ import annotations

from esolangs.machine import LeapKind
from esolangs.stops import Leap, StopSet
from esolangs.whitespace.machine import WhitespaceMachine
from esolangs.whitespace.opcodes import CALL, RETURN


def leap(machine: WhitespaceMachine, kind: LeapKind) -> Leap | None:
    """See :meth:`esolangs.machine.Machine.leap`."""
    program, core = machine.program, machine.core
    op = program.code.ops[core.ip]
    if kind == "over":
        if op != CALL or program.code.args[core.ip] < 0:
            return None
        return _at(machine, core.ip + 1, core.calls)
    if core.calls == 0 or (kind == "back_over" and op != RETURN):
        return None
    behind = core.frame(core.calls - 1)
    return _at(machine, behind if kind == "out" else behind - 1, core.calls - 1)


def _at(machine: WhitespaceMachine, instruction: int, depth: int) -> Leap:
    offset = machine.program.starts[instruction]
    return Leap(StopSet(locations=frozenset({(offset, depth)})))
