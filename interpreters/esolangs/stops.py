"""The stops that an engine checks at full speed, and the effects of a step.

Breakpoints and watchpoints with any conditions are lowered to a :class:`StopSet`.  The engine stops
where one of them *may* apply, and the timeline decides whether it does.

Stop number ``n`` concerns the state after ``n`` steps: a location stop applies if the next
instruction is at that location, an effect stop if step ``n`` had that effect.  So the stops of a
recording are the same in both directions.
"""

from __future__ import annotations

from typing import NamedTuple

from esolangs.filters import Filter
from esolangs.source import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Marks = TypeVar("Marks")

Address = int | tuple[int, ...]
"""The address of a cell: a tape or heap index, or a point of fungespace."""

NOTHING: frozenset[Address] = frozenset()


class Slot(NamedTuple):
    """A place on a stack.

    stack: the ``key`` of the stack's panel.  level: counted from 0 at the bottom.
    """

    stack: int
    level: int


class StopSet(NamedTuple):
    """The conditions for a stop that an engine can check while it runs at full speed.

    locations: source offsets (or points of fungespace) to stop before.
    writes: cells; stop after a step that wrote to one, even if the value did not change.
    output_index: stop after the step that printed the byte of this index (from 0).
    output_values: stop after a step that printed one of these byte values.
    slots: places on stacks; stop after a step that wrote to one, even if the value did not change.
    inputs: stop after a step that read input or reached its end.
    every: stop after every step, for conditions on the whole state.
    filter: leave out stops at which this is zero, if the engine can evaluate it.
    """

    locations: frozenset[Address] = NOTHING
    writes: frozenset[Address] = NOTHING
    slots: frozenset[Slot] = frozenset()
    output_index: int | None = None
    output_values: frozenset[int] = frozenset()
    inputs: bool = False
    every: bool = False
    filter: Filter | None = None


class Hits(NamedTuple):
    """The stops of one scan: their number, and the first and last step."""

    total: int = 0
    first: int | None = None
    last: int | None = None


class ReachedGroups(NamedTuple):
    """The locations that a run may have reached, as a set of groups of locations.

    groups: one bit for each group.  layout: parameters of the grouping; results with different
    layouts cannot be compared.
    """

    layout: tuple[int, ...]
    groups: int

    @property
    def size(self) -> int:
        """The approximate size of this object in memory, in bytes."""
        return self.groups.bit_length() // 8 + 300


class Leap(NamedTuple):
    """Where a step over or out of a construct ends: ``extra`` steps after the nearest stop.

    Without such a stop, it ends where the run ends or needs input; backwards, at step 0.
    """

    stops: StopSet
    extra: int = 0


class Write(NamedTuple):
    """A write to a cell, which may leave its value unchanged."""

    address: Address
    old: int
    new: int


class Step(NamedTuple):
    """The effects of one step; built only for callers of ``step``.

    number: number of the step from 1, which is ``steps`` of the machine after it.
    span: source bytes of the instruction.  location: the instruction, as in ``StopSet.locations``.
    writes: cells written.  pushes: places on stacks that got a value.  printed: bytes
    printed.  read: bytes of input read; None if the step did not read, empty at the end of input.
    """

    number: int
    span: Span
    location: Address
    writes: tuple[Write, ...] = ()
    printed: bytes = b""
    read: bytes | None = None
    pushes: tuple[Slot, ...] = ()


MIN_CACHED_LOCATIONS = 64
"""Minimum number of locations in a set whose marks are cached (see ``MarksCache``)."""

_CACHED_SETS = 8  # number of sets in the cache


class MarksCache:
    """A cache of the marks by which cores stop at locations, one entry for each set of locations.

    Sets are compared by identity.

    A debugger that steps over large parts of a program reuses a few sets, also on new machines, and
    each set is nearly as large as the program.
    """

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: tuple[tuple[frozenset[Address], object], ...] = ()

    def get(
        self,
        locations: frozenset[Address],
        make: Callable[[frozenset[Address]], Marks],
    ) -> Marks:
        """Return ``make(locations)``, cached; the result must not be changed."""
        for known, marks in self._entries:
            if known is locations:
                return marks  # pyright: ignore[reportReturnType]
        made = make(locations)
        self._entries = ((locations, made), *self._entries[: _CACHED_SETS - 1])
        return made
