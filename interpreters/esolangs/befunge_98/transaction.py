"""Transactions: the changes that a rare instruction makes to the core, all or none of them."""

from __future__ import annotations

from collections import deque

from esolangs.befunge_98.opcodes import (
    FAR_COST,
    FAULT,
    INVERT,
    MAX_COORDINATE,
    MOVE_WORK,
    NO_INSTRUCTION,
    QUEUE,
    REFLECT,
    REPEAT_COST,
    SIZE_WORK,
    STRING_WORK,
    WRITE_WORK,
)
from esolangs.befunge_98.states import cost
from esolangs.numbers import MAX_BITS
from esolangs.reasons import BUDGET, MEMORY_FULL, WORK_FULL

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from esolangs.befunge_98._core import IP, Core
    from esolangs.limits import World


MAX_BLOCK_CELLS = 1 << 20
"""Maximum number of cells or values in a block.

A larger block is treated as if it exceeded the memory limit: copying it would take seconds and
cannot be interrupted.
"""


FREE_VALUES = 4096
"""Number of values that an instruction may use without a charge for memory."""

_VALUE_COST = 64
"""Memory charged for each value after the first ``FREE_VALUES``, in bytes."""

_CELLS_PER_CHECK = 4096  # cells processed between two checks of the limits


class StepRefused(Exception):
    """A step that cannot be executed now.  reason: as returned by the core's ``run``."""

    def __init__(self, reason: int):
        self.reason = reason


