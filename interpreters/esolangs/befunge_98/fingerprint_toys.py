"""TOYS, the standard toys of Funge-98."""

from __future__ import annotations

from itertools import repeat
from typing import NamedTuple

from esolangs import work
from esolangs.befunge_98.opcodes import BLANK, FAR_COST, MAX_COORDINATE, MOVE_WORK, WRITE_WORK
from esolangs.befunge_98.transaction import MAX_BLOCK_CELLS, StepRefused, Transaction
from esolangs.numbers import MAX_BITS
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False


if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Semantics = Callable[[Transaction], None]

_DIRECTIONS = ((62, 1, 0), (60, -1, 0), (118, 0, 1), (94, 0, -1))


def _push_copies(transaction: Transaction) -> None:
    count, value = transaction.pop(), transaction.pop()
    if count < 0:
        transaction.reflect()
        return
    if count > MAX_BLOCK_CELLS:
        raise StepRefused(MEMORY_FULL)
    transaction.charge_moves(count)
    if not transaction.core.reserve_room(count):
        raise StepRefused(MEMORY_FULL)
    for _ in range(count):
        transaction.push(value)


def _butterfly(transaction: Transaction) -> None:
    b, a = transaction.pop(), transaction.pop()
    transaction.push(a + b)
    transaction.push(a - b)


class _Block(NamedTuple):
    width: int
    height: int

    @property
    def size(self) -> int:
        return self.width * self.height

    def cells(self, *, upward: bool = True) -> Iterator[tuple[int, int]]:
        """Yield the coordinates (x, y) row by row; ``upward``: ascending instead of descending.

        A list of all cells would need too much memory.
        """
        rows, columns = range(self.height), range(self.width)
        for y in rows if upward else reversed(rows):
            for x in columns if upward else reversed(columns):
                yield x, y


def _new_block(size: tuple[int, int]) -> _Block | None:
    """Return a block of this size, or None if the size is invalid."""
    width, height = size
    if width <= 0 or height <= 0:
        return None if width and height else _Block(0, 0)
    if width * height > MAX_BLOCK_CELLS:
        raise StepRefused(MEMORY_FULL)
    return _Block(width, height)


def _make_copy_letter(upward: bool, moving: bool) -> Semantics:
    """Return the function of C, K, M or V: copy or move a block, from its first or last cell on."""

    def run(transaction: Transaction) -> None:
        (to_x, to_y), size, (x, y) = (
            transaction.pop_place(),
            transaction.pop_vector(),
            transaction.pop_place(),
        )
        block = _new_block(size)
        if block is None:
            transaction.reflect()
            return
        transaction.charge_moves(block.size, MOVE_WORK + WRITE_WORK * (2 if moving else 1))
        outside = transaction.count_outside(to_x, to_y, *size) if block.size else 0
        values = (transaction.get(x + i, y + j) for i, j in block.cells())
        if abs(to_x - x) < block.width and abs(to_y - y) < block.height:
            # Source and target overlap, so one value may be copied repeatedly.
            largest = max(values, key=abs, default=0) if transaction.core.unbounded else 0
            values = repeat(largest, block.size)
        transaction.reserve_memory(outside, values)
        for i, j in block.cells(upward=upward):
            transaction.put(to_x + i, to_y + j, transaction.get(x + i, y + j))
            if moving:
                transaction.put(x + i, y + j, BLANK)

    return run


def _fold(start: int, compute: Callable[[int, int], int]) -> Semantics:
    """Return the function of an instruction that replaces all of TOSS with a sum or product."""

    def run(transaction: Transaction) -> None:
        core, total = transaction.core, start
        transaction.charge_moves(transaction.depth)
        for value in transaction.values():
            if total.bit_length() + value.bit_length() > MAX_BITS:
                raise StepRefused(MEMORY_FULL)
            transaction.charge_work(work.of_product(total, value) if core.unbounded else 0)
            total = core.wrap(compute(total, value))
        transaction.drop(transaction.depth)
        transaction.push(total)

    return run


def _matrix(transaction: Transaction) -> tuple[tuple[int, int], _Block]:
    corner, rows, columns = transaction.pop_place(), transaction.pop(), transaction.pop()
    return corner, _new_block((max(0, columns), max(0, rows))) or _Block(0, 0)


def _put_matrix(transaction: Transaction) -> None:
    (x, y), block = _matrix(transaction)
    transaction.charge_values(block.size)
    transaction.charge_writes(block.size)
    values = [transaction.pop() for _ in range(block.size)]
    transaction.reserve_memory(transaction.count_outside(x, y, block.width, block.height), values)
    for (i, j), value in zip(block.cells(), values, strict=True):
        transaction.put(x + i, y + j, value)


def _get_matrix(transaction: Transaction) -> None:
    (x, y), block = _matrix(transaction)
    transaction.charge_moves(2 * block.size)
    if not transaction.core.reserve_room(block.size):
        raise StepRefused(MEMORY_FULL)
    for i, j in block.cells(upward=False):
        transaction.push(transaction.get(x + i, y + j))


