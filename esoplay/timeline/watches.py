"""Watch expressions: values that somebody wants to see at every moment.

They are written in the language of conditions (:mod:`esoplay.timeline.conditions`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from esolangs.language import Program
from esolangs.machine import Machine
from esolangs.stops import Address
from esoplay.errors import ConditionError
from esoplay.timeline.conditions import Condition
from esoplay.timeline.slots import Levels
from esoplay.timeline.states import MachineState


class Seen(NamedTuple):
    """What an expression came to.

    value: None where ``error`` says what is wrong with the expression.
    missing: what it asked for that is not there, and counted as 0; empty when all was.
    """

    value: int | None
    missing: str = ""
    error: str = ""


class Watched:
    """A checked expression, or what is wrong with it."""

    def __init__(self, id: int, text: str, program: Program):
        self.id = id
        self.text = text
        self.error: ConditionError | None = None
        self._expression: Condition | None = None
        try:
            self._expression = Condition(text, program.register_names())
        except ConditionError as error:
            self.error = error

    def seen(self, machine: Machine, hits: int, levels: Levels) -> Seen:
        """Its value in the machine's present state; ``hits`` is what the name stands for."""
        if self._expression is None:
            return Seen(None, error=str(self.error))
        state = _Noting(machine, hits, levels)
        value = self._expression.value(state)
        return Seen(value, "; ".join(dict.fromkeys(state.missing)))


class _Noting(MachineState):
    """A machine that notes what an expression asked for in vain."""

    def __init__(self, machine: Machine, hits: int, levels: Levels):
        super().__init__(machine, hits, levels)
        self.missing: list[str] = []

    def peek(self, address: Address) -> int:
        try:
            return self._machine.peek(address)
        except ValueError as error:
            self.missing.append(str(error))
            return 0

    def level(self, level: int) -> int:
        value = self.levels.at(level)
        if value is None:
            words = f"the stack has no level {level}" if self.levels.there else "no stack is here"
            self.missing.append(words)
        elif isinstance(value, str):
            self.missing.append(f"level {level} is too large to compute with")
            return 0
        return value or 0


def see(watched: Iterable[Watched], machine: Machine, hits: int) -> list[Seen]:
    """What all of them come to."""
    levels = Levels(machine)
    return [each.seen(machine, hits, levels) for each in watched]
