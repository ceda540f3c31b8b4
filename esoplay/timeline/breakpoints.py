"""Breakpoints (stop before a location) and watchpoints (stop after an effect)."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from esolangs.filters import Filter, FilterNames
from esolangs.language import Program
from esolangs.machine import Machine
from esolangs.numbers import abbreviate
from esolangs.stops import Address, Slot, Step, StopSet
from esoplay.errors import UsageError
from esoplay.timeline.breakpoint_spec import (
    DIRECTIONS,
    EFFECTS,
    BreakpointSpec,
    Direction,
    breakpoint_addresses,
    encode_output_text,
)
from esoplay.timeline.conditions import Condition
from esoplay.timeline.filters import compile_filter
from esoplay.timeline.places import instruction_addresses, is_on_plane, next_instruction
from esoplay.timeline.states import MachineState

if TYPE_CHECKING:
    from esoplay.timeline.source_lines import SourceLines


MAX_LOG_LENGTH = 500
"""The maximum length of a log text in characters; one move can log it a thousand times."""

_ANY_BYTE = frozenset(range(256))
_CHANGED_BY_EFFECTS = frozenset({"output", "input"})
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


class TimelineContext(NamedTuple):
    """The data of a timeline that may be needed to match a breakpoint.

    ``output`` contains all bytes printed by the steps run so far. ``first_arrivals`` maps each
    location to the first state in which it is the next instruction; matching a breakpoint can add
    locations.
    """

    output: bytearray
    first_arrivals: dict[Address, int]


class Breakpoint:
    """A breakpoint of one program: a validated specification and the count of its hits.

    ``hits`` counts stops and log lines. ``locations``: addresses of the instructions to stop
    before; None for any. ``lines``: the program's source lines if the breakpoint is on a source
    line, else None. ``moved_from``: the requested offset if it is not at an instruction; ``spec``
    then has the offset of the next instruction in the text. ``on_plane``: whether code is on a
    plane, where the next instruction in the text is not necessarily executed next.
    """

    def __init__(
        self, id: int, spec: BreakpointSpec, program: Program, lines: SourceLines | None = None
    ):
        """Create a breakpoint from ``spec``, after validating it.

        lines: the source lines of ``program``, or None if no source map is open.

        Raises ConditionError for an invalid condition, and UsageError for an empty specification or
        a location that ``program`` does not have.
        """
        self.id = id
        self.moved_from: int | None = None
        self.on_plane = is_on_plane(program)
        if spec.offset is not None and program.instruction_at(spec.offset) is None:
            following = next_instruction(program, spec.offset)
            if following is not None:
                self.moved_from, spec = spec.offset, replace(spec, offset=following[0])
        self.spec = spec
        self.hits = 0
        expression, self._values = _expression_functions(program, lines)
        self.condition = expression(spec.condition) if spec.condition else None
        self._log = _parse_log_text(spec.log, expression) if spec.log is not None else None
        self._text = encode_output_text(spec.output)
        if spec.log is not None and len(spec.log) > MAX_LOG_LENGTH:
            raise UsageError(f"a log text can have at most {MAX_LOG_LENGTH} characters")
        if spec.effect is not None and spec.effect not in EFFECTS:
            raise UsageError(f"effect must be one of {', '.join(EFFECTS)}, not {spec.effect!r}")
        if spec.direction is not None and spec.direction not in DIRECTIONS:
            raise UsageError(
                f"direction must be one of {', '.join(DIRECTIONS)}, not {spec.direction!r}"
            )
        for name, number in (("step", spec.step), ("every", spec.every)):
            if number is not None and number < 1:
                raise UsageError(f"{name}: expected a positive number, found {number}")
        if not str(spec):
            raise UsageError(
                "a breakpoint needs at least one of offset, position, place, instruction, "
                "source_line, cell, slot, read, output, effect, step, every, new and condition"
            )
        if self.uses_variables and str(replace(spec, condition=None)) == "":
            raise UsageError(
                "a condition on source variables also needs a place, such as a line: "
                "while a line is executed, a variable may be only partly updated"
            )
        self.filter_names = program.filter_names()
        self.lines = None if spec.source_line is None else lines
        self.locations = breakpoint_addresses(spec, program, lines)
        self._reads = None if spec.read is None else self._watch_reads(spec.read, program)
        self._new = instruction_addresses(program) if spec.new else frozenset[Address]()

    def _watch_reads(self, cell: Address, program: Program) -> Condition:
        """Restrict ``locations`` to the instructions that can read ``cell``.

        Engines watch cells only for writes, so the run stops before instructions that can read.

        Returns a condition that is true if the next instruction, at one of ``locations``, reads
        ``cell``. Raises UsageError if the language does not support this.
        """
        seen = program.cell_readers(cell)
        if seen is None:
            raise UsageError(
                f"read of a cell is not supported in {program.language.name}; "
                "instead, stop before the instructions that read cells, for example at '…'"
            )
        instructions, condition = seen
        places = frozenset(at for each in instructions for at in program.occurrences(each))
        self.locations = places if self.locations is None else self.locations & places
        return Condition(condition, program.register_names())

    @property
    def enabled(self) -> bool:
        return self.spec.enabled

    @property
    def needs_processing(self) -> bool:
        """Whether a stop of the engine for this breakpoint needs further checks or a log line."""
        return self.needs_filter or self.condition is not None or self._log is not None

    @property
    def needs_filter(self) -> bool:
        """Whether some ``stops`` may not be matches, so that Python must check ``applies``."""
        spec = self.spec
        parts = (self.locations, spec.cell, spec.slot, spec.output, spec.effect)
        several = sum(part is not None for part in parts) > 1
        any_write = self.spec.effect == "write"  # engines watch single cells
        return (
            several
            or any_write
            or self.spec.source_line is not None
            or self.spec.new
            or self.spec.step is not None
            or self.spec.every is not None
            or self._reads is not None
            or (self._text is not None and len(self._text) > 1)
        )

    @property
    def uses_hits(self) -> bool:
        """Whether the condition or the log text uses ``hits``."""
        return any(
            isinstance(each, Condition) and "hits" in each.names
            for each in (self.condition, *(self._log or ()))
        )

    @property
    def uses_variables(self) -> bool:
        """Whether the condition or the log text uses variables of the source."""
        return any(
            isinstance(each, Condition) and each.uses_variables
            for each in (self.condition, *(self._log or ()))
        )

    def applies_in(self, direction: Direction) -> bool:
        """Return whether the breakpoint is enabled for moves in ``direction``."""
        return self.spec.enabled and self.spec.direction in (None, direction)

    def next_checked_step(self, step: int) -> int | None:
        """Return the next step that the field ``step`` or ``every`` selects, or None.

        Also returns None if other fields are set, because engines then find the steps.
        """
        spec = self.spec
        if self._has_engine_stops or (spec.step is None and spec.every is None):
            return None
        if spec.step is not None:
            return spec.step if spec.step > step else None
        assert spec.every is not None
        return (step // spec.every + 1) * spec.every

    @property
    def _has_engine_stops(self) -> bool:
        spec = self.spec
        parts = (self.locations, spec.cell, spec.slot, spec.output, spec.effect)
        return spec.new or any(part is not None for part in parts)

    @property
    def cells(self) -> frozenset[Address]:
        """The cells whose addresses are constants in the spec, its condition or its log text."""
        named: set[Address] = set() if self.spec.cell is None else {self.spec.cell}
        expressions = [self.condition, *(self._log or ())]
        for each in expressions:
            if isinstance(each, Condition):
                named |= each.constant_cells
        return frozenset(named)

    def stops_after(
        self, first_arrivals: Mapping[Address, int], low: int, high: int | None
    ) -> StopSet:
        """Return the stops to watch for in an interval: ``low`` < step ≤ ``high``.

        They are ``stops`` or, for a ``new`` breakpoint without ``locations``, the locations that
        the run first reaches in the interval. If ``high`` is None, the interval has no end, and
        ``first_arrivals`` covers the states up to ``low``.
        """
        if not self.spec.new or self.locations is not None:
            return self.stops
        if high is None:
            return StopSet(locations=self._new - first_arrivals.keys())
        here = (at for at, step in first_arrivals.items() if low < step <= high)
        return StopSet(locations=self._new.intersection(here))

    @property
    def stops(self) -> StopSet:
        """The stops that an engine must watch for to find all matches."""
        spec = self.spec
        if self.locations is not None:
            return StopSet(locations=self.locations)
        if spec.new:
            return StopSet(locations=self._new)
        if spec.cell is not None:
            return StopSet(writes=frozenset({spec.cell}))
        if spec.slot is not None:
            return StopSet(slots=frozenset({spec.slot}))
        if isinstance(spec.output, int):
            return StopSet(output_index=spec.output)
        if self._text is not None:
            return StopSet(output_values=frozenset({self._text[-1]}))
        if spec.effect == "output":
            return StopSet(output_values=_ANY_BYTE)
        if spec.effect == "input":
            return StopSet(inputs=True)
        if spec.step is not None or spec.every is not None:
            return StopSet()
        return self._condition_stops()

    @property
    def location_stops(self) -> StopSet | None:
        """The breakpoint's locations as stops; None if it has none, or also needs other stops."""
        if self.locations is None or self.lines is not None:
            return None
        return StopSet(locations=self.locations)

    def _condition_stops(self) -> StopSet:
        """Return the stops at which the condition's value may change.

        They are needed if only the condition determines where the breakpoint matches.
        """
        condition = self.condition
        if condition is None or condition.cells is None or condition.names - _CHANGED_BY_EFFECTS:
            return StopSet(every=True)
        return StopSet(
            writes=frozenset(condition.cells),
            output_values=_ANY_BYTE if "output" in condition.names else frozenset(),
            inputs="input" in condition.names,
        )

    def applies(self, machine: Machine, context: TimelineContext) -> bool:
        """Return whether the breakpoint matches at a step where the engine stopped the machine.

        The condition is not checked here, nor is the source line: ``MachineFollower`` checks
        whether the line is started at the stop.
        """
        spec, step = self.spec, machine.last_step
        if spec.new and not self._is_first_arrival(machine, context):
            return False
        if self.locations is not None and machine.location not in self.locations:
            return False
        if self._reads is not None and not self._reads.value(MachineState(machine)):
            return False
        if spec.step is not None and machine.steps != spec.step:
            return False
        if spec.every is not None and machine.steps % spec.every:
            return False
        if all(part is None for part in (spec.cell, spec.slot, spec.output, spec.effect)):
            return True
        return step is not None and self._effect_applies(step, machine.output_length, context)

    def applies_at_start(self, machine: Machine) -> bool:
        """Return whether a reverse move that ends at step 0 has reached this breakpoint.

        No step has had an effect there, so breakpoints on effects do not apply. This is not a hit,
        so breakpoints that use hits or log do not apply either.
        """
        spec = self.spec
        effects = (spec.cell, spec.slot, spec.output, spec.effect, spec.step, spec.every)
        if self.locations is None or any(part is not None for part in effects):
            return False
        if self.uses_hits or self._log is not None:
            return False
        if self.lines is not None and self.lines.source_map.begins is not None:
            return False
        return self.applies(machine, TimelineContext(bytearray(), {})) and self.holds(machine, 0)

    def _is_first_arrival(self, machine: Machine, context: TimelineContext) -> bool:
        at = machine.location
        return (
            at in self._new
            and context.first_arrivals.setdefault(at, machine.steps) == machine.steps
        )

    def holds(self, machine: Machine, hits: int) -> bool:
        """Return whether the condition is true; True without a condition."""
        if self.condition is None:
            return True
        return bool(self.condition.value(MachineState(machine, hits, read_variable=self._values)))

    def log_line(self, machine: Machine, hits: int) -> str | None:
        """Return the line to log, or None if the breakpoint stops instead."""
        if self._log is None:
            return None
        state = MachineState(machine, hits, read_variable=self._values)
        return "".join(
            part if isinstance(part, str) else str(abbreviate(part.value(state)))
            for part in self._log
        )

    def _effect_applies(self, step: Step, output_length: int, context: TimelineContext) -> bool:
        spec = self.spec
        if spec.cell is not None and all(write.address != spec.cell for write in step.writes):
            return False
        if spec.slot is not None and spec.slot not in step.pushes:
            return False
        if isinstance(spec.output, int):
            first = output_length - len(step.printed)
            if not first <= spec.output < output_length:
                return False
        elif self._text is not None:
            first = max(0, output_length - len(step.printed) - len(self._text) + 1)
            if not step.printed or self._text not in context.output[first:output_length]:
                return False
        happened = {
            "write": bool(step.writes),
            "output": bool(step.printed),
            "input": step.read is not None,
        }
        return spec.effect is None or happened[spec.effect]


