"""The native tier of Whitespace: long runs continue in code that wasmtime compiles.

The window of the heap is in the memory of the module while the tier is in use, and the core works
on it there.  The upper parts of the stack and of the call stack are copied before and after each
visit, a call of the compiled code.
``docs/adr/0045-a-native-tier-for-whitespace.md`` lists what the tier handles and what it leaves to
the core.
"""

from __future__ import annotations

from array import array

from esolangs import compiled
from esolangs.reasons import CHUNK
from esolangs.wasm import PAGE_BYTES
from esolangs.wasmtime_library import CompiledModule, ModuleInstance, WasmtimeError
from esolangs.whitespace import flow, translation
from esolangs.whitespace.opcodes import CELL_COST, FRAME_COST, MIN_CELLS, SLOT_COST

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Protocol

    from esolangs import tier
    from esolangs.language import Options
    from esolangs.whitespace._core import Core
    from esolangs.whitespace.parser import ParsedCode

    class StackProgram(Protocol):
        """The attributes of a Whitespace program that the native tier uses."""

        options: Options
        code: ParsedCode

    class StackMachine(Protocol):
        """The attributes of a Whitespace machine that the native tier uses."""

        core: Core

        @property
        def program(self) -> StackProgram: ...
        @property
        def memory_room(self) -> int: ...
        @property
        def output_room(self) -> int: ...
        def flush_core(self) -> None: ...
        def accept_output(self, printed: bytes, steps: array[int], reads: array[int]) -> None:
            """Add printed bytes, the step of each, and the step of each byte that was read."""


MIN_CORE_STEPS = 1 << 21
"""Number of steps in the core before mode ``native`` compiles the program."""

MAX_COPIED_ENTRIES = 1 << 12
"""Maximum number of entries of each stack that are copied before compiled code is called."""

MAX_CELLS = 1 << 26
"""Maximum number of cells in the heap's window."""

MAX_INSTRUCTIONS = 1 << 14
"""Maximum number of instructions in a program that is compiled."""

_SMALL_WINDOW_STEPS = 1 << 16  # steps in the core while the heap's window is too small
_RESERVED_CELLS = 1 << 24  # of the window, if the memory limit allows them
_SECONDS_PER_INSTRUCTION = 5e-5  # for compiling


class StackCompiler(compiled.EntryCompiler):
    """Compiles a program once, for all its machines.

    module: the compiled program; None until it is compiled.  region_at: for each instruction, the
    number of the region that begins there.  cells: minimum size of the heap's window.
    """

    def __init__(
        self, program: StackProgram, marks: bytearray | None = None, *, scanning: bool = False
    ):
        super().__init__(marks, scanning=scanning)
        self.program = program
        self.module: CompiledModule | None = None
        self.region_at = array("H")
        self.cells = 0

    @property
    def min_core_seconds(self) -> float:
        return compiled.MIN_CORE_SECONDS + _SECONDS_PER_INSTRUCTION * len(self.program.code.ops)

    def prepare(self, core: Core) -> None:
        self.cells = min(core.cells, MIN_CELLS)

    def compile(self) -> None:
        """Compile the program now; set ``refused`` if that is impossible."""
        code, options = self.program.code, self.program.options
        if len(code.ops) > MAX_INSTRUCTIONS:
            self.refused = True
            return
        rules = translation.StackRules(
            floor_quotient=options["division"] == "floor",
            floor_remainder=options["division"] != "truncate",
            utf8=options["io"] == "utf8",
            cells=self.cells,
        )
        found = flow.Flow(code.ops, code.args, self.marks)
        try:
            self.module = CompiledModule(translation.StackTranslation(found, rules).code)
        except (ImportError, OSError, WasmtimeError):
            self.refused = True
            return
        region_at = array("H", bytes(2 * len(code.ops)))
        entries = bytearray(len(code.ops))
        for at, region in found.region_at.items():
            region_at[at] = region.number
            entries[at] = region.root.cost > 0
        self.region_at = region_at
        self.entries = entries  # last, because another thread may be waiting for it


class StackTier(compiled.EntryTier):
    """Runs one machine in compiled code where that is possible, and in its core elsewhere."""

    machine: StackMachine
    compiler: StackCompiler
    _instance: _StackInstance | None

    def __init__(self, machine: StackMachine, compiler: StackCompiler, mode: tier.Tier):
        super().__init__(machine, compiler, mode, min_core_steps=MIN_CORE_STEPS)

    def _cells_to_copy(self) -> int | None:
        instance, core = self._instance, self.machine.core
        in_use = instance is not None and core.heap_room is instance.room
        return None if in_use else core.cells

    def _steps_until_retry(self) -> int:
        return _SMALL_WINDOW_STEPS if self.machine.core.cells < self.compiler.cells else 0

    def _visit(self, limit: int) -> int:
        machine, core = self.machine, self.machine.core
        module = self.compiler.module
        assert module is not None
        instance = self._instance
        copied = 0
        if instance is None or core.heap_room is not instance.room:
            if core.cells > MAX_CELLS:
                self._backoff.stop()
                return -1
            try:
                instance = self._instance = _StackInstance(
                    module, self.compiler, core, machine.memory_room // CELL_COST
                )
            except WasmtimeError:  # not enough memory
                self._backoff.stop()
                return -1
            copied = core.cells
        machine.flush_core()
        words = instance.words
        words[translation.LEFT] = limit - core.steps
        words[translation.LIMIT] = limit
        words[translation.ROOM] = min(CHUNK, machine.output_room)
        instance.enter(core, self.compiler.region_at[core.ip], machine.memory_room)
        at = instance.run()
        self.visits += 1
        instance.leave(core)
        core.ip = at
        core.steps = limit - words[translation.LEFT]
        self._accept_printed(instance, words[translation.PRINTED])
        return copied


