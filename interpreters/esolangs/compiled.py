"""Shared parts of native tiers: compiling in a thread, and pausing a tier that gains nothing.

A visit is one call of the compiled code.  After several short visits a tier backs off: it rests for
some steps, which the core runs.  This module is imported only for long runs, or if ``ESOPLAY_TIER``
is ``native``.
"""

from __future__ import annotations

import threading
import weakref
from abc import ABC, abstractmethod
from array import array
from time import perf_counter

from esolangs.reasons import BUDGET, FLUSH, PAUSE

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from esolangs import tier

    CompilerT = TypeVar("CompilerT")

MIN_CORE_SECONDS = 0.05
"""Minimum seconds in the core before ``auto`` compiles a program."""

MAX_VISIT_STEPS = 1 << 26
"""Number of steps after which the tier returns to its caller, so that a run can be interrupted."""

MIN_VISIT_STEPS = 1 << 14
"""If at most this number of steps remains, only the core runs: a visit is not worthwhile.

A history runs in slices of one or two milliseconds.  A slow core executes few steps in that time;
the limit must be smaller, because otherwise the program would never run in compiled code.
"""

_MIN_VISITS_TO_COPY = 16  # a first visit copies state, so it must allow more steps
_CELLS_PER_VISIT = 1 << 14  # copying so many cells takes about as long as a shortest visit
_MAX_CORE_STEPS = 1 << 21  # in one call, before the state is copied

MAX_STEPS_TO_ENTRY = 1 << 10
"""Maximum number of steps that the core takes one by one to a place where code can be entered."""

MIN_STEPS_BETWEEN_STOPS = 1 << 14
"""Mean number of steps between two stops below which a run that watches stays in the core."""

MAX_WATCHED_STEPS_PER_SECOND = 1e9
"""Speed of the core, in steps per second, above which it keeps a run that watches for stops.

The core is this fast only when it skips rounds of loops.
"""

_CACHED_COMPILERS = 4  # sets of stops whose compiled code a program keeps
_FIRST_BACKOFF_STEPS = 1 << 10
_MAX_BACKOFF_STEPS = 1 << 32


def run_core(core: Any, limit: int, until: int) -> int:
    """Run a core up to step ``until``, but not past ``limit``; return why it stopped.

    The reason is PAUSE if the core reached ``until`` before ``limit``.
    """
    reason: int = core.run(min(limit, until))
    return PAUSE if reason == BUDGET and until < limit else reason


