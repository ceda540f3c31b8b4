"""The instructions of TOYS."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from oracles.befunge_98.semantics import Semantics, unary
from oracles.work import work_of

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle


def toys_gable(o: Oracle, ip: IP) -> None:
    n, value = ip.pop(), ip.pop()
    o.afford(n)
    o.move(ip, 64 * max(0, n))
    if n < 0:
        ip.reflect()
    for _ in range(n):
        ip.push(value)


def toys_butterfly(o: Oracle, ip: IP) -> None:
    b, a = ip.pop(), ip.pop()
    ip.push(o.fit(a + b))
    ip.push(o.fit(a - b))


def toys_copy(upwards: bool, moving: bool) -> Semantics:
    """Make C, K, M and V, which pop target, size and source; upwards: the lowest cell first."""

    def run(o: Oracle, ip: IP) -> None:
        (tx, ty), (width, height), (sx, sy) = ip.vector(), ip.vector(), ip.vector()
        if width <= 0 or height <= 0:  # if one is zero, the other may be huge
            if width and height:
                ip.reflect()
            return
        o.afford(width * height)
        o.move(ip, (64 + 256 * (1 + moving)) * width * height)
        points = [(x, y) for y in range(height) for x in range(width)]
        ox, oy = ip.offset
        for x, y in points if upwards else reversed(points):
            source = o.wrap_point((ox + sx + x, oy + sy + y))
            o.write(o.wrap_point((ox + tx + x, oy + ty + y)), o.space.get(source))
            if moving:
                o.write(source, 32)

    return run


def toys_fold(start: int, compute: Callable[[int, int], int]) -> Semantics:
    def run(o: Oracle, ip: IP) -> None:
        total = start
        o.move(ip, 64 * len(ip.toss))
        for value in ip.toss:
            o.spend(work_of("*", total, value))
            total = o.fit(compute(total, value))
        ip.toss[:] = [total]

    return run


def toys_put_matrix(o: Oracle, ip: IP) -> None:
    (tx, ty), rows, columns = ip.vector(), ip.pop(), ip.pop()
    o.afford(max(0, rows) * max(0, columns))
    o.move(ip, (64 + 256) * max(0, rows) * max(0, columns))
    if columns <= 0:  # the number of rows may be huge
        return
    for y in range(rows):
        for x in range(columns):
            o.write(o.wrap_point((tx + ip.offset[0] + x, ty + ip.offset[1] + y)), ip.pop())


def toys_get_matrix(o: Oracle, ip: IP) -> None:
    (sx, sy), rows, columns = ip.vector(), ip.pop(), ip.pop()
    o.afford(max(0, rows) * max(0, columns))
    o.move(ip, 128 * max(0, rows) * max(0, columns))
    if columns <= 0:
        return
    for y in reversed(range(rows)):
        for x in reversed(range(columns)):
            ip.push(o.space.get(o.wrap_point((sx + ip.offset[0] + x, sy + ip.offset[1] + y))))


def toys_shift(o: Oracle, ip: IP) -> None:
    b, a = ip.pop(), ip.pop()
    if b <= 0:
        ip.push(a >> min(-b, 1 << 20))
    elif o.bits:
        ip.push(o.fit(a << min(b, 64)))
    else:
        o.afford(b if a else 0)
        ip.push(a << b if a else 0)


def toys_translate(axis: int) -> Semantics:
    """Make J and O, which move the whole column or row of the pointer."""

    def run(o: Oracle, ip: IP) -> None:
        n = ip.pop()
        o.near(n)
        cells = {at: v for at, v in o.space.cells.items() if at[1 - axis] == ip.at[1 - axis]}
        o.move(ip, (64 + 2 * 256) * len(cells))
        for at in cells:
            o.write(at, 32)
        for (x, y), value in cells.items():
            o.write((x + n, y) if axis == 0 else (x, y + n), value)

    return run


def toys_beside(turns: int) -> Semantics:
    """Make L and R, which push the cell to the left or right of the pointer."""

    def run(o: Oracle, ip: IP) -> None:
        dx, dy = ip.delta
        beside = o.space.move(ip.at, (dy, -dx) if turns < 0 else (-dy, dx))
        ip.push(o.space.get(beside or ip.at))

    return run


def toys_write_behind(o: Oracle, ip: IP) -> None:
    value = ip.pop()
    behind = o.space.move(ip.at, (-ip.delta[0], -ip.delta[1]))
    o.write(behind or ip.at, value)


def toys_fill(o: Oracle, ip: IP) -> None:
    (tx, ty), (width, height), value = ip.vector(), ip.vector(), ip.pop()
    if width <= 0 or height <= 0:
        if width and height:
            ip.reflect()
        return
    o.afford(width * height)
    o.move(ip, 256 * width * height)
    for y in range(height):
        for x in range(width):
            o.write((tx + ip.offset[0] + x, ty + ip.offset[1] + y), value)


def toys_branch(o: Oracle, ip: IP) -> None:
    which, value = ip.pop(), 0
    if which == 0:
        value = ip.pop()
        ip.delta = (-1, 0) if value else (1, 0)
    elif which == 1:
        value = ip.pop()
        ip.delta = (0, -1) if value else (0, 1)
    else:
        ip.reflect()


def toys_tumbler(o: Oracle, ip: IP) -> None:
    direction = o.draw() >> 62
    o.write(ip.at, ord("><v^"[direction]))
    ip.delta = ((1, 0), (-1, 0), (0, 1), (0, -1))[direction]


def toys_wait(o: Oracle, ip: IP) -> None:
    (x, y), value = ip.vector(), ip.pop()
    o.near(x + ip.offset[0], y + ip.offset[1])
    there = o.space.get((x + ip.offset[0], y + ip.offset[1]))
    if there < value:
        ip.push(value)
        ip.push(x)
        ip.push(y)
        ip.stays = True
    elif there > value:
        ip.reflect()


def toys_x(o: Oracle, ip: IP) -> None:
    ip.at = o.fit(ip.at[0] + 1), ip.at[1]


def toys_y(o: Oracle, ip: IP) -> None:
    ip.at = ip.at[0], o.fit(ip.at[1] + 1)


TOYS = {
    "A": toys_gable, "B": toys_butterfly, "C": toys_copy(True, False), "D": unary(lambda a: a - 1),
    "E": toys_fold(0, lambda a, b: a + b), "F": toys_put_matrix, "G": toys_get_matrix,
    "H": toys_shift, "I": unary(lambda a: a + 1), "J": toys_translate(1),
    "K": toys_copy(False, False), "L": toys_beside(-1), "M": toys_copy(True, True),
    "N": unary(lambda a: -a), "O": toys_translate(0), "P": toys_fold(1, lambda a, b: a * b),
    "Q": toys_write_behind, "R": toys_beside(1), "S": toys_fill, "T": toys_branch,
    "U": toys_tumbler, "V": toys_copy(False, True), "W": toys_wait, "X": toys_x, "Y": toys_y,
    "Z": lambda o, ip: ip.reflect(),
}  # fmt: skip
