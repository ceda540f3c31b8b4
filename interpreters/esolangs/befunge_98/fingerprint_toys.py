"""TOYS, the standard toys of Funge-98."""

from __future__ import annotations

from itertools import repeat
from typing import NamedTuple

from esolangs.befunge_98.hands import BLOCK, Hands, Refused
from esolangs.befunge_98.opcodes import BLANK, FAR, FARTHEST, MOVED, WRITTEN
from esolangs.numbers import MOST_BITS
from esolangs.reasons import MEMORY_FULL
from esolangs.work import of_product

TYPE_CHECKING = False


if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Semantics = Callable[[Hands], None]

_DIRECTIONS = ((62, 1, 0), (60, -1, 0), (118, 0, 1), (94, 0, -1))


def _gable(hands: Hands) -> None:
    count, value = hands.pop(), hands.pop()
    if count < 0:
        hands.reflect()
        return
    if count > BLOCK:
        raise Refused(MEMORY_FULL)
    hands.move(count)
    if not hands.core.room_for(count):
        raise Refused(MEMORY_FULL)
    for _ in range(count):
        hands.push(value)


def _butterfly(hands: Hands) -> None:
    b, a = hands.pop(), hands.pop()
    hands.push(a + b)
    hands.push(a - b)


class _Block(NamedTuple):
    width: int
    height: int

    @property
    def size(self) -> int:
        return self.width * self.height

    def cells(self, *, upwards: bool = True) -> Iterator[tuple[int, int]]:
        """Row by row.  Not as a list, which would take more memory than what is in them."""
        rows, columns = range(self.height), range(self.width)
        for y in rows if upwards else reversed(rows):
            for x in columns if upwards else reversed(columns):
                yield x, y


def _block(size: tuple[int, int]) -> _Block | None:
    """None if its size is invalid."""
    width, height = size
    if width <= 0 or height <= 0:
        return None if width and height else _Block(0, 0)
    if width * height > BLOCK:
        raise Refused(MEMORY_FULL)
    return _Block(width, height)


def _copy(upwards: bool, moving: bool) -> Semantics:
    """C, K, M and V: from the least cell on, or from the greatest."""

    def run(hands: Hands) -> None:
        (to_x, to_y), size, (x, y) = hands.place(), hands.vector(), hands.place()
        block = _block(size)
        if block is None:
            hands.reflect()
            return
        hands.move(block.size, MOVED + WRITTEN * (2 if moving else 1))
        outside = hands.outside(to_x, to_y, *size) if block.size else 0
        values = (hands.get(x + i, y + j) for i, j in block.cells())
        if abs(to_x - x) < block.width and abs(to_y - y) < block.height:
            # They overlap, so that one of the values may be copied again and again.
            largest = max(values, key=abs, default=0) if hands.core.unbounded else 0
            values = repeat(largest, block.size)
        hands.afford(outside, values)
        for i, j in block.cells(upwards=upwards):
            hands.put(to_x + i, to_y + j, hands.get(x + i, y + j))
            if moving:
                hands.put(x + i, y + j, BLANK)

    return run


def _fold(start: int, compute: Callable[[int, int], int]) -> Semantics:
    """E and P: what TOSS adds or multiplies up to."""

    def run(hands: Hands) -> None:
        core, total = hands.core, start
        hands.move(hands.depth)
        for value in hands.values():
            if total.bit_length() + value.bit_length() > MOST_BITS:
                raise Refused(MEMORY_FULL)
            hands.spend(of_product(total, value) if core.unbounded else 0)
            total = core.wrap(compute(total, value))
        hands.drop(hands.depth)
        hands.push(total)

    return run


def _matrix(hands: Hands) -> tuple[tuple[int, int], _Block]:
    corner, rows, columns = hands.place(), hands.pop(), hands.pop()
    return corner, _block((max(0, columns), max(0, rows))) or _Block(0, 0)


def _put_matrix(hands: Hands) -> None:
    (x, y), block = _matrix(hands)
    hands.take(block.size)
    hands.write(block.size)
    values = [hands.pop() for _ in range(block.size)]
    hands.afford(hands.outside(x, y, block.width, block.height), values)
    for (i, j), value in zip(block.cells(), values, strict=True):
        hands.put(x + i, y + j, value)


def _get_matrix(hands: Hands) -> None:
    (x, y), block = _matrix(hands)
    hands.move(2 * block.size)
    if not hands.core.room_for(block.size):
        raise Refused(MEMORY_FULL)
    for i, j in block.cells(upwards=False):
        hands.push(hands.get(x + i, y + j))


