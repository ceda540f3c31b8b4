"""The native tier of Brainfuck: long runs continue in code that wasmtime compiles.

A machine gets a ``TapeTier`` in a long run.  The tier has the interface of
``Core.run`` and leaves the state in the core whenever it returns.  The tape is in the memory of the
module while the tier is in use, and the core works on it there, so that no cell is copied between
them.  A visit is one call of the compiled code.  ``docs/adr/0040-a-native-tier-above-the-core.md``
says when state passes between tier and core.
"""

from __future__ import annotations

from array import array
from time import perf_counter

from esolangs import compiled
from esolangs.brainfuck import flow, layout, translation
from esolangs.brainfuck.opcodes import CLOSE, HEAD, OPEN, SCAN
from esolangs.reasons import BUDGET, CHUNK, ENDED, FLUSH, PAUSE
from esolangs.wasm import PAGE_BYTES
from esolangs.wasmtime_library import CompiledModule, ModuleInstance, WasmtimeError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any, Protocol

    from esolangs import tier
    from esolangs.brainfuck._core import Core
    from esolangs.language import Options

    class TapeProgram(Protocol):
        """The attributes of a Brainfuck program that the native tier uses."""

        options: Options
        code: bytes
        depth: array[int]

        @property
        def tables(self) -> tuple[Any, ...]: ...

    class TapeMachine(Protocol):
        """The attributes of a Brainfuck machine that the native tier uses."""

        core: Core

        @property
        def program(self) -> TapeProgram: ...
        @property
        def output_room(self) -> int: ...
        def flush_core(self) -> None: ...
        def peek_input(self, count: int) -> bytes: ...
        def accept_output(self, printed: bytes, steps: array[int], reads: array[int]) -> None:
            """Add printed bytes, the step of each, and the step of each byte that was read."""

        def use_tape_buffer(self, buffer: memoryview[int]) -> None: ...


MIN_CORE_SECONDS = 0.02
"""Minimum seconds that mode ``auto`` runs a program in the core before it compiles the program.

Long programs are compiled later, because compiling them takes longer.
"""

MIN_CORE_STEPS = 1 << 24
"""Steps in the core before mode ``native`` compiles a program; shorter runs stay in the core."""

MAX_SHORT_VISITS = 8
"""Number of consecutive short visits (runs of compiled code) after which the tier backs off."""

FIRST_BACKOFF_STEPS = 1 << 20
"""Steps that only the core runs after ``MAX_SHORT_VISITS`` consecutive short visits.

The number is doubled each time, up to a maximum.
"""

_MAX_TAPE_BYTES = 1 << 23  # a larger tape would use twice its memory while it is copied
_SKIPPING_STEPS_PER_SECOND = 2e10  # the core reaches it only by skipping rounds
_MAX_NEST_TRIALS = 4
_RETRY_STEPS = 1000  # steps in the core, at a block that cannot be entered, before a new try


class TapeCompiler(compiled.Compiler):
    """Compiles a program for all of its machines; ``code`` is None until it is compiled."""

    def __init__(
        self, program: TapeProgram, marks: bytearray | None = None, *, scanning: bool = False
    ):
        super().__init__(marks, scanning=scanning)
        self.program = program
        self.code: translation.Translation | None = None
        self.nest_trials: dict[int, int] = {}

    @property
    def min_core_seconds(self) -> float:
        """Seconds that a program must run in the core before mode ``auto`` compiles it.

        Compiling takes about as long.
        """
        return MIN_CORE_SECONDS + 7e-6 * len(self.program.tables[3])

    def compile(self) -> None:
        """Compile the program now; set ``refused`` if that is impossible."""
        self.refused = True
        try:
            bits = int(self.program.options["cell"])
            ops, loops = self.program.tables[3], self.program.tables[5]
            both_ways = self.program.options["tape"] == "both-ways"
            code = translation.Translation(ops, loops, bits, both_ways, self.marks)
            code.module = CompiledModule(code.code)
        except (ImportError, OSError, flow.TranslationRefused, WasmtimeError):
            return
        self.code = code
        self.refused = False


