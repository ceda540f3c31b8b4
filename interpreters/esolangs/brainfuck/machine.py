"""A running Brainfuck program: the contract's face of the core.

Cost model of memory: the visited part of the tape, from its lowest to its highest
cell, times the bytes of a cell.
"""

from __future__ import annotations

from array import array

from esolangs.brainfuck.opcodes import (
    BUDGET,
    ENDED,
    FLUSH,
    GROW_DOWN,
    GROW_UP,
    LEFT,
    MEMORY_FULL,
    MINUS,
    NEEDS_INPUT,
    OUTPUT_FULL,
    OVERFLOW,
    PLUS,
    PRINT,
    READ,
    STOP,
    UNDERFLOW,
)
from esolangs.errors import Fault
from esolangs.limits import UNLIMITED
from esolangs.machine import FINAL, Machine, Snapshot
from esolangs.source import locate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.brainfuck._core import Core
    from esolangs.brainfuck.program import BrainfuckProgram
    from esolangs.limits import Limits
    from esolangs.machine import LeapKind, LimitKind, Status
    from esolangs.step import Step
    from esolangs.stops import Address, Hits, Leap, StopSet
    from esolangs.view import View, Window

    _Arms = tuple[bytearray, bytearray, int, bytearray, int, bool, bool]

_STATUS: dict[int, Status] = {
    BUDGET: "running",
    STOP: "stopped",
    ENDED: "halted",
    NEEDS_INPUT: "needs_input",
    UNDERFLOW: "faulted",
    OVERFLOW: "faulted",
    MEMORY_FULL: "limited",
    OUTPUT_FULL: "limited",
}
_FAULTS = {
    UNDERFLOW: ("tape_underflow", "the pointer moved left of cell 0"),
    OVERFLOW: ("tape_overflow", "the pointer moved past the last cell of the tape"),
}


