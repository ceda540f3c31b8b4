"""TOYS, the standard toys of Funge-98."""

from __future__ import annotations

from itertools import repeat
from typing import NamedTuple

from esolangs.befunge_98.opcodes import BLANK, FAR, FARTHEST, MOVED, WRITTEN
from esolangs.befunge_98.transaction import BLOCK, StepRefused, Transaction
from esolangs.numbers import MOST_BITS
from esolangs.reasons import MEMORY_FULL
from esolangs.work import of_product

TYPE_CHECKING = False


if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Semantics = Callable[[Transaction], None]

_DIRECTIONS = ((62, 1, 0), (60, -1, 0), (118, 0, 1), (94, 0, -1))


def _gable(step: Transaction) -> None:
    count, value = step.pop(), step.pop()
    if count < 0:
        step.reflect()
        return
    if count > BLOCK:
        raise StepRefused(MEMORY_FULL)
    step.charge_moves(count)
    if not step.core.room_for(count):
        raise StepRefused(MEMORY_FULL)
    for _ in range(count):
        step.push(value)


def _butterfly(step: Transaction) -> None:
    b, a = step.pop(), step.pop()
    step.push(a + b)
    step.push(a - b)


class _Block(NamedTuple):
    width: int
    height: int

    @property
    def size(self) -> int:
        return self.width * self.height

    def cells(self, *, upwards: bool = True) -> Iterator[tuple[int, int]]:
        """Yield the cells row by row; a list would need more memory than the values."""
        rows, columns = range(self.height), range(self.width)
        for y in rows if upwards else reversed(rows):
            for x in columns if upwards else reversed(columns):
                yield x, y


def _new_block(size: tuple[int, int]) -> _Block | None:
    """Return a block of this size, or None if the size is invalid."""
    width, height = size
    if width <= 0 or height <= 0:
        return None if width and height else _Block(0, 0)
    if width * height > BLOCK:
        raise StepRefused(MEMORY_FULL)
    return _Block(width, height)


def _copy(upwards: bool, moving: bool) -> Semantics:
    """Make C, K, M and V: copy or move a block, starting from its lowest or highest cell."""

    def run(step: Transaction) -> None:
        (to_x, to_y), size, (x, y) = step.place(), step.vector(), step.place()
        block = _new_block(size)
        if block is None:
            step.reflect()
            return
        step.charge_moves(block.size, MOVED + WRITTEN * (2 if moving else 1))
        outside = step.outside(to_x, to_y, *size) if block.size else 0
        values = (step.get(x + i, y + j) for i, j in block.cells())
        if abs(to_x - x) < block.width and abs(to_y - y) < block.height:
            # They overlap, so that one of the values may be copied again and again.
            largest = max(values, key=abs, default=0) if step.core.unbounded else 0
            values = repeat(largest, block.size)
        step.reserve_memory(outside, values)
        for i, j in block.cells(upwards=upwards):
            step.put(to_x + i, to_y + j, step.get(x + i, y + j))
            if moving:
                step.put(x + i, y + j, BLANK)

    return run


def _fold(start: int, compute: Callable[[int, int], int]) -> Semantics:
    """Make E and P: the sum or product of the values of TOSS."""

    def run(step: Transaction) -> None:
        core, total = step.core, start
        step.charge_moves(step.depth)
        for value in step.values():
            if total.bit_length() + value.bit_length() > MOST_BITS:
                raise StepRefused(MEMORY_FULL)
            step.charge_work(of_product(total, value) if core.unbounded else 0)
            total = core.wrap(compute(total, value))
        step.drop(step.depth)
        step.push(total)

    return run


def _matrix(step: Transaction) -> tuple[tuple[int, int], _Block]:
    corner, rows, columns = step.place(), step.pop(), step.pop()
    return corner, _new_block((max(0, columns), max(0, rows))) or _Block(0, 0)


def _put_matrix(step: Transaction) -> None:
    (x, y), block = _matrix(step)
    step.charge_values(block.size)
    step.charge_writes(block.size)
    values = [step.pop() for _ in range(block.size)]
    step.reserve_memory(step.outside(x, y, block.width, block.height), values)
    for (i, j), value in zip(block.cells(), values, strict=True):
        step.put(x + i, y + j, value)


def _get_matrix(step: Transaction) -> None:
    (x, y), block = _matrix(step)
    step.charge_moves(2 * block.size)
    if not step.core.room_for(block.size):
        raise StepRefused(MEMORY_FULL)
    for i, j in block.cells(upwards=False):
        step.push(step.get(x + i, y + j))


