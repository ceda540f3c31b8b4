"""A Brainfuck program, its parser, and its machine."""

from __future__ import annotations

from array import array

from esolangs.brainfuck.opcodes import (
    CLOSE,
    GROW_DOWN,
    GROW_UP,
    HALT,
    LEFT,
    MINUS,
    OPEN,
    OVERFLOW,
    PLUS,
    PRINT,
    READ,
    UNDERFLOW,
)
from esolangs.core import CoreMachine, CoreProgram, Engine
from esolangs.errors import Fault, OptionError, ParseError
from esolangs.limits import UNLIMITED, Limits
from esolangs.machine import Snapshot
from esolangs.source import locate

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from esolangs.brainfuck._core import Core
    from esolangs.brainfuck.native import TapeCompiler, TapeTier
    from esolangs.compiled import WatchingCompilers
    from esolangs.filters import FilterNames
    from esolangs.language import Language, Options
    from esolangs.pages import References
    from esolangs.source import Span
    from esolangs.stops import Address, Step, StopSet
    from esolangs.tally import IndexedTally
    from esolangs.tier import Tier

    _WatchArguments = tuple[bytearray, bytearray, int, bytearray, int, bool, bool]

_FAULTS = {
    UNDERFLOW: ("tape_underflow", "the pointer moved left of cell 0"),
    OVERFLOW: ("tape_overflow", "the pointer moved past the last cell of the tape"),
}


