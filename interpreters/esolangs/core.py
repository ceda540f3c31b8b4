"""Base classes of programs and machines whose steps are executed by a core.

A core holds all state that replay must restore and executes at speed; the machine around it serves
the core's requests and implements the contract of :mod:`esolangs.machine`.  A language adds its
state, faults and views.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from array import array
from importlib import import_module
from time import monotonic, perf_counter

from esolangs.errors import Fault
from esolangs.language import Program
from esolangs.limits import UNLIMITED, Limits
from esolangs.machine import FINAL, Machine
from esolangs.reasons import (
    BUDGET,
    ENDED,
    FLUSH,
    MEMORY_FULL,
    NEEDS_INPUT,
    OUTPUT_FULL,
    PAUSE,
    STOP,
    WORK_FULL,
)

TYPE_CHECKING = False


if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, Self, TypeVar

    from esolangs.filters import Filter
    from esolangs.limits import World
    from esolangs.machine import LeapKind, LimitKind, Snapshot, Status
    from esolangs.stops import Address, Hits, Leap, Slot, Step, StopSet
    from esolangs.tally import Tally
    from esolangs.tier import Tier
    from esolangs.view import PartOrigin, Value, View, Window

    Marks = TypeVar("Marks")

    class Core(Protocol):
        """The interface of a core that a machine uses.

        printed: bytes printed since step 0.  input_position: bytes read of the current input.
        hits: number of stops since ``watch``.  first_hit, last_hit: steps of the first and the last
        of these stops.
        """

        steps: int
        printed: int
        input_position: int
        closed: bool
        hits: int
        first_hit: int
        last_hit: int

        def run(self, limit: int) -> int:
            """Execute until ``steps`` reaches ``limit`` or the run must stop; return the reason.

            At the end of a program the reason is ENDED, even if ``steps`` is ``limit``.
            """
            ...

        def set_input(self, data: bytes, closed: bool) -> None: ...
        def take_printed(self) -> tuple[bytes, array[int]]: ...
        def take_reads(self) -> array[int]: ...
        def unwatch(self) -> None: ...

    class NativeTier(Protocol):
        """Compiled code of a program, with the interface of ``Core.run``."""

        def run(self, limit: int) -> int: ...
        def release(self) -> None:
            """Free the memory of the compiled code, except what it shares with the core."""
            ...


_STATUS: dict[int, Status] = {
    BUDGET: "running",
    STOP: "stopped",
    ENDED: "halted",
    NEEDS_INPUT: "needs_input",
    MEMORY_FULL: "limited",
    OUTPUT_FULL: "limited",
    WORK_FULL: "limited",
}
_LIMIT: dict[int, LimitKind] = {
    MEMORY_FULL: "memory",
    OUTPUT_FULL: "output",
    WORK_FULL: "work",
}


MAX_BUFFERED_BYTES = 1 << 18
"""Number of bytes of pending output at which a run returns early, if its machine has ``patience``.

See :class:`esolangs.machine.Machine`.
"""

TIER_SECONDS = 0.01
"""Seconds that a machine runs in the core before it gets a native tier in mode ``auto``."""

MIN_WATCHING_STEPS = 1 << 14
"""Minimum budget, in steps, of a run that uses a native tier while it watches locations.