class Transaction:
    """The changes of one instruction to the core, which take effect together or not at all.

    ip: the IP that executes it.  Values are integers of any size and are wrapped when they are
    stored.  Only changes of the stack and of saved states can be undone, so an instruction makes
    other changes after all checks.
    """

    def __init__(self, core: Core, ip: IP, world: World | None):
        self.core = core
        self.ip = ip
        self.world = world
        self._depth = ip.depth
        self._copy: deque[int] | None = None  # cells of the stack
        self._copied = False  # the copy has been changed
        self._overwritten: list[
            tuple[int, list[int]]
        ] = []  # place of the first cell, and the cells
        self._lowest = ip.depth  # of the cells that may have been overwritten
        self._replaced: list[tuple[dict[str, tuple[Any, int]], str, tuple[Any, int] | None]] = []
        self._held = 0  # number of values charged so far
        self._borrowed = 0  # bytes of temporary memory

    def begin(self) -> None:
        """Start the instruction; raise StepRefused if it exceeds a limit."""
        ip = self.ip
        if ip.modes & (INVERT | QUEUE):
            # Pops and pushes move all cells, so work on a copy.
            self.charge_values(ip.depth, SIZE_WORK)
            self._copy = deque(ip.buffer[: ip.depth])

    def pop(self) -> int:
        copy = self._copy
        if copy is None:
            return self.core.pop()
        if not copy:
            return 0
        self._copied = True
        return copy.popleft() if self.ip.modes & QUEUE else copy.pop()

    def drop(self, count: int) -> None:
        """Drop up to ``count`` values."""
        if self._copy is None:
            self.core.drop(count)
        else:
            for _ in range(min(count, len(self._copy))):
                self.pop()

    @property
    def depth(self) -> int:
        """Return the number of cells on the stack."""
        return self.ip.depth if self._copy is None else len(self._copy)

    def value_at(self, place: int) -> int:
        """Return a value of the stack; ``place`` 1 is the top, and below the bottom are zeros."""
        cells = self.ip.buffer if self._copy is None else self._copy
        return cells[self.depth - place] if 1 <= place <= self.depth else 0

    def values(self) -> Iterator[int]:
        """Yield all values of the stack, the lowest first."""
        if self._copy is not None:
            yield from self._copy
            return
        depth = self.ip.depth
        for first in range(0, depth, _CELLS_PER_CHECK):
            yield from self.ip.buffer[first : min(first + _CELLS_PER_CHECK, depth)]

    def push(self, value: int) -> None:
        """Push a value; raise StepRefused if memory does not suffice."""
        core = self.core
        bits = value.bit_length() if core.unbounded else 0
        copy = self._copy
        more = 1 if copy is None else len(copy) + 1 - self.ip.depth
        too_much = bits > MAX_BITS or (bits > 63 and core.used + bits // 8 + 32 > core.max_memory)
        if too_much or not core.reserve_room(more):
            raise StepRefused(MEMORY_FULL)
        if copy is not None:
            self._copied = True
            (copy.appendleft if self.ip.modes & INVERT else copy.append)(core.wrap(value))
            return
        depth = self.ip.depth
        if depth < self._lowest:
            self._overwritten.append((depth, list(self.ip.buffer[depth : self._lowest])))
            self._lowest = depth
        core.push(core.wrap(value))

    def load(self, name: str, *, shared: bool = False) -> Any:
        """Return the saved state of a fingerprint, or None.

        shared: whether the state belongs to all IPs, not only to the IP that executes the
        instruction.
        """
        return (self.core.states if shared else self.ip.states).get(name, (None, 0))[0]

    def save(self, name: str, value: Any, size: int | None = None, *, shared: bool = False) -> None:
        """Save an immutable state of a fingerprint; None deletes it.

        It is part of the snapshot and of replays; `t` copies states that are not shared. size:
        bytes by the cost model (default: 128 and the size of the value). Raises StepRefused if
        memory does not suffice.
        """
        states = self.core.states if shared else self.ip.states
        old = states.get(name)
        if size is None:
            size = 0 if value is None else REPEAT_COST + cost(value)
        if not self.core.charge(size - (old[1] if old else 0)):
            raise StepRefused(MEMORY_FULL)
        self._replaced.append((states, name, old))
        if value is None:
            states.pop(name, None)
        else:
            states[name] = value, size

    def finish(self) -> None:
        """Complete the instruction: write back a changed copy of the stack, release memory."""
        if self._copy is not None and self._copied:
            self.core.set_stack(list(self._copy))
        self.core.used -= self._borrowed

    def undo(self) -> None:
        """Restore the stack and the saved states as they were before the instruction."""
        for states, name, old in reversed(self._replaced):
            if old is None:
                states.pop(name, None)
            else:
                states[name] = old
        for first, cells in self._overwritten:
            for at, value in enumerate(cells, first):
                self.ip.buffer[at] = value
        self.ip.depth = self._depth

    def clock(self) -> int:
        """Return the run's clock in microseconds since 1970; each step advances it by one.

        Reading the clock changes the state, so that a waiting loop is not mistaken for an endless
        one.
        """
        self.save("clock", self.core.steps, 0, shared=True)
        started = 0 if self.world is None else self.world.started
        return started * 1_000_000 + self.core.steps

    def pop_vector(self) -> tuple[int, int]:
        y, x = self.pop(), self.pop()
        return x, y

    def push_vector(self, x: int, y: int) -> None:
        self.push(x)
        self.push(y)

    def pop_place(self) -> tuple[int, int]:
        """Pop a vector; return the point that it reaches from the storage offset."""
        x, y = self.pop_vector()
        return self.core.wrap(x + self.ip.ox), self.core.wrap(y + self.ip.oy)

    def pop_string(self) -> list[int]:
        """Pop a string that ends with 0, its first character on top."""
        size = self._string_length()
        self.charge_values(size, STRING_WORK)
        if self._copy is None:
            top = self.ip.depth
            values = list(self.ip.buffer[top - size : top])
            values.reverse()
            self.drop(size + 1)
        else:
            values = [self.pop() for _ in range(size)]
            self.pop()
        return values

    def _string_length(self) -> int:
        """Return the number of values above the topmost 0, or of all values if none is 0."""
        if self._copy is not None:
            cells = self._copy
            order = iter(cells) if self.ip.modes & QUEUE else reversed(cells)
            return next((at for at, value in enumerate(order) if value == 0), len(cells))
        top = last = self.ip.depth
        part = 64
        while last > 0:
            cells = self.ip.buffer[max(0, last - part) : last]
            if isinstance(cells, memoryview):
                cells = cells.tolist()
            if 0 in cells:
                cells.reverse()
                return top - last + cells.index(0)
            last -= len(cells)
            part = _CELLS_PER_CHECK
        return top

    def push_string(self, values: list[int]) -> None:
        self.charge_moves(len(values))
        self.push(0)
        for value in reversed(values):
            self.push(value)

    def get(self, x: int, y: int) -> int:
        _check_place(x, y)
        return self.core.get(self.core.wrap(x), self.core.wrap(y))

    def put(self, x: int, y: int, value: int) -> None:
        """Write a cell, for which ``reserve_memory`` must have been called before."""
        _check_place(x, y)
        wrap = self.core.wrap
        self.core.put(wrap(x), wrap(y), wrap(value))

    def count_outside(self, x: int, y: int, width: int = 1, height: int = 1) -> int:
        """Return how many cells of a block are outside the window; writing these uses memory."""
        core = self.core
        if core.torus:
            return 0
        columns = min(x + width, core.left + core.width) - max(x, core.left)
        rows = min(y + height, core.top + core.height) - max(y, core.top)
        return width * height - max(0, columns) * max(0, rows)

    def reserve_memory(self, outside_count: int, values: Iterable[int] = ()) -> None:
        """Reserve memory for cells to be written; raise StepRefused if it exceeds the memory limit.

        outside_count: number of those cells outside the window.  values: the new values of all
        cells.
        """
        core = self.core
        size = FAR_COST * outside_count
        if core.unbounded:
            size += sum(
                [value.bit_length() // 8 + 32 for value in values if not -5 <= value <= 256]
            )
        if not core.charge(size):
            raise StepRefused(MEMORY_FULL)
        core.used -= size
        core.reserved += size

    def charge_moves(self, cells: int, units: int = MOVE_WORK) -> None:
        """Charge the work on ``cells`` cells in advance; raise StepRefused at the limit.

        units: work per cell; see ``opcodes``.
        """
        if not self.core.add_cell_work(units * cells):
            raise StepRefused(WORK_FULL)

    def charge_writes(self, cells: int) -> None:
        """Charge the work of writing ``cells`` cells in advance."""
        self.charge_moves(cells, WRITE_WORK)

    def charge_values(self, cells: int, units: int = MOVE_WORK) -> None:
        """Charge work and memory for ``cells`` values that the instruction holds until it ends.

        units: work per value.
        """
        if cells > MAX_BLOCK_CELLS:
            raise StepRefused(MEMORY_FULL)
        self.charge_moves(cells, units)
        free = max(0, FREE_VALUES - self._held)
        self._held += cells
        if cells > free:
            size = _VALUE_COST * (cells - free)
            if not self.core.charge(size):
                raise StepRefused(MEMORY_FULL)
            self._borrowed += size

    def charge_work(self, charge: int) -> None:
        """Charge work in advance; raise StepRefused at the limit.

        charge: as computed by :mod:`esolangs.work`, 0 for numbers of at most 63 bits.
        """
        if charge and not self.core.add_work(charge):
            raise StepRefused(WORK_FULL)

    def reflect(self) -> None:
        self.core.reflect()

    def execute_unknown(self) -> None:
        """Execute an unknown instruction: reflect, do nothing, or fault, as the options require."""
        if self.core.unknown == FAULT:
            raise StepRefused(NO_INSTRUCTION)
        if self.core.unknown == REFLECT:
            self.reflect()

    def print(self, data: bytes) -> None:
        reason = self.core.print_bytes(data)
        if reason != BUDGET:
            raise StepRefused(reason)


def _check_place(x: int, y: int) -> None:
    if not (-MAX_COORDINATE < x < MAX_COORDINATE and -MAX_COORDINATE < y < MAX_COORDINATE):
        raise StepRefused(MEMORY_FULL)