class TapeTier(compiled.CompiledTier):
    """Runs one machine in compiled code where that is possible, and in its core elsewhere."""

    machine: TapeMachine
    compiler: TapeCompiler
    _instance: _TapeInstance | None

    def __init__(self, machine: TapeMachine, compiler: TapeCompiler, mode: tier.Tier):
        backoff = compiled.VisitBackoff(
            16 * compiled.MIN_VISIT_STEPS, MAX_SHORT_VISITS, FIRST_BACKOFF_STEPS
        )
        super().__init__(machine, compiler, mode, backoff)
        # A scan starts another machine in each interval, but its nests are the same.
        self._nest_trials = {} if compiler.marks is None else compiler.nest_trials

    def run(self, limit: int) -> int:
        """Execute until step ``limit`` or until the run must stop; return the reason."""
        core = self.machine.core
        if self.compiler.code is None:
            return self._run_uncompiled(limit)
        if core.steps < self._backoff.end_step:
            return compiled.run_core(core, limit, self._backoff.end_step)
        if self._must_wait(limit):
            return self._run_waiting(limit)
        until = core.steps + compiled.MAX_VISIT_STEPS
        after_visit = False
        while True:
            code = self.compiler.code
            if limit - core.steps <= code.slack + compiled.MIN_VISIT_STEPS:
                return core.run(limit)
            if core.steps >= until or core.steps < self._backoff.end_step:
                return PAUSE
            block = None if after_visit else self._block(code)
            after_visit = False
            if block is None:
                reason = core.run_to_entry(limit)
                if reason != BUDGET:
                    return reason
                continue
            if block < 0:
                reason = compiled.run_core(core, limit, core.steps + _RETRY_STEPS)
                if reason != PAUSE:
                    return reason
                continue
            before = core.steps
            printed = core.printed
            visit_limit = min(limit, until + code.slack)
            end = self._visit(code, block, visit_limit)
            if end is None:
                return core.run(limit)
            if end.kind == layout.HALTED:
                return ENDED
            max_steps = visit_limit - code.slack - before
            self._backoff.record_visit(core.steps - before, core.steps, max_steps)
            self._count_stop()
            if end.kind == layout.NEST:
                return self._run_nest(end.nest, limit)
            if core.printed > printed:
                return FLUSH
            after_visit = core.steps < until

    def _cells_to_copy(self) -> int | None:
        instance, core = self._instance, self.machine.core
        in_use = instance is not None and core.buffer is instance.tape
        return None if in_use else len(core.buffer)

    def _run_uncompiled(self, limit: int) -> int:
        """Run in the core while there is no compiled code; compile if the run has become long."""
        compiler, core = self.compiler, self.machine.core
        if compiler.refused or limit - core.steps <= compiled.MIN_VISIT_STEPS:
            return core.run(limit)
        usage = self._usage
        if (
            self.mode == "native"
            and MIN_CORE_STEPS <= usage.steps <= usage.seconds * _SKIPPING_STEPS_PER_SECOND
            and self._is_faster
        ):
            compiler.compile()
            return self.run(limit)
        reason = self._run_timed(limit, limit)
        can_continue = reason in (BUDGET, PAUSE, FLUSH)
        is_long = usage.seconds >= compiler.min_core_seconds
        if self.mode == "auto" and can_continue and is_long and self._is_faster:
            compiler.compile_in_thread()
        return reason

    def _run_nest(self, nest: int, limit: int) -> int:
        """Run the core, which may execute many iterations of a nest of loops at once.

        nest: the number of the nest at which compiled code returned.  After ``_MAX_NEST_TRIALS``
        consecutive runs in which this saved no time, compiled code no longer returns for this nest.
        """
        core = self.machine.core
        before, began = core.steps, perf_counter()
        reason = core.run(limit)
        if core.steps - before < (perf_counter() - began) * _SKIPPING_STEPS_PER_SECOND:
            trials = self._nest_trials[nest] = self._nest_trials.get(nest, 0) + 1
            if trials == _MAX_NEST_TRIALS and self._instance is not None:
                self._instance.nest_flags[nest] = 1
        else:
            self._nest_trials[nest] = 0
        return reason

    def _block(self, code: translation.Translation) -> int | None:
        """Return the number in ``code`` of the block that begins at the next command, or None.

        Return -1 if the tier cannot enter the block: because it is marked, or because its
        assumptions, which hold in every run, are false after an edit of the tape.
        """
        core = self.machine.core
        program = self.machine.program
        at = program.tables[4][core.ip]
        if at < 0:
            return None
        ops, rounds = program.tables[3], core.loop_rounds()
        number = code.numbers[at]
        if number in code.marked_blocks:
            return -1
        if code.selectors[number] is None:
            return None
        block = code.blocks[number]
        p = core.pointer
        if (
            program.code[core.ip] == OPEN
            and rounds[program.depth[core.ip]]
            and ops[at + HEAD] != SCAN
        ):
            return None  # between the rounds of a merged loop
        inner_depth = program.depth[core.ip] + (program.code[core.ip] in (OPEN, CLOSE))
        if (
            p + block.visited[0] < core.low
            or p + block.visited[1] >= core.high
            or (block.after_loop and core.buffer[p])
            or any(rounds[depth] != 1 for depth in block.single_round_depths)
            or any(rounds[inner_depth:])
        ):
            return -1
        return number

    def _visit(
        self, code: translation.Translation, number: int, limit: int
    ) -> translation.Exit | None:
        """Run compiled code until it returns to the core; return the exit that it took.

        Returns None if the code could not be run.  number: the block at which it starts.
        """
        selector = code.selectors[number]
        assert selector is not None
        machine, core = self.machine, self.machine.core
        instance = self._instance
        if instance is None or instance.code is not code:
            try:
                instance = self._instance = _TapeInstance(code, core.bits)
            except WasmtimeError:  # no memory for it
                self._backoff.stop()
                return None
            for nest, trials in self._nest_trials.items():
                instance.nest_flags[nest] = trials >= _MAX_NEST_TRIALS
        if core.buffer is not instance.tape and not instance.attach(machine):
            self._backoff.stop()
            self._instance = None  # its memory may be large
            return None
        machine.flush_core()
        words, rounds, outside = instance.words, instance.rounds, core.loop_rounds()
        origin = code.tape - code.bias
        width = core.bits // 8
        end_step = limit - code.slack
        input_bytes = machine.peek_input(CHUNK)
        instance.input[: len(input_bytes)] = input_bytes
        words[layout.POINTER] = origin + core.pointer * width
        words[layout.HIGH] = origin + core.high * width
        words[layout.LOW] = origin + core.low * width
        words[layout.PRINTED] = words[layout.READ] = 0
        words[layout.ROOM] = min(CHUNK, machine.output_room)
        words[layout.LIMIT] = end_step
        words[layout.INPUT] = len(input_bytes)
        path = instance.path
        for level, choice in enumerate(selector):
            path[2 * level] = layout.ENTERING
            path[2 * level + 1] = choice
        path[2 * len(selector) - 2] = end_step - core.steps
        rounds[:] = outside
        for depth in code.blocks[number].single_round_depths:
            rounds[depth] = 0
        exit = code.exits[instance.run()]
        self.visits += 1
        outside[:] = rounds
        for depth in exit.single_round_depths:
            outside[depth] = 1
        core.pointer = (words[layout.POINTER] - origin) // width + exit.offset
        core.steps = end_step - words[layout.LEFT] - exit.refund
        core.ip = exit.command if exit.command >= 0 else len(machine.program.code) - 1
        printed, read = words[layout.PRINTED], words[layout.READ]
        if printed or read:
            machine.accept_output(
                bytes(instance.out[:printed]),
                array("q", instance.out_steps[:printed].tobytes()),
                array("q", instance.in_steps[:read].tobytes()),
            )
        return exit


