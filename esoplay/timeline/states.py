"""A machine's state as expressions see it: what is not there counts as 0."""

from __future__ import annotations

from esolangs.machine import Machine
from esolangs.stops import Address
from esoplay.timeline.slots import level_of


class MachineState:
    """A machine as conditions see it."""

    def __init__(self, machine: Machine, hits: int = 0):
        self._machine = machine
        self._hits = hits

    def peek(self, address: Address) -> int:
        """0 where the language has no such cell: an expression never stops a run."""
        try:
            return self._machine.peek(address)
        except ValueError:
            return 0

    def level(self, level: int) -> int:
        """0 where the stack shown first has no such level, or a number too large for a view."""
        value = level_of(self._machine, level)
        return value if isinstance(value, int) else 0

    def lookup(self, name: str) -> int:
        machine = self._machine
        if name == "step":
            return machine.steps
        if name == "hits":
            return self._hits
        if name == "output":
            return machine.output_length
        if name == "input":
            return machine.input_position
        return machine.registers().get(name, 0)
