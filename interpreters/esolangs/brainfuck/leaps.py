"""Passing over loops and out of them, in both directions of time.

A loop is left only by falling through its ``]`` (or skipping it from its ``[``), so
the command after the ``]`` marks its end; it is begun only from the command before
its ``[``, so one step after that was last executed is where it began.
"""

from __future__ import annotations

from esolangs.brainfuck.machine import BrainfuckMachine
from esolangs.brainfuck.opcodes import CLOSE, OPEN
from esolangs.machine import LeapKind
from esolangs.stops import Leap, StopSet


def leap(machine: BrainfuckMachine, kind: LeapKind) -> Leap | None:
    """See :meth:`esolangs.machine.Machine.leap`."""
    program, at = machine.program, machine.core.ip
    command = program.code[at]
    value = machine.core.buffer[machine.core.pointer]
    if kind == "over":
        return _end_of(machine, at) if command == OPEN and value else None
    if kind == "back_over":
        return _begin_of(machine, program.match[at]) if command == CLOSE and not value else None
    running = command == OPEN and machine.core.loop_rounds()[program.depth[at]] > 0
    loop = at if running else program.enclosing[at]
    if loop < 0:
        return None
    return _end_of(machine, loop) if kind == "out" else _begin_of(machine, loop)


def _end_of(machine: BrainfuckMachine, opening: int) -> Leap:
    program = machine.program
    after = program.match[opening] + 1
    return Leap(StopSet(locations=frozenset({program.offsets[after]})))


def _begin_of(machine: BrainfuckMachine, opening: int) -> Leap:
    if opening == 0:
        return Leap(StopSet())  # no command before it: the loop began at step 0
    return Leap(StopSet(locations=frozenset({machine.program.offsets[opening - 1]})), extra=1)