See ``compiled.MIN_VISIT_STEPS``.
"""

_MIN_TIMED_STEPS = 1 << 14  # a call for fewer steps does not count towards TIER_SECONDS
_MAX_TIMED_STEPS = 1 << 26  # steps after which the seconds are compared with TIER_SECONDS


class CoreMachine(Machine):
    """A machine whose core executes the steps and holds the state of the program.

    The methods are described in :class:`esolangs.machine.Machine`.

    A new machine has a core at step 0; call ``begin`` or ``restore`` before any other method.
    """

    core: Any  # a Core with additional members for the language
    tier: Any = None  # a NativeTier, which runs instead of the core; see also `_watching_tier`
    core_seconds = 0.0  # seconds in the core before the machine got its tier
    _adds_tier = False  # whether the machine gets a tier after TIER_SECONDS
    _watching_tier: Any = None  # a NativeTier that leaves the stops of this run to the core
    _watching_tiers: dict[bool, tuple[frozenset[Address], Any]]  # the last ones, by ``scanning``
    _last_tier: Any = None  # the NativeTier that was run last

    def __init__(self, program: Program, core: Any, stdin: bytes, closed: bool, limits: Limits):
        self.program = program
        self.limits = limits
        self.core = core
        self._stdin = stdin  # from input byte number `_dropped` on
        self._dropped = 0
        self._printed: list[tuple[bytes, array[int]]] = []
        self._buffered_bytes = 0  # bytes in _printed
        self._reads: list[array[int]] = []
        self._status: Status = "running"
        self._reason = BUDGET
        self._has_last_step = False
        self._watched: tuple[StopSet, bool] | None = None
        self._filter: tuple[Filter, array[int]] | None = None
        self._watching_tiers = {}
        core.set_input(stdin, closed)

    def begin(self) -> None:
        """Choose between native tier and core; check if the program ends before its first step."""
        self.choose_tier()
        self._run_core(0)

    def choose_tier(self) -> None:
        """Use the native tier that ESOPLAY_TIER asks for, if the language has one.

        With ``auto``, the default, a machine gets a tier at once if the program had one before,
        otherwise in a long run, because importing it takes longer than most runs.  Raises
        OptionError for a value that cannot be used.
        """
        program: Any = self.program
        asked = os.environ.get("ESOPLAY_TIER") or "auto"
        if asked == "auto":
            if program.had_tier:
                self.tier = program.new_tier(self, "auto")
            else:
                self._adds_tier = True
        elif asked != "core":
            from esolangs.tier import chosen_tier

            self.tier = program.new_tier(self, chosen_tier())

    # Methods that a language implements.

    @abstractmethod
    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state of ``snapshot``; its output is not printed again."""

    @abstractmethod
    def _watch_core(self, stops: StopSet, scanning: bool) -> None:
        """Make the core watch for ``stops``, and reset its count of hits, the stops it reached.

        scanning: whether the core only counts the stops and runs on.
        """

    @abstractmethod
    def _make_fault(self, reason: int) -> Fault:
        """Return the fault for a reason that is specific to this language."""

    @abstractmethod
    def _recorded_step(self) -> Step | None:
        """Return the effects of the core's last step, which was executed as a single step."""

    def _handle_request(self, reason: int) -> bool:
        """Do what the core requests, such as adding memory; return False if nothing is requested.

        reason: why the core stopped.  A reason that is not a request is a fault of the program.
        """
        return False

    # Methods of the contract.

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
        return _LIMIT.get(self._reason, "steps")

    @property
    def fault(self) -> Fault | None:
        return self._make_fault(self._reason) if self._status == "faulted" else None

    @property
    def output_length(self) -> int:
        return self.core.printed

    @property
    def input_position(self) -> int:
        return self._dropped + self.core.input_position

    @property
    def last_step(self) -> Step | None:
        return self._recorded_step() if self._has_last_step else None

    def run(self, budget: int, stops: StopSet | None = None) -> Status:
        if self._status in FINAL:
            return self._status
        if stops is not None:
            self._watch(stops, scanning=False)
            self._watching_tier = self._choose_watching_tier(budget, stops, scanning=False)
        self._run_core(budget)
        if stops is not None:
            self._unwatch()
        self._has_last_step = self._status == "stopped"
        return self._status

    def scan(self, budget: int, stops: StopSet) -> Hits:
        from esolangs.stops import Hits

        if self._status in FINAL:
            return Hits()
        self._watch(stops, scanning=True)
        self._watching_tier = self._choose_watching_tier(budget, stops, scanning=True)
        self._run_core(budget)
        self._unwatch()
        self._has_last_step = False
        core = self.core
        return Hits(core.hits, core.first_hit, core.last_hit) if core.hits else Hits()

    def _choose_watching_tier(
        self, budget: int, stops: StopSet, *, scanning: bool
    ) -> NativeTier | None:
        """Return a tier for a long run that watches for locations; None if the core must run."""
        if budget < MIN_WATCHING_STEPS or self.tier is None:
            return None
        if not _has_only_locations(stops):
            return None
        known = self._watching_tiers.get(scanning)
        if known is None or known[0] != stops.locations:
            program: Any = self.program
            tier = program.new_watching_tier(self, stops.locations, scanning)
            known = self._watching_tiers[scanning] = stops.locations, tier
        return known[1]

    def tally(self, budget: int, tally: Tally) -> None:
        from esolangs.stops import StopSet
        from esolangs.tally import IndexedTally

        if not isinstance(tally, IndexedTally):
            super().tally(budget, tally)
        elif self._status not in FINAL:
            self._watch(StopSet(), scanning=True)
            self.core.begin_tally(tally.counts, tally.latest)
            self._run_core(budget)
            self._finish_tally(tally)

    def _finish_tally(self, tally: Tally) -> None:
        """Finish counting steps in ``tally``."""
        self.core.end_tally()
        self._unwatch()
        self._has_last_step = False
        tally.steps = self.steps

    def step(self) -> Step | None:
        step = super().step()
        if self._status == "stopped":
            self._run_core(0)
        return step

    def take_printed(self) -> tuple[bytes, array[int]]:
        self._flush()
        data = b"".join([some for some, _ in self._printed])
        steps = array("q", [0]) * len(data)  # at once: an array that grows is copied many times
        at = 0
        with memoryview(steps) as entries:
            for _, some in self._printed:
                entries[at : at + len(some)] = some
                at += len(some)
        self._printed.clear()
        self._buffered_bytes = 0
        return data, steps

    def take_output(self) -> bytes:
        self._flush()
        data = b"".join([some for some, _ in self._printed])
        self._printed.clear()
        self._buffered_bytes = 0
        return data

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
        consumed: int = self.core.input_position
        self._stdin = self._stdin[consumed:] + data
        self._dropped += consumed
        self.core.input_position = 0
        self.core.set_input(self._stdin, False)
        if data:
            self._stop_waiting()

    def close_input(self) -> None:
        self.core.set_input(self._stdin, True)
        self._stop_waiting()

    def _stop_waiting(self) -> None:
        if self._status == "needs_input":
            self._status = "running"

    def next_input(self) -> int | None:
        """Return the next byte of input, or None if none is available."""
        at: int = self.core.input_position
        return int(self._stdin[at]) if at < len(self._stdin) else None

    def copy(self) -> Self:
        """Return a copy of this machine, without pending output."""
        program: Any = self.program
        stdin = bytes(self._dropped) + self._stdin
        return program.resume(self.snapshot(), stdin, closed=self.core.closed, limits=self.limits)

    # Delegated to the language's inspector.

    def view(self, window: Window | None = None) -> View:
        return self.program.language.inspector().view(self, window)

    def leap(self, kind: LeapKind) -> Leap | None:
        return self.program.language.inspector().leap(self, kind)

    def copied_from(self, place: Address | Slot) -> Address | Slot | None:
        return self.program.language.inspector().copied_from(self, place)

    def printed_from(self) -> Address | Slot | None:
        return self.program.language.inspector().printed_from(self)

    def operand(self) -> Value | None:
        return self.program.language.inspector().operand(self)

    def part_origins(self, window: Window | None = None) -> tuple[PartOrigin, ...]:
        return self.program.language.inspector().part_origins(self, window)

    # Running the core.

    def _run_core(self, budget: int) -> None:
        """Run the core, serve its requests, and set the status from the reason for its stop."""
        core = self.core
        began: int = core.steps
        limit = min(began + budget, self.limits.steps)
        until = None if self.patience is None else monotonic() + self.patience
        while True:
            reason = self._execute(limit)
            if reason == FLUSH:
                self._flush()
                is_full = self._buffered_bytes >= MAX_BUFFERED_BYTES
                if until is not None and is_full and began < core.steps < limit:
                    reason = BUDGET
                    break
            elif reason == PAUSE:
                if until is not None and core.steps < limit and monotonic() > until:
                    reason = BUDGET
                    break
            elif reason in _STATUS or not self._handle_request(reason):
                break
        self._reason = reason
        self._status = _STATUS.get(reason, "faulted")
        if reason == BUDGET and core.steps >= self.limits.steps:
            self._status = "limited"

    def _execute(self, limit: int) -> int:
        """Run the native tier or the core up to step ``limit``; return the reason for its stop."""
        tier = self.tier if self._watched is None else self._watching_tier
        if tier is not None:
            if tier is not self._last_tier:
                if self._last_tier is not None:
                    self._last_tier.release()
                self._last_tier = tier
            return tier.run(limit)
        if self._adds_tier and limit - self.core.steps >= _MIN_TIMED_STEPS:
            if self._watched is None or _has_only_locations(self._watched[0]):
                return self._run_timed(limit)
        return self.core.run(limit)

    def _run_timed(self, limit: int) -> int:
        """Run the core, at most up to step ``limit``; return the reason for the stop.

        If the core has then run for ``TIER_SECONDS`` in total, create a native tier, if possible,
        for the steps that follow.  The reason is PAUSE if ``limit`` allows more steps than it ran.
        """
        core = self.core
        until = min(limit, core.steps + _MAX_TIMED_STEPS)
        began = perf_counter()
        reason = core.run(until)
        self.core_seconds += perf_counter() - began
        if self.core_seconds >= TIER_SECONDS:
            from esolangs.wasmtime_library import find_library

            self._adds_tier = False
            program: Any = self.program
            if find_library() is not None:
                self.tier = program.new_tier(self, "auto")
                program.had_tier = self.tier is not None
        return PAUSE if reason == BUDGET and until < limit else reason

    # For a native tier.

    def flush_core(self) -> None:
        """Move output and reads from the core's buffers to this machine before a tier adds more."""
        self._flush()

    def peek_input(self, count: int) -> bytes:
        """Return up to ``count`` of the next bytes of input."""
        at = self.core.input_position
        return self._stdin[at : at + count]

    @property
    def output_room(self) -> int:
        """The number of bytes that the output limit still allows."""
        return min(self.limits.output, UNLIMITED) - self.core.printed

    def accept_output(self, printed: bytes, steps: array[int], reads: array[int]) -> None:
        """Add the output of compiled code, and the bytes of input that it read.

        steps: the step of each printed byte.  reads: the step of each byte that was read.
        """
        core = self.core
        core.printed += len(printed)
        core.input_position += len(reads)
        if printed:
            self._printed.append((printed, steps))
            self._buffered_bytes += len(printed)
        if reads:
            self._reads.append(reads)

    def _flush(self) -> None:
        """Move printed bytes and records of input reads from the core to this machine."""
        printed = self.core.take_printed()
        if printed[0]:
            self._printed.append(printed)
            self._buffered_bytes += len(printed[0])
        reads = self.core.take_reads()
        if reads:
            self._reads.append(reads)

    def take_memory(self, machine: Machine) -> None:
        """Take over memory of ``machine``, so that the next call of ``restore`` is faster.

        Do not use ``machine`` afterwards: it may have lost its state, or be at step 0.
        """

    def _finish_restore(self, snapshot: Snapshot, input_position: int) -> None:
        """Finish a restore after a language has put the state of a snapshot into its core."""
        core = self.core
        core.steps, core.printed = snapshot.steps, snapshot.output_length
        core.input_position = input_position
        core.take_printed()
        core.take_reads()
        self._printed.clear()
        self._buffered_bytes = 0
        self._reads.clear()
        self._has_last_step = False
        self._update_status()

    def _update_status(self) -> None:
        """Determine the status again after something other than a step has changed the state.

        A machine that could not continue may be able to afterwards.
        """
        self._status = "running"
        self._run_core(0)

    def _watch(self, stops: StopSet, *, scanning: bool) -> None:
        self._watching_tier = None
        self._watched = stops, scanning
        self._watch_core(stops, scanning)
        if stops.filter is not None:
            self._set_filter(stops.filter)

    def _set_filter(self, filter: Filter) -> None:
        """Skip the stops for which ``filter`` evaluates to 0, until the next ``unwatch``."""
        if self._filter is None or self._filter[0] != filter:
            from esolangs.filters import checked_code

            names = self.program.filter_names()
            if names is None:
                return
            self._filter = filter, checked_code(filter, names)
        self.core.set_filter(self._filter[1])

    def _unwatch(self) -> None:
        self._watched = None
        self.core.unwatch()

    def _marks(
        self, locations: frozenset[Address], make: Callable[[frozenset[Address]], Marks]
    ) -> Marks:
        """Return ``make(locations)``, cached for large sets that were used recently."""
        from esolangs.stops import MIN_CACHED_LOCATIONS, MarksCache

        if len(locations) < MIN_CACHED_LOCATIONS:
            return make(locations)
        kept = self.program.marks_cache
        if kept is None:
            kept = self.program.marks_cache = MarksCache()
        return kept.get(locations, make)

    def _resume_watching(self) -> None:
        """Watch the same stops again after the core's memory has moved; keep the hits so far."""
        if self._watched is None:
            return
        core = self.core
        hits = core.hits, core.first_hit, core.last_hit
        self._watch_core(*self._watched)
        core.hits, core.first_hit, core.last_hit = hits