def _shift(step: Transaction) -> None:
    places, value = step.pop(), step.pop()
    if places <= 0:
        step.push(value >> min(-places, MOST_BITS + 1))
    elif not step.core.unbounded:
        step.push(value << places if places < 64 else 0)
    elif value and value.bit_length() + places > MOST_BITS:
        raise StepRefused(MEMORY_FULL)
    else:
        step.push(value << places if value else 0)


def _translate(axis: int) -> Semantics:
    """Make J and O: move the whole column or row of the IP."""

    def run(step: Transaction) -> None:
        ip, places = step.ip, step.pop()
        if not -FARTHEST < places < FARTHEST:
            raise StepRefused(MEMORY_FULL)
        room = (step.core.most_memory - step.core.used) // FAR
        most = max(0, min(room, BLOCK))
        cells = step.core.line(axis, ip.x if axis else ip.y, most)
        if len(cells) > most:
            raise StepRefused(MEMORY_FULL)
        step.charge_moves(len(cells), MOVED + 2 * WRITTEN)
        moved = [((x, y + places) if axis else (x + places, y), value) for x, y, value in cells]
        outside = sum(step.outside(*at) for at, _ in moved)
        step.reserve_memory(outside, [value for _, value in moved])
        for x, y, _ in cells:
            step.put(x, y, BLANK)
        for at, value in moved:
            step.put(*at, value)

    return run


def _get_beside(turn: int) -> Semantics:
    """Make L and R: get the cell to the left or right of the IP."""

    def run(step: Transaction) -> None:
        ip, wrap = step.ip, step.core.wrap
        x, y = step.core.after(ip.x, ip.y, wrap(-turn * ip.dy), wrap(turn * ip.dx))
        step.push(step.get(x, y))

    return run


def _put_behind(step: Transaction) -> None:
    ip, value = step.ip, step.pop()
    x, y = step.core.after(ip.x, ip.y, step.core.wrap(-ip.dx), step.core.wrap(-ip.dy))
    step.reserve_memory(step.outside(x, y), (value,))
    step.put(x, y, value)


def _fill(step: Transaction) -> None:
    (x, y), size, value = step.place(), step.vector(), step.pop()
    block = _new_block(size)
    if block is None:
        step.reflect()
        return
    step.charge_writes(block.size)
    outside = step.outside(x, y, block.width, block.height)
    step.reserve_memory(outside, repeat(value, block.size))
    for i, j in block.cells():
        step.put(x + i, y + j, value)


def _branch(step: Transaction) -> None:
    axis, ip = step.pop(), step.ip
    if axis not in (0, 1):
        step.reflect()
        return
    way = -1 if step.pop() else 1
    ip.dx, ip.dy = (0, way) if axis else (way, 0)


def _tumbler(step: Transaction) -> None:
    """Execute ``?``, and replace the cell with the arrow of the chosen direction."""
    step.reserve_memory(step.outside(step.ip.x, step.ip.y))
    arrow, dx, dy = _DIRECTIONS[step.core.draw() >> 62]
    step.put(step.ip.x, step.ip.y, arrow)
    step.ip.dx, step.ip.dy = dx, dy


def _wait(step: Transaction) -> None:
    """Wait for a cell to have a value: continue, try again, or reflect if the cell's is greater."""
    (x, y), value = step.vector(), step.pop()
    there = step.get(x + step.ip.ox, y + step.ip.oy)
    if there < value:
        step.push(value)
        step.push_vector(x, y)
        step.core.stay = True
    elif there > value:
        step.reflect()


def _step_x(step: Transaction) -> None:
    step.ip.x = step.core.wrap(step.ip.x + 1)


def _step_y(step: Transaction) -> None:
    step.ip.y = step.core.wrap(step.ip.y + 1)


TOYS: dict[str, Semantics] = {
    "A": _gable,
    "B": _butterfly,
    "C": _copy(True, False),
    "D": lambda step: step.push(step.pop() - 1),
    "E": _fold(0, lambda a, b: a + b),
    "F": _put_matrix,
    "G": _get_matrix,
    "H": _shift,
    "I": lambda step: step.push(step.pop() + 1),
    "J": _translate(1),
    "K": _copy(False, False),
    "L": _get_beside(-1),
    "M": _copy(True, True),
    "N": lambda step: step.push(-step.pop()),
    "O": _translate(0),
    "P": _fold(1, lambda a, b: a * b),
    "Q": _put_behind,
    "R": _get_beside(1),
    "S": _fill,
    "T": _branch,
    "U": _tumbler,
    "V": _copy(False, True),
    "W": _wait,
    "X": _step_x,
    "Y": _step_y,
    "Z": Transaction.reflect,
}
