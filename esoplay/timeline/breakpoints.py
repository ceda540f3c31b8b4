"""Breakpoints (stop before a location) and watchpoints (stop after an effect)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from esolangs.language import Program
from esolangs.machine import Machine
from esolangs.numbers import shown
from esolangs.step import Step
from esolangs.stops import Address, StopSet
from esoplay.errors import UsageError
from esoplay.timeline.conditions import Condition
from esoplay.timeline.places import address_text, locations_of

Effect = Literal["write", "output", "input"]
EFFECTS: tuple[Effect, ...] = ("write", "output", "input")

LONGEST_LOG = 500
"""Characters of a log text, which a single move may note a thousand times."""

_ANY_BYTE = frozenset(range(256))
_CHANGED_BY_EFFECTS = frozenset({"output", "input"})
_HOLE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class BreakpointSpec:
    """What to stop for; several parts must all apply.

    offset: before the instruction at this source offset.  position: before the one at this
    point, in languages whose code lies on a plane.  place: before what the program calls so
    (``Program.places``).  instruction: before every instruction written like this.
    cell: after a write to it.
    output: after the byte of this index was printed, or after this character (one byte) was.
    effect: after any step that writes, prints or reads.
    condition: an expression of ``esoplay.timeline.conditions``; alone, it is looked at
    whenever a cell it names was written or a count it names has changed.
    log: a line to note instead of stopping; ``{…}`` holds expressions.
    """

    offset: int | None = None
    position: tuple[int, int] | None = None
    place: str | None = None
    instruction: str | None = None
    cell: Address | None = None
    output: int | str | bytes | None = None
    condition: str | None = None
    effect: Effect | None = None
    log: str | None = None
    enabled: bool = True

    def __str__(self) -> str:
        parts = [
            f"before offset {self.offset}" if self.offset is not None else "",
            f"before {address_text(self.position)}" if self.position is not None else "",
            f"before {self.place}" if self.place is not None else "",
            f"before any {self.instruction!r}" if self.instruction is not None else "",
            f"write to cell {address_text(self.cell)}" if self.cell is not None else "",
            f"output {self.output!r}" if self.output is not None else "",
            f"any {self.effect}" if self.effect is not None else "",
            f"if {self.condition}" if self.condition else "",
        ]
        return ", ".join(part for part in parts if part)


class Breakpoint:
    """A spec that was checked and can be matched.  ``hits``: times it stopped a run or logged.

    locations: addresses of the instructions to stop before; None when any will do.
    """

    def __init__(self, id: int, spec: BreakpointSpec, program: Program):
        """Raises ConditionError for a bad condition.

        Raises UsageError for a spec that says nothing, or a place that ``program`` does not have.
        """
        self.id = id
        self.spec = spec
        self.hits = 0
        registers = program.register_names()
        self.condition = Condition(spec.condition, registers) if spec.condition else None
        self._log = _parse_log(spec.log, registers) if spec.log is not None else None
        self._byte = _output_byte(spec.output)
        if spec.log is not None and len(spec.log) > LONGEST_LOG:
            raise UsageError(f"a log text has at most {LONGEST_LOG} characters")
        if spec.effect is not None and spec.effect not in EFFECTS:
            raise UsageError(f"effect is one of {', '.join(EFFECTS)}, not {spec.effect!r}")
        if not str(spec):
            raise UsageError(
                "a breakpoint needs a place (offset, position, place or instruction), "
                "cell, output, effect or condition"
            )
        self.locations = locations_of(spec, program)

    @property
    def enabled(self) -> bool:
        return self.spec.enabled

    @property
    def conditional(self) -> bool:
        """Whether a stop of the engine is not yet a stop of this breakpoint."""
        parts = (self.locations, self.spec.cell, self.spec.output, self.spec.effect)
        several = sum(part is not None for part in parts) > 1
        any_write = self.spec.effect == "write"  # engines watch cells, not all of them at once
        return several or any_write or self.condition is not None or self._log is not None

    @property
    def cells(self) -> frozenset[Address]:
        """The cells that the spec, its condition and its log name outright."""
        named: set[Address] = set() if self.spec.cell is None else {self.spec.cell}
        expressions = [self.condition, *(self._log or ())]
        for each in expressions:
            if isinstance(each, Condition):
                named |= each.named
        return frozenset(named)

    @property
    def stops(self) -> StopSet:
        """What an engine has to watch for so that no match is missed."""
        spec = self.spec
        if self.locations is not None:
            return StopSet(locations=self.locations)
        if spec.cell is not None:
            return StopSet(writes=frozenset({spec.cell}))
        if isinstance(spec.output, int):
            return StopSet(output_index=spec.output)
        if self._byte is not None:
            return StopSet(output_values=frozenset({self._byte}))
        if spec.effect == "output":
            return StopSet(output_values=_ANY_BYTE)
        if spec.effect == "input":
            return StopSet(inputs=True)
        return self._changes()

    def _changes(self) -> StopSet:
        """Where a condition that stands alone may have changed."""
        condition = self.condition
        if condition is None or condition.cells is None or condition.names - _CHANGED_BY_EFFECTS:
            return StopSet(every=True)
        return StopSet(
            writes=frozenset(condition.cells),
            output_values=_ANY_BYTE if "output" in condition.names else frozenset(),
            inputs="input" in condition.names,
        )

    def applies(self, machine: Machine) -> bool:
        """Whether place and effect match a machine that an engine stop has halted."""
        spec, step = self.spec, machine.last_step
        if self.locations is not None and machine.location not in self.locations:
            return False
        if spec.cell is None and spec.output is None and spec.effect is None:
            return True
        return step is not None and self._effect_applies(step, machine.output_length)

    def holds(self, machine: Machine, hits: int) -> bool:
        """Whether the condition, if there is one, is true."""
        return self.condition is None or bool(self.condition.value(MachineState(machine, hits)))

    def log_line(self, machine: Machine, hits: int) -> str | None:
        """The line to note, or None when the breakpoint stops instead."""
        if self._log is None:
            return None
        state = MachineState(machine, hits)
        return "".join(
            part if isinstance(part, str) else str(shown(part.value(state))) for part in self._log
        )

    def _effect_applies(self, step: Step, output_length: int) -> bool:
        spec = self.spec
        if spec.cell is not None and all(write.address != spec.cell for write in step.writes):
            return False
        if isinstance(spec.output, int):
            first = output_length - len(step.printed)
            if not first <= spec.output < output_length:
                return False
        elif self._byte is not None and self._byte not in step.printed:
            return False
        happened = {
            "write": bool(step.writes),
            "output": bool(step.printed),
            "input": step.read is not None,
        }
        return spec.effect is None or happened[spec.effect]


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


def union(sets: Sequence[StopSet]) -> StopSet:
    """One set that stops wherever one of ``sets`` does."""
    indices = {stops.output_index for stops in sets if stops.output_index is not None}
    return StopSet(
        locations=frozenset().union(*(stops.locations for stops in sets)),
        writes=frozenset().union(*(stops.writes for stops in sets)),
        output_index=min(indices) if len(indices) == 1 else None,
        # Several indices: every byte printed has to be looked at.
        output_values=_ANY_BYTE
        if len(indices) > 1
        else frozenset().union(*(stops.output_values for stops in sets)),
        inputs=any(stops.inputs for stops in sets),
        every=any(stops.every for stops in sets),
    )


def _output_byte(output: int | str | bytes | None) -> int | None:
    if output is None or isinstance(output, int):
        return None
    data = output.encode("utf-8") if isinstance(output, str) else output
    if len(data) != 1:
        raise UsageError(f"output is the index of a byte, or one byte, not {output!r}")
    return data[0]


def _parse_log(text: str, registers: Collection[str]) -> list[str | Condition]:
    parts: list[str | Condition] = []
    for at, part in enumerate(_HOLE.split(text)):
        parts.append(Condition(part, registers) if at % 2 else part)
    return parts
