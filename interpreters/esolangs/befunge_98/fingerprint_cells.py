"""FRTH, INDV and JSTR: instructions that copy cells of the stack and of fungespace.

Source: the RC/Funge-98 documentation.
"""

from __future__ import annotations

from esolangs.befunge_98.transaction import MAX_BLOCK_CELLS, StepRefused, Transaction
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]


# FRTH


def _over(transaction: Transaction) -> None:
    b, a = transaction.pop(), transaction.pop()
    for value in (a, b, a):
        transaction.push(value)


def _rotate(transaction: Transaction) -> None:
    c, b, a = transaction.pop(), transaction.pop(), transaction.pop()
    for value in (b, c, a):
        transaction.push(value)


def _pick(transaction: Transaction) -> None:
    down = transaction.pop()
    if down < 0:
        transaction.reflect()
    else:
        transaction.push(transaction.value_at(down + 1))


def _roll(transaction: Transaction) -> None:
    """Move a stack cell to the top; if the popped count is negative, move the top down.

    Values below the bottom of the stack are zeros.
    """
    count = transaction.pop()
    if abs(count) > MAX_BLOCK_CELLS:
        raise StepRefused(MEMORY_FULL)
    transaction.charge_values(abs(count))
    transaction.charge_moves(abs(count))
    values = [transaction.pop() for _ in range(abs(count) + 1)] if count else []
    values = [values[-1], *values[:-1]] if count > 0 else [*values[1:], *values[:1]]
    for value in reversed(values):
        transaction.push(value)


FRTH: dict[str, Semantics] = {
    "D": lambda transaction: transaction.push(transaction.depth),
    "L": _roll,
    "O": _over,
    "P": _pick,
    "R": _rotate,
}


# INDV: a pointer is two cells side by side, y in the left one.


def _pop_pointer_target(transaction: Transaction) -> tuple[int, int]:
    """Pop the position of a pointer, and return the position of the cell to which it points.

    The popped position and the stored one are relative to the storage offset; the result is not.
    """
    x, y = transaction.pop_place()
    to_y, to_x = transaction.get(x, y), transaction.get(x + 1, y)
    wrap = transaction.core.wrap
    return wrap(to_x + transaction.ip.ox), wrap(to_y + transaction.ip.oy)


def _indirect_get(transaction: Transaction) -> None:
    transaction.push(transaction.get(*_pop_pointer_target(transaction)))


def _indirect_put(transaction: Transaction) -> None:
    (x, y), value = _pop_pointer_target(transaction), transaction.pop()
    transaction.reserve_memory(transaction.count_outside(x, y), (value,))
    transaction.put(x, y, value)


def _indirect_get_vector(transaction: Transaction) -> None:
    x, y = _pop_pointer_target(transaction)
    transaction.push(transaction.get(x + 1, y))
    transaction.push(transaction.get(x, y))


def _indirect_put_vector(transaction: Transaction) -> None:
    (x, y), first, second = _pop_pointer_target(transaction), transaction.pop(), transaction.pop()
    transaction.reserve_memory(transaction.count_outside(x, y, 2), (first, second))
    transaction.put(x, y, first)
    transaction.put(x + 1, y, second)


INDV: dict[str, Semantics] = {
    "G": _indirect_get,
    "P": _indirect_put,
    "V": _indirect_get_vector,
    "W": _indirect_put_vector,
}


# JSTR


class _LazyLine:
    """The positions of ``count`` cells at equal distances, each computed when it is needed."""

    __slots__ = ("count", "dx", "dy", "x", "y")

    def __init__(self, count: int, x: int, y: int, dx: int, dy: int):
        self.count = count
        self.x, self.y, self.dx, self.dy = x, y, dx, dy

    def place(self, index: int) -> tuple[int, int]:
        return self.x + index * self.dx, self.y + index * self.dy

    def count_outside(self, transaction: Transaction) -> int:
        """Return ``count`` if an end of the line is outside the window, else 0.

        This is an upper bound of the number of cells outside the window.
        """
        ends = self.place(0), self.place(self.count - 1)
        return self.count if any(transaction.count_outside(x, y) for x, y in ends) else 0


def _pop_line(transaction: Transaction) -> _LazyLine:
    """Pop a count, a position and a delta; return the line of cells, empty for a negative count."""
    count, (x, y), (dx, dy) = transaction.pop(), transaction.pop_place(), transaction.pop_vector()
    if count > MAX_BLOCK_CELLS:
        raise StepRefused(MEMORY_FULL)
    return _LazyLine(max(0, count), x, y, dx, dy)


def _get_line(transaction: Transaction) -> None:
    line = _pop_line(transaction)
    transaction.charge_moves(2 * line.count)
    if not transaction.core.reserve_room(line.count + 1):
        raise StepRefused(MEMORY_FULL)
    transaction.push(0)
    for at in range(line.count):
        transaction.push(transaction.get(*line.place(at)))


def _put_line(transaction: Transaction) -> None:
    line = _pop_line(transaction)
    transaction.charge_values(line.count)
    transaction.charge_writes(line.count)
    values = [transaction.pop() for _ in range(line.count)]
    transaction.reserve_memory(line.count_outside(transaction), values)
    for at, value in enumerate(values):
        transaction.put(*line.place(at), value)


JSTR: dict[str, Semantics] = {"G": _get_line, "P": _put_line}