class VisitBackoff:
    """Decides for how many steps only the core runs after too many short visits to compiled code.

    short_visit_steps: a visit is short if it executes fewer steps than this, and less than half of
    the steps that it may execute.  max_short_visits: number of consecutive short visits after which
    the tier backs off, that is, runs only the core.  first_backoff_steps: steps of the first
    backoff; each further one takes twice as many, until a visit is not short.  end_step: the step
    at which the last backoff ends.
    """

    def __init__(
        self, short_visit_steps: int, max_short_visits: int, first_backoff_steps: int
    ) -> None:
        self.end_step = 0
        self._short_visit_steps = short_visit_steps
        self._max_short_visits = max_short_visits
        self._first_backoff_steps = first_backoff_steps
        self._short_visits = 0
        self._backoffs = 0

    def record_visit(self, visit_steps: int, steps: int, max_steps: int) -> None:
        """Record one run of compiled code; back off after too many short ones in a row.

        visit_steps: the number of steps of the run.  steps: the step at which it ended.
        max_steps: the number of steps that it was allowed to execute.
        """
        if visit_steps >= min(self._short_visit_steps, max_steps // 2):
            self._short_visits = self._backoffs = 0
            return
        self._short_visits += 1
        if self._short_visits == self._max_short_visits:
            self._short_visits = 0
            self.end_step = steps + min(
                self._first_backoff_steps << self._backoffs, _MAX_BACKOFF_STEPS
            )
            self._backoffs += 1

    def stop(self) -> None:
        """Let only the core run, without compiled code, until the end of the run."""
        self.end_step = 1 << 62


class CoreUsage:
    """What the core executed before a program was compiled: seconds, steps, stops."""

    __slots__ = ("hits", "seconds", "steps")

    def __init__(self, seconds: float = 0.0):
        self.seconds = seconds
        self.steps = self.hits = 0

    def halve(self) -> None:
        """Halve all counts, so that what is executed later has more weight."""
        self.seconds /= 2
        self.steps //= 2
        self.hits //= 2


class Compiler(ABC):
    """Compiles a program now or in a thread.

    refused: whether the program cannot be compiled, or must not be compiled again.
    marks: for runs that watch for stops, the instructions that compiled code leaves to the core: a
    byte for each instruction, 1 for these; None if the code is not for such runs.
    scanning: whether ``marks`` are the locations of the stops, which a scan only counts.  A run
    must stop after a step in the core, so then ``marks`` include what may precede the locations.
    usage: what the core executed in all runs with these stops, added up because a single run may
    be too short to decide; not used if ``marks`` is None.
    """

    def __init__(self, marks: bytearray | None = None, *, scanning: bool = False) -> None:
        self.marks = marks
        self.scanning = scanning
        self.usage = CoreUsage()
        self.refused = False
        self._thread: threading.Thread | None = None

    @abstractmethod
    def compile(self) -> None:
        """Compile the program now; set ``refused`` if that is impossible."""

    @property
    def is_busy(self) -> bool:
        """Whether a thread is compiling the program."""
        return self._thread is not None and self._thread.is_alive()

    def compile_in_thread(self) -> None:
        """Compile the program in a thread, unless it is refused or is already being compiled."""
        if not self.refused and not self.is_busy:
            self._thread = threading.Thread(target=self.compile, name="compile", daemon=True)
            try:
                self._thread.start()
            except RuntimeError:  # the system allows no more threads
                self._thread = None
                self.refused = True


class WatchingCompilers:
    """The compilers of a program for the latest sets of stops, latest first."""

    def __init__(self) -> None:
        self._compilers: list[Any] = []

    def get(
        self, create: Callable[..., CompilerT], program: Any, marks: bytearray, *, scanning: bool
    ) -> CompilerT:
        """Return a cached compiler with the same ``marks`` and ``scanning``, or create one.

        create: creates a compiler, called as ``create(program, marks, scanning=…)``.  marks: 1 for
        each instruction to stop at.  scanning: whether stops are only counted.
        """
        for known in self._compilers:
            if known.scanning == scanning and known.marks == marks:
                return known
        made = create(program, marks, scanning=scanning)
        self._compilers = [made, *self._compilers[: _CACHED_COMPILERS - 1]]
        return made


class CompiledTier(ABC):
    """Runs one machine: in compiled code where that is possible, otherwise in its core.

    visits: number of times that compiled code was entered.
    """

    def __init__(
        self,
        machine: Any,
        compiler: Compiler,
        mode: tier.Tier,
        backoff: VisitBackoff | None = None,
    ):
        """Create the tier of ``machine``.

        backoff: decides when only the core runs; by default, for some time after each short visit.
        """
        # The machine refers to its tier.  A strong reference back would be a cycle, and the memory
        # of an unused machine would not be freed before Python searches for cycles.
        self.machine: Any = weakref.proxy(machine)
        self.compiler: Any = compiler
        self.mode: tier.Tier = mode
        self.visits = 0
        self._instance: Any = None
        self._steps_before_copy = 0
        self._usage = CoreUsage(machine.core_seconds) if compiler.marks is None else compiler.usage
        self._backoff = backoff or VisitBackoff(MIN_VISIT_STEPS, 1, _FIRST_BACKOFF_STEPS)

    @abstractmethod
    def run(self, limit: int) -> int:
        """Execute until step ``limit`` or until the run must stop; return the reason."""

    def release(self) -> None:
        """Drop the module's instance; its memory is freed when the core no longer uses it."""
        self._instance = None
        self._steps_before_copy = 0

    @abstractmethod
    def _cells_to_copy(self) -> int | None:
        """Return how many cells the next visit would copy first; None if compiled code has them."""

    def _must_wait(self, limit: int) -> bool:
        """Return whether to run the core, as the run may be too short to repay copying the state.

        For example, a replay starts another machine, which may run only a few steps.  The steps of
        earlier calls count, too, because a run may consist of short slices.
        """
        cells = self._cells_to_copy()
        if cells is None:
            return False
        remaining = limit - self.machine.core.steps
        visits = max(_MIN_VISITS_TO_COPY, cells // _CELLS_PER_VISIT)
        return self._steps_before_copy + remaining <= visits * MIN_VISIT_STEPS

    def _run_waiting(self, limit: int) -> int:
        """Run the core, and count its steps for ``_must_wait``; return the reason for its stop."""
        core = self.machine.core
        before = core.steps
        reason = run_core(core, limit, before + _MAX_CORE_STEPS)
        self._steps_before_copy += core.steps - before
        return reason

    def _run_timed(self, limit: int, until: int) -> int:
        """Run the core up to a step as ``run_core`` does; count its seconds and steps."""
        core, usage = self.machine.core, self._usage
        steps, hits, began = core.steps, core.hits, perf_counter()
        reason = run_core(core, limit, until)
        usage.seconds += perf_counter() - began
        usage.steps += core.steps - steps
        usage.hits += core.hits - hits
        if not self._is_faster:
            usage.halve()  # so that a later part of the run can still be compiled
        return reason

    @property
    def _is_faster(self) -> bool:
        """Whether compiled code is likely to be faster than the core, judging by recent core runs.

        A run that watches is faster in the core if it stops often, or skips rounds of loops.
        """
        usage = self._usage
        return self.compiler.marks is None or (
            usage.hits * MIN_STEPS_BETWEEN_STOPS <= usage.steps
            and usage.steps <= usage.seconds * MAX_WATCHED_STEPS_PER_SECOND
        )

    def _count_stop(self) -> None:
        """When scanning, count a stop if compiled code ended before a marked instruction."""
        core, compiler = self.machine.core, self.compiler
        if compiler.scanning and compiler.marks[core.ip]:
            core.hits += 1
            core.last_hit = core.steps
            if core.hits == 1:
                core.first_hit = core.steps

    def _accept_printed(self, instance: Any, count: int) -> None:
        """Pass on what compiled code printed: ``count`` bytes in the buffers of an instance."""
        if count:
            self.machine.accept_output(
                bytes(instance.out[:count]),
                array("q", instance.out_steps[:count].tobytes()),
                array("q"),
            )


class EntryCompiler(Compiler):
    """Compiles a program that an ``EntryTier`` runs.

    entries: for each instruction, whether a visit may begin there; empty before the compilation.
    """

    def __init__(self, marks: bytearray | None = None, *, scanning: bool = False) -> None:
        super().__init__(marks, scanning=scanning)
        self.entries = bytearray()

    @property
    @abstractmethod
    def min_core_seconds(self) -> float:
        """Seconds that a program must run in the core before it is compiled.

        Compiling takes about as long.
        """

    @abstractmethod
    def prepare(self, core: Any) -> None:
        """Copy from a core what compiling needs; the core may run on while a thread compiles."""

    def request(self, core: Any, *, blocking: bool) -> None:
        """Compile the program, now or in a thread, unless that is done or in progress."""
        if not self.is_busy and not self.entries:
            self.prepare(core)
            if blocking:
                self.compile()
            else:
                self.compile_in_thread()


class EntryTier(CompiledTier):
    """A tier whose compiled code is entered at certain instructions; the core runs up to them."""

    def __init__(
        self, machine: Any, compiler: EntryCompiler, mode: tier.Tier, *, min_core_steps: int
    ):
        """min_core_steps: steps in the core before mode ``native`` compiles the program."""
        super().__init__(machine, compiler, mode)
        self._min_core_steps = min_core_steps

    @abstractmethod
    def _visit(self, limit: int) -> int:
        """Run compiled code, if it can begin here; return how many cells were first copied to it.

        Return -1 if it cannot run any more, because it needs too much memory.
        """

    def _steps_until_retry(self) -> int:
        """Return how many steps to run in the core before compiled code is tried again."""
        return 0

    def run(self, limit: int) -> int:
        compiler, core = self.compiler, self.machine.core
        if limit - core.steps <= MIN_VISIT_STEPS:
            return core.run(limit)
        if not compiler.entries:
            return self._run_uncompiled(limit)
        if core.steps < self._backoff.end_step:
            return run_core(core, limit, self._backoff.end_step)
        if self._must_wait(limit):
            return self._run_waiting(limit)
        wait = self._steps_until_retry()
        if wait:
            return run_core(core, limit, core.steps + wait)
        began = core.steps
        until = began + MAX_VISIT_STEPS
        after_visit = False
        while core.steps < until and core.steps >= self._backoff.end_step:
            if limit - core.steps <= MIN_VISIT_STEPS:
                return core.run(limit)
            if after_visit or not compiler.entries[core.ip]:
                after_visit = False
                end = min(limit, core.steps + MAX_STEPS_TO_ENTRY)
                reason = core.run_to_entry(compiler.entries, end)
                if reason != BUDGET:
                    return reason
                if core.steps == end and not compiler.entries[core.ip]:
                    self._backoff.record_visit(0, core.steps, MIN_VISIT_STEPS)
                continue
            before, printed = core.steps, core.printed
            end = min(limit, until)
            copied = self._visit(end)
            if copied < 0:
                break
            executed = max(0, core.steps - before - copied)
            self._backoff.record_visit(executed, core.steps, end - before)
            self._count_stop()
            if core.printed > printed:
                return FLUSH
            after_visit = True
        if core.steps > began:
            return PAUSE
        return run_core(core, limit, self._backoff.end_step)  # a caller may wait for a step

    def _run_uncompiled(self, limit: int) -> int:
        """Run in the core, as the program is not compiled yet; compile it if the run is long."""
        compiler, core = self.compiler, self.machine.core
        if compiler.refused:
            return core.run(limit)
        usage = self._usage
        if self.mode == "native" and usage.steps >= self._min_core_steps and self._is_faster:
            compiler.request(core, blocking=True)
            return self.run(limit)
        # The core itself does not limit the steps of one call.
        reason = self._run_timed(limit, core.steps + max(1, self._min_core_steps))
        can_continue = reason in (BUDGET, PAUSE, FLUSH)
        is_long = usage.seconds >= compiler.min_core_seconds
        if self.mode == "auto" and can_continue and is_long and self._is_faster:
            compiler.request(core, blocking=False)
        return reason
