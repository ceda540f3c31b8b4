"""A running play: the contract's face of the core.

Cost model of memory: 8 bytes for every character and for every entry of a stack; a number
outside ±2⁶² costs the bytes of its binary digits on top, wherever it is held, be it as an
operand of the sentence being executed.
"""

from __future__ import annotations

from array import array

from esolangs.core_machine import CoreMachine
from esolangs.limits import UNLIMITED
from esolangs.machine import Snapshot
from esolangs.numbers import MOST_BITS, decimal
from esolangs.shakespeare.opcodes import IF_SO, IN_CHAR, IN_NUMBER, OUT_CHAR, OUT_NUMBER, WIDTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.errors import Fault
    from esolangs.machine import LeapKind
    from esolangs.shakespeare._core import Core
    from esolangs.shakespeare.program import ShakespeareProgram
    from esolangs.step import Step
    from esolangs.stops import Address, Leap, Slot, StopSet
    from esolangs.view import View, Window


class ShakespeareMachine(CoreMachine):
    """See :class:`esolangs.machine.Machine`; addresses are places in the dramatis personae."""

    core: Core
    program: ShakespeareProgram
    _kept: Step | None = None

    @property
    def memory(self) -> int:
        return self.core.peak

    @property
    def location(self) -> int:
        return self.program.starts[self.core.ip]

    def snapshot(self) -> Snapshot:
        core = self.core
        payload = core.save(), self.input_position
        return Snapshot(core.steps, core.printed, core.used + 16 * len(core.bigs) + 600, payload)

    def restore(self, snapshot: Snapshot) -> None:
        """Become what ``snapshot`` recorded; nothing it printed is printed again."""
        state, input_position = snapshot.payload
        self.core.load(state)
        self._restored(snapshot, input_position)

    def peek(self, address: Address) -> int:
        return self.core.value(self._character(address))

    def poke(self, address: Address, value: int) -> None:
        character = self._character(address)
        if value.bit_length() > MOST_BITS:
            raise ValueError(f"a number of more than {MOST_BITS} bits is too large")
        self.core.set_value(character, value)
        self._changed()

    def registers(self) -> dict[str, int]:
        from esolangs.shakespeare.program import register_name

        core = self.core
        values = {
            register_name(name): core.value(index) for index, name in enumerate(self.program.names)
        }
        return {**values, "condition": int(core.asked == 1)}

    @property
    def passes_over(self) -> bool:
        core = self.core
        condition = self.program.code[core.ip * WIDTH + 2] if core.ip < core.end else 0
        return condition != 0 and (condition == IF_SO) != (core.asked == 1)

    def copied_from(self, place: Address | Slot) -> Address | Slot | None:
        from esolangs.shakespeare.copies import copied_from

        return copied_from(self, place)

    def leap(self, kind: LeapKind) -> Leap | None:
        from esolangs.shakespeare.leaps import leap

        return leap(self, kind)

    def view(self, window: Window | None = None) -> View:
        from esolangs.shakespeare.panels import view_of

        return view_of(self, window)

    def feed(self, data: bytes) -> None:
        self._kept = self.last_step  # the input it read is let go now
        super().feed(data)

    def _fault_of(self, reason: int) -> Fault:
        from esolangs.shakespeare.faults import fault_of

        return fault_of(self, reason)

    def _step_told(self) -> Step | None:
        core = self.core
        if core.last_ip < 0:
            return None
        if self._kept is not None and self._kept.number == core.steps:
            return self._kept
        from esolangs.step import Step, Write
        from esolangs.stops import Slot

        program, at = self.program, core.last_ip
        offset = program.starts[at]
        op = program.code[at * WIDTH]
        writes, printed, read = (), b"", None
        target = core.last_target
        if target >= 0:
            writes = (Write(target, core.old_value(), core.value(target)),)
        if core.last_printed and op in (OUT_CHAR, OUT_NUMBER):
            printed = self._printed_by(at, op)
        if core.last_read >= 0 and op in (IN_CHAR, IN_NUMBER):
            end = core.input_position
            read = self._stdin[end - core.last_read : end]
        span = (offset, program.ends[at])
        pushed = core.pushed_to()
        pushes = (Slot(pushed, core.stack_depth(pushed) - 1),) if pushed >= 0 else ()
        return Step(self.steps, span, offset, writes, printed, read, pushes)

    def _printed_by(self, record: int, op: int) -> bytes:
        """What the sentence printed: it changes no value, so the addressee still has it."""
        value = self.core.value(self.core.other(self.program.code[record * WIDTH + 1]))
        if op == OUT_NUMBER:
            return decimal(value)
        if self.program.options["io"] == "bytes":
            return bytes([value])
        return chr(value).encode("utf-8", "surrogateescape")

    def _character(self, address: Address) -> int:
        cast = len(self.program.names)
        if not isinstance(address, int) or not 0 <= address < cast:
            raise ValueError(f"characters are numbered from 0 to {cast - 1}; {address!r} is none")
        return address

    def _marks_at(self, locations: frozenset[Address]) -> bytearray:
        program = self.program
        marks = bytearray(len(program.starts))
        for offset in locations:
            record = program.record_at(offset) if isinstance(offset, int) else -1
            if record >= 0:
                marks[record] = 1
        return marks

    def _watch_core(self, stops: StopSet, scanning: bool) -> None:
        program = self.program
        marks = self._marks(stops.locations, self._marks_at)
        cast = len(program.names)
        watched = bytearray(cast + 1)
        for cell in stops.writes:
            if isinstance(cell, int) and 0 <= cell < cast:
                watched[cell] = 1
        printable = bytearray(256)
        for value in stops.output_values:
            printable[value] = 1
        index = stops.output_index
        if index is None or index > UNLIMITED:
            index = -1
        slots = array("q")
        for stack, level in stops.slots:
            if 0 <= stack < cast and 0 <= level < UNLIMITED:
                slots.extend((stack, level))
        self.core.watch(
            marks, watched, slots, printable, index, stops.inputs, stops.every, scanning
        )
