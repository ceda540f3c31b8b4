"""The native tier of Shakespeare: long runs continue in code that wasmtime compiles.

A visit is one call of the compiled code.  Before and after each visit, the values of the characters
and the upper parts of their stacks are copied.
``docs/adr/0046-a-native-tier-for-shakespeare.md`` lists what the tier handles and what it leaves to
the core.
"""

from __future__ import annotations

from array import array

from esolangs import compiled
from esolangs.limits import UNLIMITED
from esolangs.reasons import CHUNK
from esolangs.shakespeare import flow, translation
from esolangs.shakespeare.opcodes import TAG, WIDTH
from esolangs.wasmtime_library import CompiledModule, ModuleInstance, WasmtimeError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Protocol

    from esolangs import tier
    from esolangs.language import Options
    from esolangs.limits import Limits
    from esolangs.shakespeare._core import Core
    from esolangs.shakespeare.flow import PlayTables, State

    class PlayProgram(PlayTables, Protocol):
        """The attributes of a play that the native tier uses."""

        options: Options

    class PlayMachine(Protocol):
        """The attributes of the machine of a play that the native tier uses."""

        core: Core
        limits: Limits

        @property
        def output_room(self) -> int: ...
        def flush_core(self) -> None: ...
        def accept_output(self, printed: bytes, steps: array[int], reads: array[int]) -> None:
            """Add printed bytes, the step of each, and the step of each byte that was read."""


MIN_CORE_STEPS = 1 << 20
"""Number of steps in the core before mode ``native`` compiles the play."""

MAX_COPIED_ENTRIES = 1 << 14
"""Maximum number of entries of each stack that are copied before compiled code is called."""

_SECONDS_PER_SENTENCE = 7e-5  # for compiling


class PlayCompiler(compiled.EntryCompiler):
    """Compiles a play once, for all its machines.

    latest: the translated play and its compiled module; None before the play is compiled.
    """

    def __init__(self, play: PlayProgram):
        super().__init__()
        self.play = play
        self.latest: tuple[translation.PlayTranslation, CompiledModule] | None = None
        self._start: State = (0, b"")

    @property
    def min_core_seconds(self) -> float:
        return compiled.MIN_CORE_SECONDS + _SECONDS_PER_SENTENCE * (len(self.play.code) // WIDTH)

    def prepare(self, core: Core) -> None:
        self._start = core.ip, core.stage()

    def compile(self) -> None:
        """Compile the play now; set ``refused`` if that is impossible."""
        cast = len(self.play.names)
        starts = [(0, bytes(cast) + b"\1"), self._start]
        try:
            code = translation.PlayTranslation(
                flow.PlayFlow(self.play, starts), utf8=self.play.options["io"] == "utf8"
            )
            module = CompiledModule(code.code)
        except (ImportError, MemoryError, OSError, WasmtimeError):
            self.refused = True
            return
        entries = bytearray(len(code.flow.sentences) + 1)
        for at, _ in code.entries:
            entries[at] = 1
        self.latest = code, module
        self.entries = entries


class PlayTier(compiled.EntryTier):
    """Runs one machine in compiled code where that is possible, and in its core elsewhere."""

    machine: PlayMachine
    compiler: PlayCompiler
    _instance: _PlayInstance | None

    def __init__(self, machine: PlayMachine, compiler: PlayCompiler, mode: tier.Tier):
        super().__init__(machine, compiler, mode, min_core_steps=MIN_CORE_STEPS)

    def _cells_to_copy(self) -> int | None:
        return None if self._instance is not None else 0

    def _visit(self, limit: int) -> int:
        machine, core = self.machine, self.machine.core
        instance = self._instance
        if instance is None:
            assert self.compiler.latest is not None
            code, module = self.compiler.latest
            try:
                instance = self._instance = _PlayInstance(module, code)
            except WasmtimeError:  # not enough memory
                self._backoff.stop()
                return -1
        code = instance.code  # not the latest one, if two threads compiled the play
        choices = code.entries.get((core.ip, core.stage()))
        most = min(machine.limits.memory, UNLIMITED)
        large = max(core.values_array[: core.cast], default=0) >= TAG
        if choices is None or core.peak > most or large:
            return 0
        machine.flush_core()
        words = instance.words
        words[translation.LEFT] = limit - core.steps
        words[translation.LIMIT] = limit
        words[translation.ROOM] = min(CHUNK, machine.output_room)
        words[translation.MAX_MEMORY] = most
        for depth in range(translation.WORDS - translation.CHOICES):
            words[translation.CHOICES + depth] = 0
        for depth, value in choices:
            words[translation.CHOICES + depth] = value
        instance.enter(core)
        end = instance.run()
        self.visits += 1
        instance.leave(core)
        core.ip, stage = code.exits[end]
        core.set_stage(stage)
        core.steps = limit - words[translation.LEFT]
        self._accept_printed(instance, words[translation.PRINTED])
        return 0


class _PlayInstance:
    """An instance of a compiled play for one machine: its function, and views of its memory."""

    def __init__(self, module: CompiledModule, code: translation.PlayTranslation):
        self.code = code
        self._instance = ModuleInstance(module)
        self.run = self._instance.run
        raw = self._instance.view()
        begin = translation.CONTROL
        self.words = raw[begin : begin + 8 * translation.WORDS].cast("q")
        self.out = raw[translation.OUT_BYTES : translation.OUT_STEPS]
        self.out_steps = raw[translation.OUT_STEPS : translation.VALUES].cast("q")
        begin = translation.VALUES
        self._values = raw[begin : begin + 8 * code.flow.cast].cast("q")
        begin = translation.STACK_TOPS
        self._tops = raw[begin : begin + 8 * len(code.stack_places)].cast("q")
        size = 8 * translation.MAX_STACK
        self._stacks = [
            (who, place, raw[place : place + size].cast("q"))
            for who, place in code.stack_places.items()
        ]
        self._counts = [0] * len(self._stacks)
        factorial = 1
        factorials = raw[translation.FACTORIALS : translation.FACTORIALS + 8 * 21].cast("q")
        for number in range(21):
            factorial *= max(1, number)
            factorials[number] = factorial

    def enter(self, core: Core) -> None:
        """Copy a core's state to the module, before compiled code is executed."""
        words = self.words
        self._values[:] = memoryview(core.values_array)[: core.cast]
        for number, (who, place, entries) in enumerate(self._stacks):
            count = self._counts[number] = core.copy_top(who, MAX_COPIED_ENTRIES, entries)
            self._tops[number] = place + 8 * (count - 1)
        words[translation.ANSWER] = core.answer
        words[translation.USED] = core.used
        words[translation.PEAK] = core.peak
        words[translation.PRINTED] = 0

    def leave(self, core: Core) -> None:
        """Copy the module's state back to a core.

        The caller copies the steps, the next sentence, the stage and the output.
        """
        words = self.words
        memoryview(core.values_array)[: core.cast] = self._values
        for number, (who, place, entries) in enumerate(self._stacks):
            count = (self._tops[number] - place) // 8 + 1
            core.replace_top(who, self._counts[number], entries[:count])
        answer: int = words[translation.ANSWER]
        core.answer = answer - (1 << 32) if answer >> 31 else answer
        core.peak = words[translation.PEAK]