class BrainfuckMachine(CoreMachine):
    """The machine of Brainfuck; see :class:`esolangs.machine.Machine`; addresses are cell numbers.

    Cost model of memory: the visited part of the tape, from its lowest to its highest
    cell, times the bytes of a cell.
    """

    core: Core
    program: BrainfuckProgram
    _watch_arguments_cache: tuple[tuple[StopSet, int, int], _WatchArguments] | None = None
    _tape_buffer: Any = None  # memory that contains the tape from cell `_begin` on
    _begin = 0
    tier: TapeTier | None = None
    _copies: References | None = None  # to the tape in the last snapshot

    @property
    def memory(self) -> int:
        return (self.core.high - self.core.low) * (self.core.bits // 8)

    @property
    def location(self) -> int:
        return self.program.offsets[self.core.ip]

    def snapshot(self) -> Snapshot:
        from esolangs.pages import MemorySaver, references_to

        core = self.core
        saver = MemorySaver(self._copies)
        tape = memoryview(core.buffer)
        above, below = tape[max(core.low, core.base) : core.high], tape[core.low : core.base]
        saver.save("above", above, len(above))
        if below:  # from cell -1 down, so that pages do not move when the tape grows
            saver.save("below", _reversed(below), len(below))
        self._copies = references_to(saver.copies)
        rounds = bytes(core.loop_rounds())
        ends = core.low - core.base, core.high - core.base
        place = core.ip, core.pointer - core.base, self.input_position
        size = saver.size + len(rounds) + 300
        payload = place, ends, rounds, saver.copies
        return Snapshot(core.steps, core.printed, size, payload, saver.parts)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state of ``snapshot``; its output is not printed again."""
        from esolangs.pages import load_memory, references_to

        core = self.core
        (core.ip, pointer, input_position), (low, high), rounds, copies = snapshot.payload
        cells = high - low
        buffer = core.new_tape(max(256, cells))
        core.set_tape(buffer)
        self._tape_buffer = None
        self._copies = references_to(copies)
        tape = memoryview(buffer)
        load_memory(copies["above"], tape[-low:])
        if low < 0:
            below = array(tape.format, [0]) * -low
            load_memory(copies["below"], below)
            below.reverse()
            tape[: len(below)] = below
        memoryview(core.loop_rounds()).cast("B")[:] = rounds
        core.base, core.low, core.high, core.pointer = -low, 0, cells, pointer - low
        self._finish_restore(snapshot, input_position)

    def peek(self, address: Address) -> int:
        cell = self._cell_index(address)
        return self.core.buffer[cell] if self.core.low <= cell < self.core.high else 0

    def poke(self, address: Address, value: int) -> None:
        cell = self._cell_index(address)
        if not self.core.low <= cell < self.core.high:
            raise ValueError(
                f"cell {address} has not been visited, so it cannot be changed yet: "
                "move the pointer there first"
            )
        if not 0 <= value < 1 << self.core.bits:
            raise ValueError(f"a cell of {self.core.bits} bits cannot hold {value}")
        self.core.buffer[cell] = value
        self._update_status()

    def registers(self) -> dict[str, int]:
        core = self.core
        return {
            "ptr": core.pointer - core.base,
            "value": core.buffer[core.pointer],
            "depth": self.program.depth[core.ip],
        }

    def _make_fault(self, reason: int) -> Fault:
        kind, message = _FAULTS[reason]
        offset = self.program.offsets[self.core.ip]
        line, column = locate(self.program.source, offset)
        return Fault(kind, message, (offset, offset + 1), line, column, self.steps)

    def _recorded_step(self) -> Step | None:
        if self.core.last_ip < 0:
            return None
        from esolangs.stops import Step, Write

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

    def _cell_index(self, address: Address) -> int:
        if not isinstance(address, int):
            raise ValueError(f"expected the number of a cell, not {address!r}")
        return address + self.core.base

    # The native tier.

    def use_tape_buffer(self, buffer: memoryview[int]) -> None:
        """From now on, use ``buffer`` as the tape.

        buffer: a part of the memory of compiled code, to which the tape has been copied.
        """
        self._tape_buffer = buffer
        self._begin = 0
        self.core.set_tape(buffer)

    def _handle_request(self, reason: int) -> bool:
        if reason == GROW_UP:
            self._grow(down=False)
        elif reason == GROW_DOWN:
            self._grow(down=True)
        else:
            return False
        return True

    def _grow(self, *, down: bool) -> None:
        """Add cells, up to the number that the memory limit allows the program to visit.

        Adds at most ``_PART`` bytes at a time, so that no step takes long; but if all cells have to
        move to the right, doubles the tape, so that this happens rarely.  A tape of fixed size is
        allocated as a whole when the pointer wraps to its far end.
        """
        core = self.core
        capacity = core.capacity
        unvisited = self.program.max_cells(self.limits) - (core.high - core.low)
        size = int(self.program.options["size"])
        part = min(capacity, _PART // (core.bits // 8))
        cells = capacity + min(part, max(1, unvisited))
        if size:
            wraps = self.program.code[core.ip] == LEFT
            cells = size if wraps else min(capacity + part, size)
        if not self._grow_lazily(cells, down):
            if down:
                cells = capacity + min(capacity, max(1, unvisited))
            self._grow_in_place(cells, down)
        if down:
            below = cells - capacity
            core.base += below
            core.low += below
            core.high += below
            core.pointer += below
        self._resume_watching()

    def _grow_lazily(self, cells: int, down: bool) -> bool:
        """Grow a large tape in reserved memory, without copying it; return False if that fails.

        The parameters are as in ``_grow_in_place``.
        """
        core = self.core
        width, capacity = core.bits // 8, core.capacity
        if cells * width <= _PART:
            return False
        below = cells - capacity if down else 0
        begin = self._begin - below
        if self._tape_buffer is None or begin < 0 or begin + cells > len(self._tape_buffer):
            from esolangs.lazy_zeros import RESERVED_BYTES, lazy_zeros

            part = _PART // width
            reserved = max(RESERVED_BYTES // width, 2 * cells)
            visited = min(self.program.max_cells(self.limits), reserved)
            begin = visited + part if self.program.options["tape"] == "both-ways" else 0
            size = begin + max(cells, visited + part)
            room = lazy_zeros(size * width, "B" if width == 1 else "H" if width == 2 else "I")
            if room is None:
                return False
            room[begin + below : begin + below + capacity] = memoryview(core.buffer)
            self._tape_buffer = room
        self._begin = begin
        core.set_tape(self._tape_buffer[begin : begin + cells])
        return True

    def _grow_in_place(self, cells: int, down: bool) -> None:
        """Grow the buffer itself, because a copy would temporarily need twice the memory.

        cells: the new number of cells.  down: add cells before the first one, not after the last.
        """
        core = self.core
        width = core.bits // 8
        tape: Any = core.buffer
        if self._tape_buffer is not None:
            tape = core.new_tape(core.capacity)
            memoryview(tape)[:] = core.buffer
            self._tape_buffer = None
        below = (cells - len(tape)) * width if down else 0
        core.set_tape(core.new_tape(1))  # a buffer that is in use cannot be resized
        blank = bytes((cells - len(tape)) * width)
        if width == 1:
            tape += blank
        else:
            tape.frombytes(blank)
        if below:
            with memoryview(tape) as whole, whole.cast("B") as raw:
                raw[below:] = raw[: len(raw) - below]
                raw[:below] = bytes(below)
        core.set_tape(tape)

    def _watch_core(self, stops: StopSet, scanning: bool) -> None:
        self.core.watch(*self._watch_arguments(stops), scanning)

    def _watch_arguments(self, stops: StopSet) -> _WatchArguments:
        """Return the arguments of ``Core.watch``; cached for runs that stop and resume."""
        key = stops, self.core.base, self.core.capacity
        if self._watch_arguments_cache is None or self._watch_arguments_cache[0] != key:
            self._watch_arguments_cache = key, self._make_watch_arguments(stops)
        return self._watch_arguments_cache[1]

    def _make_watch_arguments(self, stops: StopSet) -> _WatchArguments:
        marks = self.marks(stops.locations)
        watched, first = self._watched_cells(stops)
        printable = bytearray(256)
        for value in stops.output_values:
            printable[value] = 1
        index = stops.output_index
        if index is None or index > UNLIMITED:
            index = -1
        return marks, watched, first, printable, index, stops.inputs, stops.every

    def marks(self, locations: frozenset[Address]) -> bytearray:
        """Return a byte for each command: 1 at one of the locations, else 0."""
        return self._marks(locations, self.program.marks_at)

    def _watched_cells(self, stops: StopSet) -> tuple[bytearray, int]:
        """Return one byte per cell, 1 for a watched cell, and the number of the first cell.

        The bytes are for the cells from the first to the last watched one; without watched cells,
        one byte for cell 0.  Watched cells outside the buffer are left out, because they cannot be
        written before it grows; after that, this must be called again.
        """
        core = self.core
        here = range(-core.base, core.capacity - core.base)
        cells = [cell for cell in stops.writes if isinstance(cell, int) and cell in here]
        first = min(cells, default=0)
        watched = bytearray(max(cells, default=0) - first + 1)
        for cell in cells:
            watched[cell - first] = 1
        return watched, first


def _reversed(cells: memoryview[int]) -> array[int]:
    copy = array(cells.format, cells.tobytes())
    copy.reverse()
    return copy


_PART = 1 << 20
"""Maximum growth of a tape at a time, in bytes."""

COMMANDS = b"><+-.,[]"
_CODES = bytes(range(len(COMMANDS)))
_TO_CODE = bytes.maketrans(COMMANDS, _CODES)
_COMMENT = bytes(set(range(256)) - set(COMMANDS))


def command_codes(source: bytes) -> bytes:
    """Return the code of each command in source order, then HALT."""
    return source.translate(_TO_CODE, _COMMENT) + bytes([HALT])


def command_offsets(source: bytes) -> array[int]:
    """Return the source offset of every command, then the length of the source for HALT."""
    offsets = array("i", [i for i, byte in enumerate(source) if byte in COMMANDS])
    offsets.append(len(source))
    return offsets


def match_brackets(source: bytes, code: bytes) -> tuple[array[int], array[int]]:
    """Return, for each command, its partner bracket (or -1) and its loop depth.

    Raises ParseError if a bracket is unmatched.
    """
    match = array("i", [-1]) * len(code)
    depth = array("i", [0]) * len(code)
    open_loops: list[int] = []
    for at, command in enumerate(code):
        if command == OPEN:
            depth[at] = len(open_loops)
            open_loops.append(at)
        elif command == CLOSE:
            if not open_loops:
                raise _unmatched_error(source, at, "']' without a '[' before it to jump back to")
            opening = open_loops.pop()
            match[opening], match[at] = at, opening
            depth[at] = len(open_loops)
        else:
            depth[at] = len(open_loops)
    if open_loops:
        raise _unmatched_error(source, open_loops[-1], "'[' without a ']' that closes the loop")
    return match, depth


def _unmatched_error(source: bytes, command: int, message: str) -> ParseError:
    offset = command_offsets(source)[command]
    return ParseError(message, source, (offset, offset + 1))


MAX_SEARCHED_LOCATIONS = 64
"""Minimum number of locations for which ``marks_at`` scans all commands, not searches for each."""

ENGINE = Engine(__name__, Blocks="_blocks", Core="_core")


class BrainfuckProgram(CoreProgram):
    """A Brainfuck program; commands are numbered from 0 in source order."""

    machine_class = BrainfuckMachine

    def __init__(self, language: Language, source: bytes, options: Options, engine: Any = None):
        """Parse the source; raise ParseError if it is invalid.

        engine: the compiled or the plain core.
        """
        if options["tape"] == "wrap" and not options["size"]:
            raise OptionError("option tape=wrap needs a tape of fixed size, such as size=30000")
        if options["tape"] == "both-ways" and options["size"]:
            raise OptionError("option tape=both-ways needs a tape without ends: set size to 0")
        if int(options["size"]) > UNLIMITED:
            raise OptionError(f"option size: expected at most {UNLIMITED} cells")
        engine = engine or ENGINE
        self.language = language
        self.source = source
        self.options = options
        self.engine = engine.name
        self.code = command_codes(source)
        self.match, self.depth = match_brackets(source, self.code)
        self._offsets: array[int] | None = None
        self._enclosing: array[int] | None = None
        self._new_blocks, self._new_core = engine.Blocks, engine.Core
        self._tables: tuple[Any, ...] | None = None
        self._compiler: TapeCompiler | None = None
        self._watching_compilers: WatchingCompilers | None = None

    @property
    def tables(self) -> tuple[Any, ...]:
        """The tables for cores; built on first use, because a syntax check needs none."""
        if self._tables is None:
            blocks = self._new_blocks(self.code, self.match, self.depth)
            made = blocks.ops, blocks.entry, blocks.loops or array("i", [0])
            code = bytearray(self.code)
            self._tables = code, self.match, self.depth, *made, max(self.depth)
        return self._tables

    @property
    def offsets(self) -> array[int]:
        """The source offset of every command; computed on first use, because a run needs none."""
        if self._offsets is None:
            self._offsets = command_offsets(self.source)
        return self._offsets

    @property
    def enclosing_loops(self) -> array[int]:
        """For each command, the ``[`` of the innermost loop around it, or -1."""
        if self._enclosing is None:
            self._enclosing = array("i", [-1]) * len(self.code)
            inner = -1
            for at, partner in enumerate(self.match):
                if partner >= 0 and partner < at:
                    inner = self._enclosing[partner]
                self._enclosing[at] = inner
                if partner > at:
                    inner = at
                elif partner >= 0:
                    self._enclosing[at] = partner
            # a "]" belongs to its loop: it decides whether the loop continues
        return self._enclosing

    def new_core(self, limits: Limits) -> Core:
        """Return a core at step 0 under this program's options."""
        options = self.options
        bits = int(options["cell"])
        eof = -2 if options["eof"] == "unchanged" else int(options["eof"])
        return self._new_core(
            self.tables,
            bits,
            eof,
            str(options["tape"]),
            int(options["size"]),
            self.max_cells(limits),
            min(limits.output, UNLIMITED),
        )

    def new_tier(self, machine: BrainfuckMachine, mode: Tier) -> TapeTier:
        from esolangs.brainfuck.native import TapeCompiler, TapeTier

        self._compiler = self._compiler or TapeCompiler(self)
        return TapeTier(machine, self._compiler, mode)

    def new_watching_tier(
        self, machine: BrainfuckMachine, locations: frozenset[Address], scanning: bool
    ) -> TapeTier:
        from esolangs.brainfuck.flow import add_predecessors
        from esolangs.brainfuck.native import TapeCompiler, TapeTier
        from esolangs.compiled import WatchingCompilers

        marks = machine.marks(locations)
        if not scanning:
            marks = add_predecessors(marks, self.code, self.match)
        self._watching_compilers = self._watching_compilers or WatchingCompilers()
        compiler = self._watching_compilers.get(TapeCompiler, self, marks, scanning=scanning)
        assert machine.tier is not None
        return TapeTier(machine, compiler, machine.tier.mode)

    def max_cells(self, limits: Limits) -> int:
        """Return the number of cells that a run may visit."""
        return max(1, min(limits.memory, UNLIMITED) // (int(self.options["cell"]) // 8))

    def spans(self) -> tuple[Span, ...]:
        return tuple((offset, offset + 1) for offset in self.offsets[:-1])

    def new_tally(self) -> IndexedTally:
        from esolangs.tally import IndexedTally

        return IndexedTally(self.offsets)

    def instruction_at(self, offset: int) -> Span | None:
        from bisect import bisect_left

        at = bisect_left(self.offsets, offset, hi=len(self.offsets) - 1)
        return (offset, offset + 1) if self.offsets[at] == offset < len(self.source) else None

    def cell_readers(self, cell: Address) -> tuple[tuple[str, ...], str] | None:
        return ((".", "[", "]"), f"ptr == {cell}") if isinstance(cell, int) else None

    def register_names(self) -> Mapping[str, str]:
        return {
            "ptr": "the pointer",
            "value": "the cell under the pointer",
            "depth": "loops around the next instruction",
        }

    def filter_names(self) -> FilterNames:
        from esolangs.filters import FilterNames

        return FilterNames(("step", "output", "ptr", "value", "depth"), coordinates=1)

    def marks_at(self, locations: Collection[Address]) -> bytearray:
        """Return a byte for each command: 1 at one of the locations, else 0."""
        size = len(self.source)
        wanted = [at for at in locations if isinstance(at, int) and 0 <= at < size]
        if len(wanted) < MAX_SEARCHED_LOCATIONS:
            marks = bytearray(len(self.code))
            for at in map(self.command_at, wanted):
                if at >= 0:
                    marks[at] = 1
            return marks
        by_offset = bytearray(size + 1)
        for at in wanted:
            by_offset[at] = 1
        return bytearray(map(by_offset.__getitem__, self.offsets))

    def command_at(self, offset: int) -> int:
        """Return the number of the command at a source offset, or -1 in a comment."""
        from bisect import bisect_left

        at = bisect_left(self.offsets, offset, hi=len(self.offsets) - 1)
        return at if self.offsets[at] == offset < len(self.source) else -1
