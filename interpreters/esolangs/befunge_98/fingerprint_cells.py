"""FRTH, INDV and JSTR: instructions that copy cells of the stack and of fungespace.

Source: the RC/Funge-98 documentation.
"""

from __future__ import annotations

from esolangs.befunge_98.transaction import BLOCK, StepRefused, Transaction
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]


# FRTH


def _over(step: Transaction) -> None:
    b, a = step.pop(), step.pop()
    for value in (a, b, a):
        step.push(value)


def _rotate(step: Transaction) -> None:
    c, b, a = step.pop(), step.pop(), step.pop()
    for value in (b, c, a):
        step.push(value)


def _pick(step: Transaction) -> None:
    down = step.pop()
    if down < 0:
        step.reflect()
    else:
        step.push(step.value_at(down + 1))


def _roll(step: Transaction) -> None:
    """Move a stack cell to the top; if the popped count is negative, move the top down.

    Values below the bottom of the stack are zeros.
    """
    count = step.pop()
    if abs(count) > BLOCK:
        raise StepRefused(MEMORY_FULL)
    step.charge_values(abs(count))
    step.charge_moves(abs(count))
    values = [step.pop() for _ in range(abs(count) + 1)] if count else []
    values = [values[-1], *values[:-1]] if count > 0 else [*values[1:], *values[:1]]
    for value in reversed(values):
        step.push(value)


FRTH: dict[str, Semantics] = {
    "D": lambda step: step.push(step.depth),
    "L": _roll,
    "O": _over,
    "P": _pick,
    "R": _rotate,
}


# INDV: a pointer is two cells side by side, y in the left one.


def _pop_pointer_target(step: Transaction) -> tuple[int, int]:
    """Pop the place of a pointer and return its target; both are relative to the storage offset."""
    x, y = step.place()
    to_y, to_x = step.get(x, y), step.get(x + 1, y)
    wrap = step.core.wrap
    return wrap(to_x + step.ip.ox), wrap(to_y + step.ip.oy)


def _indirect_get(step: Transaction) -> None:
    step.push(step.get(*_pop_pointer_target(step)))


def _indirect_put(step: Transaction) -> None:
    (x, y), value = _pop_pointer_target(step), step.pop()
    step.reserve_memory(step.outside(x, y), (value,))
    step.put(x, y, value)


def _indirect_get_vector(step: Transaction) -> None:
    x, y = _pop_pointer_target(step)
    step.push(step.get(x + 1, y))
    step.push(step.get(x, y))


def _indirect_put_vector(step: Transaction) -> None:
    (x, y), first, second = _pop_pointer_target(step), step.pop(), step.pop()
    step.reserve_memory(step.outside(x, y, 2), (first, second))
    step.put(x, y, first)
    step.put(x + 1, y, second)


INDV: dict[str, Semantics] = {
    "G": _indirect_get,
    "P": _indirect_put,
    "V": _indirect_get_vector,
    "W": _indirect_put_vector,
}


# JSTR


class _LazyLine:
    """A sequence of places that are computed on demand."""

    __slots__ = ("count", "dx", "dy", "x", "y")

    def __init__(self, count: int, x: int, y: int, dx: int, dy: int):
        self.count = count
        self.x, self.y, self.dx, self.dy = x, y, dx, dy

    def place(self, at: int) -> tuple[int, int]:
        return self.x + at * self.dx, self.y + at * self.dy

    def outside(self, step: Transaction) -> int:
        """Return an upper bound of the number of places outside the window: 0 or all places."""
        ends = self.place(0), self.place(self.count - 1)
        return self.count if any(step.outside(x, y) for x, y in ends) else 0


def _pop_line(step: Transaction) -> _LazyLine:
    """Pop a count, a place and a delta; return ``count`` places, none if the count is negative."""
    count, (x, y), (dx, dy) = step.pop(), step.place(), step.vector()
    if count > BLOCK:
        raise StepRefused(MEMORY_FULL)
    return _LazyLine(max(0, count), x, y, dx, dy)


def _get_line(step: Transaction) -> None:
    line = _pop_line(step)
    step.charge_moves(2 * line.count)
    if not step.core.room_for(line.count + 1):
        raise StepRefused(MEMORY_FULL)
    step.push(0)
    for at in range(line.count):
        step.push(step.get(*line.place(at)))


def _put_line(step: Transaction) -> None:
    line = _pop_line(step)
    step.charge_values(line.count)
    step.charge_writes(line.count)
    values = [step.pop() for _ in range(line.count)]
    step.reserve_memory(line.outside(step), values)
    for at, value in enumerate(values):
        step.put(*line.place(at), value)


JSTR: dict[str, Semantics] = {"G": _get_line, "P": _put_line}
