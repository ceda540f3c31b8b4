"""A running Brainfuck program: the contract's face of the core.

Cost model of memory: the visited part of the tape, from its lowest to its highest
cell, times the bytes of a cell.
"""

from __future__ import annotations

from esolangs.brainfuck.opcodes import (
    GROW_DOWN,
    GROW_UP,
    LEFT,
    MINUS,
    OVERFLOW,
    PLUS,
    PRINT,
    READ,
    UNDERFLOW,
)
from esolangs.core_machine import CoreMachine
from esolangs.errors import Fault
from esolangs.limits import UNLIMITED
from esolangs.machine import Snapshot
from esolangs.source import locate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.brainfuck._core import Core
    from esolangs.brainfuck.program import BrainfuckProgram
    from esolangs.machine import LeapKind
    from esolangs.step import Step
    from esolangs.stops import Address, Leap, StopSet
    from esolangs.view import View, Window

    _Arms = tuple[bytearray, bytearray, int, bytearray, int, bool, bool]

_FAULTS = {
    UNDERFLOW: ("tape_underflow", "the pointer moved left of cell 0"),
    OVERFLOW: ("tape_overflow", "the pointer moved past the last cell of the tape"),
}


class BrainfuckMachine(CoreMachine):
    """See :class:`esolangs.machine.Machine`; addresses are cell numbers."""

    core: Core
    program: BrainfuckProgram
    _armed: tuple[tuple[StopSet, int, int], _Arms] | None = None

    @property
    def memory(self) -> int:
        return (self.core.high - self.core.low) * (self.core.bits // 8)

    @property
    def location(self) -> int:
        return self.program.offsets[self.core.ip]

    def snapshot(self) -> Snapshot:
        core = self.core
        tape = bytes(core.buffer[core.low : core.high])
        rounds = bytes(core.loop_rounds())
        ends = core.low - core.base, core.high - core.base
        payload = core.ip, core.pointer - core.base, ends, tape, rounds, self.input_position
        return Snapshot(core.steps, core.printed, len(tape) + len(rounds) + 300, payload)

    def restore(self, snapshot: Snapshot) -> None:
        """Become what ``snapshot`` recorded; nothing it printed is printed again."""
        core = self.core
        ip, pointer, (low, high), tape, rounds, input_position = snapshot.payload
        cells = high - low
        buffer = core.new_tape(max(256, cells))
        core.set_tape(buffer)
        memoryview(buffer).cast("B")[: len(tape)] = tape
        memoryview(core.loop_rounds()).cast("B")[:] = rounds
        core.ip = ip
        core.base, core.low, core.high, core.pointer = -low, 0, cells, pointer - low
        self._restored(snapshot, input_position)

    def peek(self, address: Address) -> int:
        cell = self._cell(address)
        return self.core.buffer[cell] if self.core.low <= cell < self.core.high else 0

    def poke(self, address: Address, value: int) -> None:
        cell = self._cell(address)
        if not self.core.low <= cell < self.core.high:
            raise ValueError(
                f"cell {address} has not been visited, so it cannot be changed yet: "
                "the pointer has to come there first"
            )
        if not 0 <= value < 1 << self.core.bits:
            raise ValueError(f"a cell of {self.core.bits} bits cannot hold {value}")
        self.core.buffer[cell] = value
        self._changed()

    def registers(self) -> dict[str, int]:
        core = self.core
        return {
            "ptr": core.pointer - core.base,
            "value": core.buffer[core.pointer],
            "depth": self.program.depth[core.ip],
        }

    def leap(self, kind: LeapKind) -> Leap | None:
        from esolangs.brainfuck.leaps import leap

        return leap(self, kind)

    def view(self, window: Window | None = None) -> View:
        from esolangs.brainfuck.panels import view_of

        return view_of(self, window)

    def _fault_of(self, reason: int) -> Fault:
        kind, message = _FAULTS[reason]
        offset = self.program.offsets[self.core.ip]
        line, column = locate(self.program.source, offset)
        return Fault(kind, message, (offset, offset + 1), line, column, self.steps)

    def _step_told(self) -> Step | None:
        if self.core.last_ip < 0:
            return None
        from esolangs.step import Step, Write

        core = self.core
        command = self.program.code[core.last_ip]
        offset = self.program.offsets[core.last_ip]
        writes, printed, read = (), b"", None
        if command == PRINT:
            printed = bytes([core.buffer[core.pointer] & 255])
        elif command == READ:
            read = bytes([core.last_read]) if core.last_read >= 0 else b""
        if command in (PLUS, MINUS) or (
            command == READ and (read or self.program.options["eof"] != "unchanged")
        ):
            value = core.buffer[core.pointer]
            writes = (Write(core.pointer - core.base, core.last_old, value),)
        return Step(self.steps, (offset, offset + 1), offset, writes, printed, read)

    def _cell(self, address: Address) -> int:
        if not isinstance(address, int):
            raise ValueError(f"a cell of a tape is a whole number, not {address!r}")
        return address + self.core.base

    def _serve(self, reason: int) -> bool:
        if reason == GROW_UP:
            self._grow(below=0)
        elif reason == GROW_DOWN:
            self._grow(below=self.core.capacity)
        else:
            return False
        return True

    def _grow(self, below: int) -> None:
        """A buffer of twice the size; ``below`` new cells come first.

        A fixed tape needs no more than it has; all of it when the pointer wraps to its far end.
        """
        core = self.core
        cells, size = 2 * core.capacity, int(self.program.options["size"])
        if size:
            wraps = self.program.code[core.ip] == LEFT
            cells = size if wraps else min(cells, size)
        buffer = core.new_tape(cells)
        old = memoryview(core.buffer).cast("B")
        width = core.bits // 8
        memoryview(buffer).cast("B")[below * width : below * width + len(old)] = old
        core.set_tape(buffer)
        core.base += below
        core.low += below
        core.high += below
        core.pointer += below
        self._watch_further()

    def _watch_core(self, stops: StopSet, scanning: bool) -> None:
        self.core.watch(*self._arms(stops), scanning)

    def _arms(self, stops: StopSet) -> _Arms:
        """What the core looks for; the same again when a run stops and goes on."""
        key = stops, self.core.base, self.core.capacity
        if self._armed is None or self._armed[0] != key:
            self._armed = key, self._arm(stops)
        return self._armed[1]

    def _arm(self, stops: StopSet) -> _Arms:
        program = self.program
        marks = self._marks(stops.locations, program.marks_at)
        watched, first = self._watched_cells(stops)
        printable = bytearray(256)
        for value in stops.output_values:
            printable[value] = 1
        index = stops.output_index
        if index is None or index > UNLIMITED:
            index = -1
        return marks, watched, first, printable, index, stops.inputs, stops.every

    def _watched_cells(self, stops: StopSet) -> tuple[bytearray, int]:
        """A mark for each cell from the first watched one on; growing the tape asks anew.

        Cells that the buffer does not have cannot be written, however far they are.
        """
        core = self.core
        here = range(-core.base, core.capacity - core.base)
        cells = [cell for cell in stops.writes if isinstance(cell, int) and cell in here]
        first = min(cells, default=0)
        watched = bytearray(max(cells, default=0) - first + 1)
        for cell in cells:
            watched[cell - first] = 1
        return watched, first