def _shift(transaction: Transaction) -> None:
    places, value = transaction.pop(), transaction.pop()
    if places <= 0:
        transaction.push(value >> min(-places, MAX_BITS + 1))
    elif not transaction.core.unbounded:
        transaction.push(value << places if places < 64 else 0)
    elif value and value.bit_length() + places > MAX_BITS:
        raise StepRefused(MEMORY_FULL)
    else:
        transaction.push(value << places if value else 0)


def _translate(axis: int) -> Semantics:
    """Return the function of J or O: move the IP's whole column or row by a popped distance."""

    def run(transaction: Transaction) -> None:
        ip, places = transaction.ip, transaction.pop()
        if not -MAX_COORDINATE < places < MAX_COORDINATE:
            raise StepRefused(MEMORY_FULL)
        room = (transaction.core.max_memory - transaction.core.used) // FAR_COST
        most = max(0, min(room, MAX_BLOCK_CELLS))
        cells = transaction.core.line(axis, ip.x if axis else ip.y, most)
        if len(cells) > most:
            raise StepRefused(MEMORY_FULL)
        transaction.charge_moves(len(cells), MOVE_WORK + 2 * WRITE_WORK)
        moved = [((x, y + places) if axis else (x + places, y), value) for x, y, value in cells]
        outside = sum(transaction.count_outside(*at) for at, _ in moved)
        transaction.reserve_memory(outside, [value for _, value in moved])
        for x, y, _ in cells:
            transaction.put(x, y, BLANK)
        for at, value in moved:
            transaction.put(*at, value)

    return run


def _get_side_cell(turn: int) -> Semantics:
    """Return the function of L or R: push the value of the cell to the left or right of the IP."""

    def run(transaction: Transaction) -> None:
        ip, wrap = transaction.ip, transaction.core.wrap
        x, y = transaction.core.after(ip.x, ip.y, wrap(-turn * ip.dy), wrap(turn * ip.dx))
        transaction.push(transaction.get(x, y))

    return run


def _put_back_cell(transaction: Transaction) -> None:
    ip, value = transaction.ip, transaction.pop()
    x, y = transaction.core.after(
        ip.x, ip.y, transaction.core.wrap(-ip.dx), transaction.core.wrap(-ip.dy)
    )
    transaction.reserve_memory(transaction.count_outside(x, y), (value,))
    transaction.put(x, y, value)


def _fill(transaction: Transaction) -> None:
    (x, y), size, value = transaction.pop_place(), transaction.pop_vector(), transaction.pop()
    block = _new_block(size)
    if block is None:
        transaction.reflect()
        return
    transaction.charge_writes(block.size)
    outside = transaction.count_outside(x, y, block.width, block.height)
    transaction.reserve_memory(outside, repeat(value, block.size))
    for i, j in block.cells():
        transaction.put(x + i, y + j, value)


def _branch(transaction: Transaction) -> None:
    axis, ip = transaction.pop(), transaction.ip
    if axis not in (0, 1):
        transaction.reflect()
        return
    way = -1 if transaction.pop() else 1
    ip.dx, ip.dy = (0, way) if axis else (way, 0)


def _tumbler(transaction: Transaction) -> None:
    """Execute ``?``, and replace the cell with the arrow of the chosen direction."""
    transaction.reserve_memory(transaction.count_outside(transaction.ip.x, transaction.ip.y))
    arrow, dx, dy = _DIRECTIONS[transaction.core.draw_random() >> 62]
    transaction.put(transaction.ip.x, transaction.ip.y, arrow)
    transaction.ip.dx, transaction.ip.dy = dx, dy


def _wait(transaction: Transaction) -> None:
    """Compare a cell to the popped value: if equal, continue; if less, wait; else reflect."""
    (x, y), value = transaction.pop_vector(), transaction.pop()
    there = transaction.get(x + transaction.ip.ox, y + transaction.ip.oy)
    if there < value:
        transaction.push(value)
        transaction.push_vector(x, y)
        transaction.core.ip_stays = True
    elif there > value:
        transaction.reflect()


def _step_x(transaction: Transaction) -> None:
    transaction.ip.x = transaction.core.wrap(transaction.ip.x + 1)


def _step_y(transaction: Transaction) -> None:
    transaction.ip.y = transaction.core.wrap(transaction.ip.y + 1)


TOYS: dict[str, Semantics] = {
    "A": _push_copies,
    "B": _butterfly,
    "C": _make_copy_letter(True, False),
    "D": lambda transaction: transaction.push(transaction.pop() - 1),
    "E": _fold(0, lambda a, b: a + b),
    "F": _put_matrix,
    "G": _get_matrix,
    "H": _shift,
    "I": lambda transaction: transaction.push(transaction.pop() + 1),
    "J": _translate(1),
    "K": _make_copy_letter(False, False),
    "L": _get_side_cell(-1),
    "M": _make_copy_letter(True, True),
    "N": lambda transaction: transaction.push(-transaction.pop()),
    "O": _translate(0),
    "P": _fold(1, lambda a, b: a * b),
    "Q": _put_back_cell,
    "R": _get_side_cell(1),
    "S": _fill,
    "T": _branch,
    "U": _tumbler,
    "V": _make_copy_letter(False, True),
    "W": _wait,
    "X": _step_x,
    "Y": _step_y,
    "Z": Transaction.reflect,
}