class _StackInstance:
    """An instance of the compiled program for one machine.

    Its memory stores the window of the heap (the cells from address 0 on) and, while compiled code
    runs, the top of the stack.
    """

    def __init__(
        self, module: CompiledModule, compiler: StackCompiler, core: Core, max_growth: int
    ):
        """Move the heap window of ``core`` to this instance; ``max_growth`` is in cells."""
        cells = core.cells
        self._instance = ModuleInstance(module)
        self.run = self._instance.run
        room = max(1, cells, min(max(4 * cells, _RESERVED_CELLS), cells + max_growth, MAX_CELLS))
        self._instance.grow(-(-8 * room // PAGE_BYTES))
        raw = self._instance.view()
        begin = translation.CONTROL
        self.words = raw[begin : begin + 8 * translation.WORDS].cast("q")
        self.out = raw[translation.OUT_BYTES : translation.OUT_STEPS]
        self.out_steps = raw[translation.OUT_STEPS : translation.OUT_STEPS + 8 * CHUNK].cast("q")
        begin = translation.FRAMES
        self._frames = raw[begin : begin + 4 * translation.MAX_FRAMES].cast("i")
        begin = translation.STACK_BOTTOM
        self._stack = raw[begin : begin + 8 * translation.MAX_STACK].cast("q")
        table = memoryview(compiler.region_at).cast("B")
        raw[translation.ROOT_REGIONS : translation.ROOT_REGIONS + len(table)] = table
        self.room = raw[translation.CELLS : translation.CELLS + 8 * room].cast("q")
        self.room[:cells] = memoryview(core.heap_array)[:cells]
        core.use_heap_room(self.room)
        self._floor = self._calls_floor = 0

    def enter(self, core: Core, region: int, memory_room: int) -> None:
        """Copy a core's state to the module.

        region: the number of the region that begins at the next instruction.  memory_room: the
        number of bytes that the program may still use.
        """
        words = self.words
        count = core.count_narrow(MAX_COPIED_ENTRIES, flow.NARROW_LIMIT)
        self._floor = core.sp - count
        self._stack[:count] = memoryview(core.stack_array)[self._floor : core.sp]
        self._calls_floor = max(0, core.calls - MAX_COPIED_ENTRIES)
        calls = core.calls - self._calls_floor
        self._frames[:calls] = memoryview(core.frames_array)[self._calls_floor : core.calls]
        words[translation.DEPTH] = _number_address(count)
        words[translation.CALLS] = _frame_address(calls)
        # Greater depths cost memory; each stack may use half of the remaining memory.
        high = core.high - self._floor
        words[translation.HIGH] = _number_address(high)
        words[translation.CEILING] = _number_address(high + memory_room // 2 // SLOT_COST)
        high = core.calls_high - self._calls_floor
        words[translation.CALLS_HIGH] = _frame_address(high)
        words[translation.CALLS_CEILING] = _frame_address(high + memory_room // 2 // FRAME_COST)
        words[translation.ENTRY] = region
        words[translation.PRINTED] = 0
        words[translation.WINDOW] = core.cells
        words[translation.RAISED] = -1
        self._highs = words[translation.HIGH], words[translation.CALLS_HIGH]

    def leave(self, core: Core) -> None:
        """Copy the module's state back to a core, except steps, next instruction and output."""
        words = self.words
        high: int = words[translation.HIGH]
        if words[translation.RAISED] == words[translation.LEFT]:
            high = words[translation.OLD_HIGH]
        more = (high - self._highs[0]) // 8
        more_calls = (words[translation.CALLS_HIGH] - self._highs[1]) // 4
        count = (words[translation.DEPTH] - _number_address(0)) // 8
        calls = (words[translation.CALLS] - translation.FRAMES) // 4
        core.raise_high(core.high + more, core.calls_high + more_calls, self._calls_floor + calls)
        core.sp = self._floor + count
        core.calls = self._calls_floor + calls
        memoryview(core.stack_array)[self._floor : core.sp] = self._stack[:count]
        memoryview(core.frames_array)[self._calls_floor : core.calls] = self._frames[:calls]


def _number_address(count: int) -> int:
    """Return the address at which ``count`` numbers of the stack end, minus 8 * MAX_PLACE.

    The module stores all addresses of the stack in this form: places go from -MAX_PLACE on, and
    offsets in WebAssembly cannot be negative.
    """
    return translation.STACK_BOTTOM + 8 * (min(count, translation.MAX_STACK) - flow.MAX_PLACE)


def _frame_address(count: int) -> int:
    """Return the address at which the first ``count`` call frames end."""
    return translation.FRAMES + 4 * min(count, translation.MAX_FRAMES)
