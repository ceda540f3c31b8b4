"""A machine's state as expressions see it: what is not there counts as 0."""

from __future__ import annotations

from collections.abc import Callable

from esolangs.machine import Machine
from esolangs.stops import Address
from esoplay.timeline.slots import Levels


class MachineState:
    """A machine as conditions see it, for as long as it stays where it is."""

    def __init__(
        self,
        machine: Machine,
        hits: int = 0,
        levels: Levels | None = None,
        values: Callable[[str, Machine], int] | None = None,
    ):
        """``levels``: those of its stack, shared with other states of the same moment.

        values: what tells of the source's variables.
        """
        self._values = values
        self._machine = machine
        self._hits = hits
        self._levels = levels

    def peek(self, address: Address) -> int:
        """0 where the language has no such cell: an expression never stops a run."""
        try:
            return self._machine.peek(address)
        except ValueError:
            return 0

    def level(self, level: int) -> int:
        """0 where the stack shown first has no such level, or a number too large for a view."""
        value = self.levels.at(level)
        return value if isinstance(value, int) else 0

    @property
    def levels(self) -> Levels:
        """Those of the stack that is shown first."""
        if self._levels is None:
            self._levels = Levels(self._machine)
        return self._levels

    def variable(self, name: str) -> int:
        """0 where the source has no such variable, or its cells hold no value."""
        return 0 if self._values is None else self._values(name, self._machine)

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
