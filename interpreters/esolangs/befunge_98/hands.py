"""What a rare instruction may do to the core: all of it, or nothing."""

from __future__ import annotations

from esolangs.befunge_98.opcodes import FAR, FAULT, NO_INSTRUCTION, REFLECT
from esolangs.numbers import MOST_BITS
from esolangs.reasons import BUDGET, MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from esolangs.befunge_98._core import IP, Core
    from esolangs.limits import World

BLOCK = 1 << 20
"""A block of more cells counts as too much memory: to copy it would take seconds in which
nobody could interrupt it."""


class Refused(Exception):
    """The step cannot be executed now.  reason: as the core's ``run`` gives it."""

    def __init__(self, reason: int):
        self.reason = reason


class Hands:
    """What an instruction does to the core, all or nothing.

    ip: the pointer that executes it.  Values are whole numbers of any size and are wrapped
    when they are stored.
    """

    def __init__(self, core: Core, ip: IP, world: World | None):
        self.core = core
        self.ip = ip
        self.world = world
        self._depth = ip.depth
        self._overwritten: list[tuple[int, int]] = []

    def pop(self) -> int:
        return self.core.pop()

    def push(self, value: int) -> None:
        """Raises Refused where memory does not suffice."""
        core = self.core
        bits = value.bit_length() if core.unbounded else 0
        too_much = bits > MOST_BITS or (bits > 63 and core.used + bits // 8 + 32 > core.most_memory)
        if too_much or not core.room_for(1):
            raise Refused(MEMORY_FULL)
        if self.ip.depth < self._depth:
            self._overwritten.append((self.ip.depth, self.ip.buffer[self.ip.depth]))
        core.push(core.wrap(value))

    def undo(self) -> None:
        """Give the stack back what was taken from it; what was popped still stands there."""
        for at, value in reversed(self._overwritten):
            self.ip.buffer[at] = value
        self.ip.depth = self._depth

    def vector(self) -> tuple[int, int]:
        y, x = self.pop(), self.pop()
        return x, y

    def push_vector(self, x: int, y: int) -> None:
        self.push(x)
        self.push(y)

    def place(self) -> tuple[int, int]:
        """A vector from the stack, seen from the storage offset."""
        x, y = self.vector()
        return self.core.wrap(x + self.ip.ox), self.core.wrap(y + self.ip.oy)

    def string(self) -> list[int]:
        """A string that ends with 0, its first character uppermost."""
        values: list[int] = []
        while value := self.pop():
            values.append(value)
        return values

    def push_string(self, values: list[int]) -> None:
        self.push(0)
        for value in reversed(values):
            self.push(value)

    def get(self, x: int, y: int) -> int:
        return self.core.get(self.core.wrap(x), self.core.wrap(y))

    def put(self, x: int, y: int, value: int) -> None:
        """``afford`` must have been asked for before."""
        wrap = self.core.wrap
        self.core.put(wrap(x), wrap(y), wrap(value))

    def afford(self, cells: int, values: Iterable[int] = ()) -> None:
        """Raises Refused unless so many cells, and the bytes of these values, can be written."""
        self.core.effort += cells
        size = FAR * cells
        if self.core.unbounded:
            size += sum(
                [value.bit_length() // 8 + 32 for value in values if not -5 <= value <= 256]
            )
        if cells > BLOCK or self.core.used + size > self.core.most_memory:
            raise Refused(MEMORY_FULL)

    def reflect(self) -> None:
        self.core.reflect()

    def unknown(self) -> None:
        """What an instruction does that does not exist here."""
        if self.core.unknown == FAULT:
            raise Refused(NO_INSTRUCTION)
        if self.core.unknown == REFLECT:
            self.reflect()

    def print(self, data: bytes) -> None:
        reason = self.core.print_bytes(data)
        if reason != BUDGET:
            raise Refused(reason)