def _has_only_locations(stops: StopSet) -> bool:
    """Return whether all stops are at locations, and no filter leaves out some of them."""
    return bool(stops.locations) and stops == type(stops)(stops.locations)


class CoreProgram(Program):
    """Base of programs that run on a core, without random numbers and without a world.

    machine_class: called with this program, a core, the input, whether it is closed, and limits.
    """

    machine_class: type[CoreMachine]
    had_tier = False
    """Whether a long run of this program has used a native tier."""

    def new_core(self, limits: Limits) -> Any:
        """Return a core at step 0 under this program's options."""
        raise NotImplementedError("a language must define new_core or new_machine")

    def new_tier(self, machine: Any, mode: Tier) -> NativeTier | None:
        """Return the native tier of a machine; None if there is none."""
        return None

    def new_watching_tier(
        self, machine: Any, locations: frozenset[Address], scanning: bool
    ) -> NativeTier | None:
        """Return a native tier that stops at ``locations`` or, if ``scanning``, counts the stops.

        When scanning, the run continues after each counted stop.  Called only if the machine has a
        tier.  Return None if the core must run.
        """
        return None

    def new_machine(self, stdin: bytes, closed: bool, limits: Limits) -> CoreMachine:
        """Return a machine at step 0."""
        machine = self.machine_class(self, self.new_core(limits), stdin, closed, limits)
        machine.begin()
        return machine

    def start(
        self,
        stdin: bytes = b"",
        *,
        closed: bool = True,
        seed: int = 0,
        limits: Limits | None = None,
        world: World | None = None,
    ) -> CoreMachine:
        return self.new_machine(stdin, closed, limits or Limits())

    def resume(
        self,
        snapshot: Snapshot,
        stdin: bytes = b"",
        *,
        closed: bool = True,
        limits: Limits | None = None,
        world: World | None = None,
        instead_of: Machine | None = None,
    ) -> CoreMachine:
        machine = self.new_machine(stdin, closed, limits or Limits())
        if instead_of is not None:
            machine.take_memory(instead_of)
        machine.restore(snapshot)
        return machine


class Engine:
    """The modules of a language that exist in compiled and plain form.

    name: ``"compiled"`` or ``"plain"``.  ``ESOPLAY_EXT=off`` in the environment asks for plain.
    """

    name: str

    def __init__(self, module: str, **parts: str):
        """Import classes or functions (the parts), and set each as an attribute of this engine.

        module: the name of any module in the package that contains the parts.  parts: the name of
        each part, with the name of the plain module that defines it.
        """
        package = module.rpartition(".")[0]
        ending = "" if os.environ.get("ESOPLAY_EXT") == "off" else "_c"
        try:
            modules = [import_module(f"{package}.{name}{ending}") for name in parts.values()]
        except ImportError:
            ending = ""
            modules = [import_module(f"{package}.{name}") for name in parts.values()]
        self.name = "compiled" if ending else "plain"
        for part, source in zip(parts, modules, strict=True):
            setattr(self, part, getattr(source, part))

    if TYPE_CHECKING:

        def __getattr__(self, part: str) -> Any: ...
