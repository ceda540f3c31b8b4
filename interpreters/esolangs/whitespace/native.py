"""The native tier of Whitespace: long runs continue in code that wasmtime compiles.

The window of the heap is in the memory of the module while the tier is in use, and the core works
on it there.  The upper parts of the stack and of the call stack are copied for each visit.
``docs/adr/0045-a-native-tier-for-whitespace.md`` lists what the tier handles and what it leaves to
the core.
"""

from __future__ import annotations

from array import array
from time import perf_counter

from esolangs import compiled
from esolangs.reasons import BUDGET, CHUNK, FLUSH, PAUSE
from esolangs.wasm import PAGE
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
        """The attributes of a program that the tier uses."""

        options: Options
        code: ParsedCode

    class StackMachine(Protocol):
        """The attributes of a machine that the tier uses."""

        core: Core

        @property
        def program(self) -> StackProgram: ...
        @property
        def memory_room(self) -> int: ...
        @property
        def output_room(self) -> int: ...
        def flush_core(self) -> None: ...
        def accept(self, printed: bytes, steps: array[int], reads: array[int]) -> None: ...


FIRST = 1 << 21
"""Number of steps in the core before mode ``native`` compiles the program."""

TAKEN = 1 << 12
"""Maximum number of entries of each stack that are copied for a visit."""

MOST_CELLS = 1 << 26
"""Maximum number of cells in the heap's window."""

MOST_INSTRUCTIONS = 1 << 14
"""Maximum number of instructions in a program that is compiled."""

_REST = 1 << 10  # steps of the first rest, after a visit of fewer than SHORT >> 4 steps
_AWAY = 1 << 16  # steps in the core while the heap's window is too small
_ROOM = 1 << 24  # cells that are reserved for the window, if the memory limit allows them
_SECONDS = 5e-5  # to compile one instruction


class StackCompiler(compiled.Compiler):
    """The compiled code of a program, shared by its machines.

    module: None before it is compiled.  entries: for each instruction, whether a visit may begin
    there.
    """

    def __init__(self, program: StackProgram):
        super().__init__()
        self.program = program
        self.module: CompiledModule | None = None
        self.entries = bytearray()
        self.region_at = array("H")
        self.cells = 0  # minimum size of the heap's window

    @property
    def patience(self) -> float:
        """Seconds in the core after which compiling, which takes about as long, is worthwhile."""
        return compiled.SOON + _SECONDS * len(self.program.code.ops)

    def request(self, core: Core, *, now: bool) -> None:
        """Compile the program, now or in a thread."""
        if not self.is_busy:
            self.cells = min(core.cells, MIN_CELLS)
            if now:
                self.compile()
            else:
                self.begin()

    def compile(self) -> None:
        """Compile the program now, or refuse it."""
        code, options = self.program.code, self.program.options
        if len(code.ops) > MOST_INSTRUCTIONS:
            self.refused = True
            return
        rules = translation.StackRules(
            floor_quotient=options["division"] == "floor",
            floor_remainder=options["division"] != "truncate",
            utf8=options["io"] == "utf8",
            cells=self.cells,
        )
        found = flow.Flow(code.ops, code.args)
        try:
            module = CompiledModule(translation.StackTranslation(found, rules).code)
        except (ImportError, OSError, WasmtimeError):
            self.refused = True
            return
        self.region_at = array("H", bytes(2 * len(code.ops)))
        self.entries = bytearray(len(code.ops))
        for at, region in found.region_at.items():
            self.region_at[at] = region.number
            self.entries[at] = region.root.cost > 0
        self.module = module


class StackTier:
    """Runs one machine in compiled code where that is possible, and in its core elsewhere."""

    def __init__(self, machine: StackMachine, native: StackCompiler, mode: tier.Tier):
        self.machine = machine
        self.native = native
        self.mode = mode
        self.visits = 0
        self._spent = 0.0  # seconds in the core before compiling
        self._ran = 0  # steps in the core before compiling
        self._instance: _StackInstance | None = None
        self._rests = compiled.Rests(compiled.SHORT >> 4, 1, _REST)

    def run(self, limit: int) -> int:
        """Execute as ``Core.run`` does; return its reason."""
        native, core = self.native, self.machine.core
        if limit - core.steps <= compiled.SHORT:
            return core.run(limit)
        if native.module is None:
            return self._run_before(limit)
        if core.steps < self._rests.until:
            return compiled.run_core(core, limit, self._rests.until)
        if core.cells < native.cells:
            return compiled.run_core(core, limit, core.steps + _AWAY)
        until = core.steps + compiled.TURN
        left = False  # whether compiled code was left here
        while core.steps < until and core.steps >= self._rests.until:
            if limit - core.steps <= compiled.SHORT:
                return core.run(limit)
            if left or not native.entries[core.ip]:
                left = False
                reason = core.approach(native.entries, limit)
                if reason != BUDGET:
                    return reason
                continue
            before, printed = core.steps, core.printed
            copied = self._visit(native.module, min(limit, until))
            if copied < 0:
                return PAUSE
            self._rests.judge(max(0, core.steps - before - copied), core.steps)
            if core.printed > printed:
                return FLUSH
            left = True
        return PAUSE

    def _run_before(self, limit: int) -> int:
        """Run in the core before there is code; compile once the run is long enough."""
        native, core = self.native, self.machine.core
        if native.refused:
            return core.run(limit)
        if self.mode == "native" and self._ran >= FIRST:
            native.request(core, now=True)
            return self.run(limit)
        before, began = core.steps, perf_counter()
        # The core itself does not limit the steps of one call.
        reason = compiled.run_core(core, limit, core.steps + FIRST)
        self._spent += perf_counter() - began
        self._ran += core.steps - before
        goes_on = reason in (BUDGET, PAUSE, FLUSH)
        if self.mode == "auto" and goes_on and self._spent >= native.patience:
            native.request(core, now=False)
        return reason

    def _visit(self, module: CompiledModule, limit: int) -> int:
        """Run compiled code; return the number of cells copied, or -1 if it cannot run."""
        machine, core = self.machine, self.machine.core
        instance = self._instance
        copied = 0
        if instance is None or core.heap_room is not instance.room:
            if core.cells > MOST_CELLS:
                self._rests.stop()
                return -1
            try:
                instance = self._instance = _StackInstance(
                    module, self.native, core, machine.memory_room // CELL_COST
                )
            except WasmtimeError:  # not enough memory
                self._rests.stop()
                return -1
            copied = core.cells
        machine.flush_core()
        words = instance.words
        words[translation.LEFT] = limit - core.steps
        words[translation.LIMIT] = limit
        words[translation.ROOM] = min(CHUNK, machine.output_room)
        instance.enter(core, self.native.region_at[core.ip], machine.memory_room)
        at = instance.run()
        self.visits += 1
        instance.leave(core)
        core.ip = at
        core.steps = limit - words[translation.LEFT]
        printed = words[translation.PRINTED]
        if printed:
            machine.accept(
                bytes(instance.out[:printed]),
                array("q", instance.out_steps[:printed].tobytes()),
                array("q"),
            )
        return copied