def build_filter(breakpoints: Sequence[Breakpoint]) -> Filter | None:
    """Return a filter that excludes stops at which no breakpoint can match, or None.

    Returns None if a breakpoint must be checked at every stop, because it has no condition, uses
    ``hits``, or matches first arrivals or starts of source lines.
    """
    conditions: list[ast.expr] = []
    names: FilterNames | None = None
    for each in breakpoints:
        spec, names = each.spec, each.filter_names
        if each.condition is None or each.uses_hits or spec.new or each.lines is not None:
            return None
        conditions.append(each.condition.tree)
    return None if names is None else compile_filter(conditions, names)


def union(sets: Sequence[StopSet]) -> StopSet:
    """Return a stop set that stops wherever at least one of ``sets`` stops."""
    indices = {stops.output_index for stops in sets if stops.output_index is not None}
    return StopSet(
        locations=frozenset().union(*(stops.locations for stops in sets)),
        writes=frozenset().union(*(stops.writes for stops in sets)),
        slots=frozenset[Slot]().union(*(stops.slots for stops in sets)),
        output_index=min(indices) if len(indices) == 1 else None,
        # Several indices: every printed byte must be checked.
        output_values=_ANY_BYTE
        if len(indices) > 1
        else frozenset().union(*(stops.output_values for stops in sets)),
        inputs=any(stops.inputs for stops in sets),
        every=any(stops.every for stops in sets),
    )


def _expression_functions(
    program: Program, lines: SourceLines | None
) -> tuple[Callable[[str], Condition], Callable[[str, Machine], int] | None]:
    """Return a function that parses an expression, and one that reads a source variable.

    The second one is None if ``lines`` is None: expressions then cannot use source variables.
    """
    registers = program.register_names()
    if lines is None:
        return lambda text: Condition(text, registers), None
    values = lines.values
    return lambda text: Condition(text, registers, values.names), values.number


def _parse_log_text(text: str, expression: Callable[[str], Condition]) -> list[str | Condition]:
    parts: list[str | Condition] = []
    for at, part in enumerate(_PLACEHOLDER.split(text)):
        parts.append(expression(part) if at % 2 else part)
    return parts