class _TapeInstance:
    """An instance of a compiled module for one machine: its memory and its function ``run``."""

    def __init__(self, code: translation.Translation, bits: int):
        assert code.module is not None
        self._module = ModuleInstance(code.module)
        self.run = self._module.run
        self.code = code
        self._bits = bits
        self.tape: Any = None
        self._create_views()

    def _create_views(self) -> None:
        """Create views of the whole memory, which does not move when it grows."""
        raw = self._module.view()
        self.raw = raw
        depths = flow.MAX_DEPTH + 1
        self.words = raw[layout.CONTROL : layout.CONTROL + 128].cast("q")
        self.path = raw[layout.PATH : layout.PATH + 16 * depths].cast("q")
        self._all_rounds = raw[layout.ROUNDS : layout.ROUNDS + 8 * depths].cast("q")
        self.rounds = self._all_rounds
        self.out = raw[layout.OUT_BYTES : layout.OUT_STEPS]
        self.out_steps = raw[layout.OUT_STEPS : layout.IN_BYTES].cast("q")
        self.input = raw[layout.IN_BYTES : layout.IN_STEPS]
        self.in_steps = raw[layout.IN_STEPS : layout.NEST_FLAGS].cast("q")
        self.nest_flags = raw[layout.NEST_FLAGS : layout.FIXED]

    def attach(self, machine: TapeMachine) -> bool:
        """Move the tape of a machine to this memory; return False if the tape does not fit."""
        core = machine.core
        width = self._bits // 8
        size = core.capacity * width
        if size > _MAX_TAPE_BYTES:
            return False
        missing = self.code.tape + size - len(self.raw)
        if missing > 0:
            try:
                self._module.grow(-(-missing // PAGE_BYTES))
            except WasmtimeError:
                return False
            self._create_views()
        self.rounds = self._all_rounds[: len(core.loop_rounds())]
        view = self.raw[self.code.tape : self.code.tape + size]
        view = view.cast("B" if width == 1 else "H" if width == 2 else "I")
        view[:] = memoryview(core.buffer)
        machine.use_tape_buffer(view)
        self.tape = core.buffer
        return True