class _StackInstance:
    """The memory and the function of a module for one machine, with the window of its heap."""

    def __init__(self, module: CompiledModule, native: StackCompiler, core: Core, more: int):
        """Move a heap's window here.  more: the number of cells by which it may grow."""
        cells = core.cells
        self._instance = ModuleInstance(module)
        self.run = self._instance.run
        room = max(1, cells, min(max(4 * cells, _ROOM), cells + more, MOST_CELLS))
        self._instance.grow(-(-8 * room // PAGE))
        raw = self._instance.view()
        begin = translation.CONTROL
        self.words = raw[begin : begin + 8 * translation.WORDS].cast("q")
        self.out = raw[translation.OUT_BYTES : translation.OUT_STEPS]
        self.out_steps = raw[translation.OUT_STEPS : translation.OUT_STEPS + 8 * CHUNK].cast("q")
        begin = translation.FRAMES
        self._frames = raw[begin : begin + 4 * translation.MAX_FRAMES].cast("i")
        begin = translation.STACK_BOTTOM
        self._stack = raw[begin : begin + 8 * translation.MAX_STACK].cast("q")
        table = memoryview(native.region_at).cast("B")
        raw[translation.ROOT_REGIONS : translation.ROOT_REGIONS + len(table)] = table
        self.room = raw[translation.CELLS : translation.CELLS + 8 * room].cast("q")
        self.room[:cells] = memoryview(core.heap_array)[:cells]
        core.use_heap_room(self.room)
        self._floor = self._calls_floor = 0

    def enter(self, core: Core, region: int, memory_room: int) -> None:
        """Copy a core's state to the module."""
        words = self.words
        count = core.count_narrow(TAKEN, flow.NARROW_LIMIT)
        self._floor = core.sp - count
        self._stack[:count] = memoryview(core.stack_array)[self._floor : core.sp]
        self._calls_floor = max(0, core.calls - TAKEN)
        calls = core.calls - self._calls_floor
        self._frames[:calls] = memoryview(core.frames_array)[self._calls_floor : core.calls]
        words[translation.DEPTH] = _place(count)
        words[translation.CALLS] = _frame(calls)
        # Greater depths cost memory; each stack may use half of the remaining memory.
        high = core.high - self._floor
        words[translation.HIGH] = _place(high)
        words[translation.CEILING] = _place(high + memory_room // 2 // SLOT_COST)
        high = core.calls_high - self._calls_floor
        words[translation.CALLS_HIGH] = _frame(high)
        words[translation.CALLS_CEILING] = _frame(high + memory_room // 2 // FRAME_COST)
        words[translation.ENTRY] = region
        words[translation.PRINTED] = 0
        words[translation.WINDOW] = core.cells
        words[translation.RAISED] = -1
        self._highs = words[translation.HIGH], words[translation.CALLS_HIGH]

    def leave(self, core: Core) -> None:
        """Copy the module's state back to a core, except steps and instruction."""
        words = self.words
        high: int = words[translation.HIGH]
        if words[translation.RAISED] == words[translation.LEFT]:
            high = words[translation.OLD_HIGH]
        more = (high - self._highs[0]) // 8
        more_calls = (words[translation.CALLS_HIGH] - self._highs[1]) // 4
        count = (words[translation.DEPTH] - _place(0)) // 8
        calls = (words[translation.CALLS] - translation.FRAMES) // 4
        core.raise_high(core.high + more, core.calls_high + more_calls, self._calls_floor + calls)
        core.sp = self._floor + count
        core.calls = self._calls_floor + calls
        memoryview(core.stack_array)[self._floor : core.sp] = self._stack[:count]
        memoryview(core.frames_array)[self._calls_floor : core.calls] = self._frames[:calls]


def _place(count: int) -> int:
    """Return the address after ``count`` numbers of the stack, minus 8 * MAX_PLACE."""
    return translation.STACK_BOTTOM + 8 * (min(count, translation.MAX_STACK) - flow.MAX_PLACE)


def _frame(count: int) -> int:
    """Return the address after ``count`` frames."""
    return translation.FRAMES + 4 * min(count, translation.MAX_FRAMES)
