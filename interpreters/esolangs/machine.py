"""The interface of a machine, which runs a program.

A machine is deterministic: program, input bytes, seed and limits give the same
steps, output and final state, whether it is run at once, in slices, step by
step, resumed from a snapshot, compiled or plain.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

TYPE_CHECKING = False  # importing `typing` takes longer than running a small program
if TYPE_CHECKING:
    from array import array
    from typing import Any, Literal

    from esolangs.errors import Fault
    from esolangs.stops import Address, Hits, Leap, ReachedGroups, Slot, Step, StopSet
    from esolangs.tally import Tally
    from esolangs.view import Drawing, LimitKind, PartOrigin, Status, Value, View, Window

    LeapKind = Literal["over", "out", "back_over", "back_out"]
else:
    Status = LimitKind = LeapKind = str  # so that annotations elsewhere can import them

FINAL = frozenset({"halted", "faulted", "limited"})
"""Statuses after which a machine cannot run again."""


class Part:
    """A part of a snapshot that other snapshots may share.

    size: approximate size in bytes, without other parts.  parts: the parts that it consists of.
    """

    __slots__ = ("parts", "size")

    def __init__(self, size: int, parts: tuple[Part, ...] = ()):
        self.size = size
        self.parts = parts


class Snapshot:
    """The whole state of a machine at one step: opaque, immutable, defined by the language.

    steps: the number of steps executed.  size: approximate size in bytes, without ``parts``.
    output_length: bytes printed so far; the bytes themselves are not part of it.
    parts: the memory that the snapshot may share with others.
    """

    __slots__ = ("output_length", "parts", "payload", "size", "steps")

    def __init__(
        self,
        steps: int,
        output_length: int,
        size: int,
        payload: Any,
        parts: tuple[Part, ...] = (),
    ):
        self.steps = steps
        self.output_length = output_length
        self.size = size
        self.payload = payload
        self.parts = parts


class Machine(ABC):
    """One run of one program.  ``run(n)`` equals ``n`` × ``step()`` in every respect.

    steps: steps executed so far.  status: see :data:`esolangs.view.Status`.
    fault: set when faulted. limit: the limit reached, when limited.
    output_length: bytes printed since step 0.  input_position: bytes read.
    memory: peak number of bytes in use, by the language's cost model.
    work: work on large numbers and many cells so far, in units of ``esolangs.work``.
    exit_code: the exit code that the program set, or None.
    patience: seconds after which ``run`` and ``scan`` may return early with status ``running``, so
    that the caller can stop a program whose steps take long.  They also return early when much
    output is pending.  None, the default: they never return early.
    """

    work: int = 0
    exit_code: int | None = None
    patience: float | None = None

    @property
    @abstractmethod
    def steps(self) -> int: ...

    @property
    @abstractmethod
    def status(self) -> Status: ...

    @property
    @abstractmethod
    def fault(self) -> Fault | None: ...

    @property
    @abstractmethod
    def limit(self) -> LimitKind | None: ...

    @property
    @abstractmethod
    def output_length(self) -> int: ...

    @property
    @abstractmethod
    def input_position(self) -> int: ...

    @property
    @abstractmethod
    def memory(self) -> int: ...

    @property
    @abstractmethod
    def location(self) -> Address:
        """Return the location of the next instruction: its source offset or point of fungespace."""

    @property
    @abstractmethod
    def last_step(self) -> Step | None:
        """Return the last step if ``step()`` executed it or ``run`` stopped after it, else None."""

    @abstractmethod
    def run(self, budget: int, stops: StopSet | None = None) -> Status:
        """Execute at most ``budget`` steps, or up to the first of ``stops`` that applies.

        At least one step is executed before a stop can apply, so that a run can continue from a
        stop.
        """

    @abstractmethod
    def scan(self, budget: int, stops: StopSet) -> Hits:
        """Execute at most ``budget`` steps without stopping and return the stops that were hit."""

    @abstractmethod
    def take_printed(self) -> tuple[bytes, array[int]]:
        """Return the bytes printed since the last call, and the step that printed each."""

    @abstractmethod
    def take_reads(self) -> array[int]:
        """Return the step of every input byte that was read since the last call."""

    @abstractmethod
    def feed(self, data: bytes) -> None:
        """Append bytes to open input.  A machine that was waiting for input can run again."""

    @abstractmethod
    def close_input(self) -> None:
        """Close the input: the next read past its end returns EOF.

        A machine that was waiting for input can run again.
        """

    @abstractmethod
    def snapshot(self) -> Snapshot: ...

    @abstractmethod
    def view(self, window: Window | None = None) -> View:
        """Return the state for display; ``window`` limits its size, however large the state."""

    def drawing(self) -> Drawing | None:
        """Return the whole drawing of the program, or None if it has drawn nothing."""
        return None

    @abstractmethod
    def peek(self, address: Address) -> int:
        """Return the value of a cell, by default 0; raise ValueError if the address is invalid."""

    @abstractmethod
    def poke(self, address: Address, value: int) -> None:
        """Change a cell.  Raise ValueError if the cell cannot store the value."""

    @abstractmethod
    def registers(self) -> dict[str, int]:
        """Return the registers: numbers with names, for breakpoint conditions."""

    @abstractmethod
    def leap(self, kind: LeapKind) -> Leap | None:
        """Return where a step over or out of a construct, such as a loop or call, stops, or None.

        over: the end of the construct that the next instruction begins. out: the exit of the
        innermost construct around this state. back_over: the start of the construct that the next
        instruction ends. back_out: the start of the innermost construct around this state.
        """

    @property
    def skips_instruction(self) -> bool:
        """Return whether the next step only skips an instruction whose condition is false.

        Always false unless :attr:`esolangs.language.Program.has_conditional_instructions` is set.
        """
        return False

    def operand(self) -> Value | None:
        """Return the value to which the next step applies a function; at the end, the final value.

        Return None if the operand has no value yet, or if values of the language are not functions.
        """
        return None

    def copied_from(self, place: Address | Slot) -> Address | Slot | None:
        """Return the place that the next step copies into ``place``; None if the value is computed.

        Call it only if the next step writes to ``place``.
        """
        return None

    def printed_from(self) -> Address | Slot | None:
        """Return the place of the value that the next step prints, or None.

        The step prints the value, or a part of it such as its lowest byte, as a character or a
        number.
        """
        return None

    def tally(self, budget: int, tally: Tally) -> None:
        """Execute at most ``budget`` steps and count each in ``tally`` at its location.

        This is as fast as a scan for a core that counts by itself.
        """
        began = self.steps
        while self.steps - began < budget:
            step = self.step()
            if step is None:
                break
            tally.add(step.location, step.number)
        tally.steps = self.steps

    def record_reached(self) -> bool:
        """Start recording the locations that the machine reaches; return False if unsupported."""
        return False

    def take_reached(self) -> ReachedGroups | None:
        """Return the locations reached since the last call of this method or ``record_reached``.

        The result includes the current location and may include locations that were not reached.
        Return None if the locations are unknown.
        """
        return None

    def reached_groups(self, locations: frozenset[Address], layout: tuple[int, ...]) -> int:
        """Return the groups that contain these locations, as bits like ``ReachedGroups.groups``.

        layout: parameters of the grouping, as in ``ReachedGroups``.  The result -1, in which all
        bits are set, means that the groups are unknown.
        """
        return -1

    def trace(self) -> bool:
        """Start recording the origins of the parts of terms; must be called at step 0.

        In a language without terms, return False and change nothing.  Tracing costs speed and
        memory and is not part of a snapshot.
        """
        return False

    def part_origins(self, window: Window | None = None) -> tuple[PartOrigin, ...]:
        """Return the origins of the parts of the term that ``view(window)`` shows.

        The term is a :class:`~esolangs.view.Term`.  Raise ValueError if the machine is not tracing.
        """
        raise ValueError(
            "this machine is not tracing: call trace() at step 0; only languages with terms trace"
        )

    def application_origin(self, step: int) -> PartOrigin | None:
        """Return where the application that ``step`` executed comes from; None if unknown.

        The application, a term of Unlambda, was made by an earlier step or is in the source.
        """
        return None

    def take_output(self) -> bytes:
        """Return the bytes printed since the last call."""
        return self.take_printed()[0]

    def step(self) -> Step | None:
        """Execute one step and return its effects, or None if no step could be executed."""
        before = self.steps
        self.run(1, _every_step())
        return self.last_step if self.steps > before else None


def _every_step() -> StopSet:
    from esolangs.stops import StopSet

    return StopSet(every=True)
