"""A running Whitespace program: the contract's face of the core.

Cost model of memory, in bytes; nothing that was paid for is given back:

- 16 for every place of the stack up to its greatest depth, 8 for every call up to theirs;
- 16 for every cell of the heap's window, which begins at address 0 and doubles;
- 128 for every cell outside of it, and what its address costs when that is large;
- for a place or cell that ever held a number of more than 63 bits, 32 and 8 for every
  64 bits, begun ones included, of the largest such.
"""

from __future__ import annotations

from esolangs.core_machine import CoreMachine
from esolangs.errors import Fault
from esolangs.limits import UNLIMITED
from esolangs.machine import Snapshot
from esolangs.source import locate
from esolangs.whitespace.opcodes import (
    BY_ZERO,
    COMPILE,
    NO_CALL,
    NO_CHARACTER,
    NO_INPUT,
    NO_LABEL,
    NO_NUMBER,
    UNDERFLOW,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.machine import LeapKind
    from esolangs.step import Step
    from esolangs.stops import Address, Leap, Slot, StopSet
    from esolangs.view import View, Window
    from esolangs.whitespace._core import Core
    from esolangs.whitespace.program import WhitespaceProgram

_FAULTS = {
    UNDERFLOW: ("stack_underflow", "there are not enough numbers on the stack for this"),
    BY_ZERO: ("division_by_zero", "a number cannot be divided by zero"),
    NO_LABEL: ("missing_label", "no such label is marked anywhere in the program"),
    NO_CALL: ("call_stack_underflow", "there is no call to return from"),
    NO_CHARACTER: ("bad_character", "this number is no character"),
    NO_NUMBER: ("bad_number", "the input here is no whole number"),
    NO_INPUT: ("end_of_input", "the input has ended"),
}


class WhitespaceMachine(CoreMachine):
    """See :class:`esolangs.machine.Machine`; addresses are those of the heap, of any size."""

    core: Core
    program: WhitespaceProgram

    @property
    def memory(self) -> int:
        return self.core.memory

    @property
    def location(self) -> int:
        return self.program.starts[self.core.ip]

    def snapshot(self) -> Snapshot:
        core = self.core
        payload = (*core.state()[:-1], self.input_position)
        size = 8 * core.depth() + 4 * core.calls + 8 * core.cells + 120 * len(core.far_cells())
        for number in core.bigs():
            size += 100 + number.bit_length() // 7
        return Snapshot(core.steps, core.printed, size + 500, payload)

    def restore(self, snapshot: Snapshot) -> None:
        """Become what ``snapshot`` recorded; nothing it printed is printed again."""
        self.core.set_state(snapshot.payload)
        self._restored(snapshot, snapshot.payload[-1])

    def peek(self, address: Address) -> int:
        return self.core.peek(_checked(address))

    def poke(self, address: Address, value: int) -> None:
        if not self.core.poke(_checked(address), value):
            raise ValueError(f"there is no memory left for {address} to hold that")
        self._changed()

    def registers(self) -> dict[str, int]:
        core = self.core
        depth = core.depth()
        return {
            "top": core.value(depth - 1) if depth > 0 else 0,
            "second": core.value(depth - 2) if depth > 1 else 0,
            "depth": depth,
            "calls": core.calls,
        }

    def copied_from(self, place: Address | Slot) -> Address | Slot | None:
        from esolangs.whitespace.copies import copied_from

        return copied_from(self, place)

    def leap(self, kind: LeapKind) -> Leap | None:
        from esolangs.whitespace.leaps import leap

        return leap(self, kind)

    def view(self, window: Window | None = None) -> View:
        from esolangs.whitespace.panels import view_of

        return view_of(self, window)

    def _fault_of(self, reason: int) -> Fault:
        kind, message = _FAULTS[reason]
        at = self.core.ip
        span = self.program.spans()[at]
        line, column = locate(self.program.source, span[0])
        return Fault(kind, f"{self.program.brief(at)}: {message}", span, line, column, self.steps)

    def _step_told(self) -> Step | None:
        core = self.core
        if core.last_ip < 0:
            return None
        from esolangs.step import Step, Write
        from esolangs.stops import Slot

        span = self.program.spans()[core.last_ip]
        writes = (Write(*core.last_write),) if core.last_write is not None else ()
        depth = core.last_depth
        pushes = tuple([Slot(0, at) for at in range(depth - core.pushes(), depth)])
        return Step(self.steps, span, span[0], writes, core.last_printed, core.last_read, pushes)

    def _serve(self, reason: int) -> bool:
        if reason != COMPILE:
            return False
        from esolangs.whitespace.traces import Traces

        program, core = self.program, self.core
        if program.traces is None:
            program.traces = Traces(program.code, program.options)
        program.traces.add(core.ip)
        core.set_traces(program.traces.code, program.traces.entry)
        return True

    def _watch_core(self, stops: StopSet, scanning: bool) -> None:
        """Locations are offsets, or pairs of an offset and a depth of calls (see ``leaps``)."""
        marks, at_depth = self._marks(stops.locations, self._marks_at)
        index = stops.output_index
        if index is None or index > UNLIMITED:
            index = -1
        self.core.watch(
            marks,
            at_depth,
            stops.writes,
            {level for stack, level in stops.slots if stack == 0 and 0 <= level < UNLIMITED},
            stops.output_values,
            index,
            stops.inputs,
            stops.every,
            scanning,
        )

    def _marks_at(self, locations: frozenset[Address]) -> tuple[bytearray, set[tuple[int, int]]]:
        program = self.program
        marks = bytearray(len(program.code.ops))
        at_depth: set[tuple[int, int]] = set()
        for address in locations:
            offset, depth = address if isinstance(address, tuple) else (address, -1)
            at = program.instruction_of(offset)
            if at < 0 or program.starts[at] != offset:
                continue
            if depth >= 0:
                at_depth.add((at, depth))
                marks[at] = max(marks[at], 2) if marks[at] != 1 else 1
            else:
                marks[at] = 1
        return marks, at_depth


def _checked(address: Address) -> int:
    if not isinstance(address, int):
        raise ValueError(f"an address of the heap is a whole number, not {address!r}")
    return address
