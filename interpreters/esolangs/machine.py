"""The contract of a running program.

A machine is deterministic: program, input bytes, seed and limits give the same
steps, output and final state, whether it is run at once, in slices, step by
step, resumed from a snapshot, compiled or plain.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

TYPE_CHECKING = False  # `typing` costs more to import than a small program to run
if TYPE_CHECKING:
    from array import array
    from typing import Any, Literal

    from esolangs.errors import Fault
    from esolangs.stops import Address, Hits, Leap, Slot, Step, StopSet
    from esolangs.tally import Tally
    from esolangs.view import Drawing, LimitKind, Made, Status, Value, View, Window

    LeapKind = Literal["over", "out", "back_over", "back_out"]
else:
    Status = LimitKind = LeapKind = str  # so that annotations elsewhere can import them

FINAL = frozenset({"halted", "faulted", "limited"})
"""Statuses that no further run can leave."""


class Snapshot:
    """A machine's whole state at one step: opaque, immutable, owned by the language.

    steps: the number of steps executed.  size: bytes it occupies, roughly.
    output_length: bytes printed so far; the bytes themselves are not part of it.
    """

    __slots__ = ("output_length", "payload", "size", "steps")

    def __init__(self, steps: int, output_length: int, size: int, payload: Any):
        self.steps = steps
        self.output_length = output_length
        self.size = size
        self.payload = payload


class Machine(ABC):
    """One run of one program.  ``run(n)`` equals ``n`` × ``step()`` in every respect.

    steps: steps executed so far.  status: see :data:`esolangs.view.Status`.
    fault: set when faulted.  limit: which limit, when limited.
    output_length: bytes printed since step 0.  input_position: bytes read.
    memory: bytes in use by the language's cost model, at its highest so far.
    work: done on large numbers and many cells, in units of ``esolangs.work``.
    exit_code: what the program asked its exit code to be, where a language has that.
    patience: seconds after which ``run`` and ``scan`` may come back with steps of their budget
    left, running; so that somebody who calls them again and again can stop a program whose
    steps take long.  They do the same when much output waits to be taken.  None, as it is at
    first: they never do.
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
        """What a location stop would name: the source offset of the next instruction."""

    @property
    @abstractmethod
    def last_step(self) -> Step | None:
        """The step executed last, when it was executed singly: by ``step()`` or a stopped run."""

    @abstractmethod
    def run(self, budget: int, stops: StopSet | None = None) -> Status:
        """Execute at most ``budget`` steps; with ``stops``, to the first that applies.

        At least one step is executed before a stop can apply, so that a run can
        leave the stop it stands on.
        """

    @abstractmethod
    def scan(self, budget: int, stops: StopSet) -> Hits:
        """Execute at most ``budget`` steps without stopping and return the stops that were hit."""

    @abstractmethod
    def take_printed(self) -> tuple[bytes, array[int]]:
        """The bytes printed since the last call, and for each the step that printed it."""

    @abstractmethod
    def take_reads(self) -> array[int]:
        """For every input byte read since the last call the step that read it."""

    @abstractmethod
    def feed(self, data: bytes) -> None:
        """Append bytes to open input.  With any, what waited for input is running again."""

    @abstractmethod
    def close_input(self) -> None:
        """Say that no more input will come: the next read past the end meets EOF.

        What waited for input is running again.
        """

    @abstractmethod
    def snapshot(self) -> Snapshot: ...

    @abstractmethod
    def view(self, window: Window | None = None) -> View:
        """What a person may look at, bounded by ``window`` however large the state is."""

    def drawing(self) -> Drawing | None:
        """What the program has drawn, with all lines; None if nothing."""
        return None

    @abstractmethod
    def peek(self, address: Address) -> int:
        """Return the value of a cell; 0 if never written.  ValueError for an invalid address."""

    @abstractmethod
    def poke(self, address: Address, value: int) -> None:
        """Change a cell, as a debugger's user asks.  ValueError if it cannot hold the value."""

    @abstractmethod
    def registers(self) -> dict[str, int]:
        """Named numbers of the state that breakpoint conditions may use, such as ``ptr``."""

    @abstractmethod
    def leap(self, kind: LeapKind) -> Leap | None:
        """Where to go to pass over, or get out of, what a person sees as one construct.

        over: the next instruction begins a construct (a loop, a call); where it is done.
        out: where the innermost construct around this state is left.
        back_over: the next instruction ends a construct; where that construct starts.
        back_out: where the innermost construct around this state starts.
        None when there is no such construct.
        """

    @property
    def passes_over(self) -> bool:
        """Whether the next step does nothing but pass over its instruction, whose condition fails.

        Only in programs that say so, see :attr:`esolangs.language.Program.passes_over`.
        """
        return False

    def operand(self) -> Value | None:
        """What the next step hands to a function; at the end, the value that is left.

        None if it has no value yet, or if the values of the language are not functions.
        """
        return None

    def copied_from(self, place: Address | Slot) -> Address | Slot | None:
        """What the next step copies into ``place``, unchanged; None when it computes the value.

        Only asked where the next step writes to ``place``.
        """
        return None

    def printed_from(self) -> Address | Slot | None:
        """The place of the value that the next step prints; None when it prints no such value.

        The step prints the value as a character or as a number, or a part of it, such as its lowest
        byte.
        """
        return None

    def tally(self, budget: int, tally: Tally) -> None:
        """Execute at most ``budget`` steps and count each in ``tally``, where it was executed.

        A language whose core counts for itself is as fast here as when it scans.
        """
        began = self.steps
        while self.steps - began < budget:
            step = self.step()
            if step is None:
                break
            tally.add(step.location, step.number)
        tally.steps = self.steps

    def trace(self) -> bool:
        """Remember from here, which must be step 0, what makes the parts of terms.

        False, and nothing changes, in a language that has none.  It costs speed and memory,
        and a snapshot does not keep it.
        """
        return False

    def parts_made(self, window: Window | None = None) -> tuple[Made, ...]:
        """What made each part of the :class:`~esolangs.view.Term` that such a view shows.

        ValueError of a machine that does not trace.
        """
        raise ValueError("this machine does not trace")

    def application_made(self, step: int) -> Made | None:
        """What made the application that ``step`` executed, while a machine that traces knows."""
        return None

    def take_output(self) -> bytes:
        """The bytes printed since the last call."""
        return self.take_printed()[0]

    def step(self) -> Step | None:
        """Execute one step and return what it did; None when none could be executed."""
        before = self.steps
        self.run(1, _every_step())
        return self.last_step if self.steps > before else None


def _every_step() -> StopSet:
    from esolangs.stops import StopSet

    return StopSet(every=True)