def _shift(hands: Hands) -> None:
    places, value = hands.pop(), hands.pop()
    if places <= 0:
        hands.push(value >> min(-places, MOST_BITS + 1))
    elif not hands.core.unbounded:
        hands.push(value << places if places < 64 else 0)
    elif value and value.bit_length() + places > MOST_BITS:
        raise Refused(MEMORY_FULL)
    else:
        hands.push(value << places if value else 0)


def _translate(axis: int) -> Semantics:
    """J and O: the whole column or row of the IP moves."""

    def run(hands: Hands) -> None:
        ip, places = hands.ip, hands.pop()
        if not -FARTHEST < places < FARTHEST:
            raise Refused(MEMORY_FULL)
        room = (hands.core.most_memory - hands.core.used) // FAR
        most = max(0, min(room, BLOCK))
        cells = hands.core.line(axis, ip.x if axis else ip.y, most)
        if len(cells) > most:
            raise Refused(MEMORY_FULL)
        hands.move(len(cells), MOVED + 2 * WRITTEN)
        moved = [((x, y + places) if axis else (x + places, y), value) for x, y, value in cells]
        outside = sum(hands.outside(*at) for at, _ in moved)
        hands.afford(outside, [value for _, value in moved])
        for x, y, _ in cells:
            hands.put(x, y, BLANK)
        for at, value in moved:
            hands.put(*at, value)

    return run


def _beside(turn: int) -> Semantics:
    """L and R: the cell on the IP's left or right hand."""

    def run(hands: Hands) -> None:
        ip, wrap = hands.ip, hands.core.wrap
        x, y = hands.core.after(ip.x, ip.y, wrap(-turn * ip.dy), wrap(turn * ip.dx))
        hands.push(hands.get(x, y))

    return run


def _write_behind(hands: Hands) -> None:
    ip, value = hands.ip, hands.pop()
    x, y = hands.core.after(ip.x, ip.y, hands.core.wrap(-ip.dx), hands.core.wrap(-ip.dy))
    hands.afford(hands.outside(x, y), (value,))
    hands.put(x, y, value)


def _fill(hands: Hands) -> None:
    (x, y), size, value = hands.place(), hands.vector(), hands.pop()
    block = _block(size)
    if block is None:
        hands.reflect()
        return
    hands.write(block.size)
    outside = hands.outside(x, y, block.width, block.height)
    hands.afford(outside, repeat(value, block.size))
    for i, j in block.cells():
        hands.put(x + i, y + j, value)


def _branch(hands: Hands) -> None:
    axis, ip = hands.pop(), hands.ip
    if axis not in (0, 1):
        hands.reflect()
        return
    way = -1 if hands.pop() else 1
    ip.dx, ip.dy = (0, way) if axis else (way, 0)


def _tumbler(hands: Hands) -> None:
    """As ``?``, and the cell becomes the arrow that was drawn."""
    hands.afford(hands.outside(hands.ip.x, hands.ip.y))
    arrow, dx, dy = _DIRECTIONS[hands.core.draw() >> 62]
    hands.put(hands.ip.x, hands.ip.y, arrow)
    hands.ip.dx, hands.ip.dy = dx, dy


def _wait(hands: Hands) -> None:
    """Until a cell has a value: go on, try again, or reflect when it is beyond."""
    (x, y), value = hands.vector(), hands.pop()
    there = hands.get(x + hands.ip.ox, y + hands.ip.oy)
    if there < value:
        hands.push(value)
        hands.push_vector(x, y)
        hands.core.stay = True
    elif there > value:
        hands.reflect()


def _step_x(hands: Hands) -> None:
    hands.ip.x = hands.core.wrap(hands.ip.x + 1)


def _step_y(hands: Hands) -> None:
    hands.ip.y = hands.core.wrap(hands.ip.y + 1)


TOYS: dict[str, Semantics] = {
    "A": _gable,
    "B": _butterfly,
    "C": _copy(True, False),
    "D": lambda hands: hands.push(hands.pop() - 1),
    "E": _fold(0, lambda a, b: a + b),
    "F": _put_matrix,
    "G": _get_matrix,
    "H": _shift,
    "I": lambda hands: hands.push(hands.pop() + 1),
    "J": _translate(1),
    "K": _copy(False, False),
    "L": _beside(-1),
    "M": _copy(True, True),
    "N": lambda hands: hands.push(-hands.pop()),
    "O": _translate(0),
    "P": _fold(1, lambda a, b: a * b),
    "Q": _write_behind,
    "R": _beside(1),
    "S": _fill,
    "T": _branch,
    "U": _tumbler,
    "V": _copy(False, True),
    "W": _wait,
    "X": _step_x,
    "Y": _step_y,
    "Z": Hands.reflect,
}