class BrainfuckMachine(Machine):
    """See :class:`esolangs.machine.Machine`; addresses are cell numbers."""

    def __init__(self, program: BrainfuckProgram, stdin: bytes, closed: bool, limits: Limits):
        self.program = program
        self.limits = limits
        self.core: Core = program.new_core(limits)
        self.core.set_input(stdin, closed)
        self._stdin = stdin  # from input byte number `_dropped` on
        self._dropped = 0
        self._printed: list[tuple[bytes, array[int]]] = []
        self._reads: list[array[int]] = []
        self._status: Status = "running"
        self._reason = BUDGET
        self._singly = False
        self._watched: tuple[StopSet, bool] | None = None
        self._armed: tuple[tuple[StopSet, int, int], _Arms] | None = None
        self._settle(0)

    @property
    def steps(self) -> int:
        return self.core.steps

    @property
    def status(self) -> Status:
        return self._status

    @property
    def limit(self) -> LimitKind | None:
        if self._status != "limited":
            return None
        if self._reason == MEMORY_FULL:
            return "memory"
        return "output" if self._reason == OUTPUT_FULL else "steps"

    @property
    def fault(self) -> Fault | None:
        if self._status != "faulted":
            return None
        kind, message = _FAULTS[self._reason]
        offset = self.program.offsets[self.core.ip]
        line, column = locate(self.program.source, offset)
        return Fault(kind, message, (offset, offset + 1), line, column, self.steps)

    @property
    def output_length(self) -> int:
        return self.core.printed

    @property
    def input_position(self) -> int:
        return self._dropped + self.core.input_position

    @property
    def memory(self) -> int:
        return (self.core.high - self.core.low) * (self.core.bits // 8)

    @property
    def location(self) -> int:
        return self.program.offsets[self.core.ip]

    @property
    def last_step(self) -> Step | None:
        if not self._singly or self.core.last_ip < 0:
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

    def run(self, budget: int, stops: StopSet | None = None) -> Status:
        if self._status in FINAL:
            return self._status
        if stops is not None:
            self._watch(stops, scanning=False)
        self._settle(budget)
        if stops is not None:
            self._unwatch()
        self._singly = self._status == "stopped"
        return self._status

    def scan(self, budget: int, stops: StopSet) -> Hits:
        from esolangs.stops import Hits

        if self._status in FINAL:
            return Hits()
        self._watch(stops, scanning=True)
        self._settle(budget)
        self._unwatch()
        self._singly = False
        core = self.core
        return Hits(core.hits, core.first_hit, core.last_hit) if core.hits else Hits()

    def step(self) -> Step | None:
        step = super().step()
        if self._status == "stopped":
            self._settle(0)
        return step

    def take_printed(self) -> tuple[bytes, array[int]]:
        self._flush()
        data = b"".join([some for some, _ in self._printed])
        steps = array("q", b"".join([some.tobytes() for _, some in self._printed]))
        self._printed.clear()
        return data, steps

    def take_reads(self) -> array[int]:
        self._flush()
        steps = array("q")
        for some in self._reads:
            steps += some
        self._reads.clear()
        return steps

    def feed(self, data: bytes) -> None:
        if self.core.closed:
            raise ValueError("the input of this machine is closed")
        consumed = self.core.input_position
        self._stdin = self._stdin[consumed:] + data
        self._dropped += consumed
        self.core.input_position = 0
        self.core.set_input(self._stdin, False)

    def close_input(self) -> None:
        self.core.set_input(self._stdin, True)

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
        core.ip, core.steps, core.printed = ip, snapshot.steps, snapshot.output_length
        core.base, core.low, core.high, core.pointer = -low, 0, cells, pointer - low
        core.input_position = input_position
        core.take_printed()
        core.take_reads()
        self._printed.clear()
        self._reads.clear()
        self._status, self._singly = "running", False
        self._settle(0)

    def peek(self, address: Address) -> int:
        cell = self._cell(address)
        return self.core.buffer[cell] if self.core.low <= cell < self.core.high else 0

    def poke(self, address: Address, value: int) -> None:
        cell = self._cell(address)
        if not self.core.low <= cell < self.core.high:
            raise ValueError(f"cell {address} has not been visited, so it cannot be changed yet")
        if not 0 <= value < 1 << self.core.bits:
            raise ValueError(f"a cell of {self.core.bits} bits cannot hold {value}")
        self.core.buffer[cell] = value
        self._status = "running"  # what could not be executed may be possible now
        self._settle(0)

    def next_input(self) -> int | None:
        """The byte that the next read will get; None at the end of what there is."""
        at = self.core.input_position
        return self._stdin[at] if at < len(self._stdin) else None

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

    def _cell(self, address: Address) -> int:
        if not isinstance(address, int):
            raise ValueError(f"a cell of a tape is a whole number, not {address!r}")
        return address + self.core.base

    def _settle(self, budget: int) -> None:
        """Run the core, serving its requests, and translate why it came back."""
        core = self.core
        limit = min(core.steps + budget, self.limits.steps)
        while True:
            reason = core.run(limit)
            if reason == FLUSH:
                self._flush()
            elif reason == GROW_UP:
                self._grow(below=0)
            elif reason == GROW_DOWN:
                self._grow(below=core.capacity)
            else:
                break
        self._reason = reason
        self._status = _STATUS[reason]
        if reason == BUDGET and core.steps >= self.limits.steps:
            self._status = "limited"

    def _flush(self) -> None:
        """Take over what the core remembers of input and output."""
        printed = self.core.take_printed()
        if printed[0]:
            self._printed.append(printed)
        reads = self.core.take_reads()
        if reads:
            self._reads.append(reads)

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

    def _watch(self, stops: StopSet, *, scanning: bool) -> None:
        self._watched = stops, scanning
        self.core.watch(*self._arms(stops), scanning)

    def _unwatch(self) -> None:
        self._watched = None
        self.core.unwatch()

    def _watch_further(self) -> None:
        """Go on watching on a tape that has grown, with the hits so far."""
        if self._watched is None:
            return
        core = self.core
        hits = core.hits, core.first_hit, core.last_hit
        stops, scanning = self._watched
        self._watch(stops, scanning=scanning)
        core.hits, core.first_hit, core.last_hit = hits

    def _arms(self, stops: StopSet) -> _Arms:
        """What the core looks for; the same again when a run stops and goes on."""
        key = stops, self.core.base, self.core.capacity
        if self._armed is None or self._armed[0] != key:
            self._armed = key, self._arm(stops)
        return self._armed[1]

    def _arm(self, stops: StopSet) -> _Arms:
        program = self.program
        marks = bytearray(len(program.code))
        for offset in stops.locations:
            command = program.command_at(offset) if isinstance(offset, int) else -1
            if command >= 0:
                marks[command] = 1
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
