"""The instructions of FRTH, INDV and JSTR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracles.befunge_98.space import Point

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle


def forth_over(o: Oracle, ip: IP) -> None:
    b, a = ip.pop(), ip.pop()
    for value in (a, b, a):
        ip.push(value)


def forth_rotate(o: Oracle, ip: IP) -> None:
    c, b, a = ip.pop(), ip.pop(), ip.pop()
    for value in (b, c, a):
        ip.push(value)


def forth_pick(o: Oracle, ip: IP) -> None:
    n = ip.pop()
    if n < 0:
        ip.reflect()
    else:
        ip.push(ip.toss[-1 - n] if n < len(ip.toss) else 0)


def forth_roll(o: Oracle, ip: IP) -> None:
    n = ip.pop()
    o.afford(abs(n))
    o.move(ip, 128 * abs(n))
    if n == 0:
        return
    taken = [ip.pop() for _ in range(abs(n) + 1)][::-1]  # from the bottom
    if n > 0:
        taken.append(taken.pop(0))
    else:
        taken.insert(0, taken.pop())
    for value in taken:
        ip.push(value)


FRTH = {
    "D": lambda o, ip: ip.push(len(ip.toss)),
    "L": forth_roll, "O": forth_over, "P": forth_pick, "R": forth_rotate,
}  # fmt: skip


def seen_from(o: Oracle, ip: IP, at: Point) -> Point:
    return o.wrap_point((at[0] + ip.offset[0], at[1] + ip.offset[1]))


def pair(o: Oracle, at: Point) -> tuple[Point, Point]:
    """Return the cells that hold y and x of the pointer at ``at``."""
    return at, o.wrap_point((at[0] + 1, at[1]))


def target(o: Oracle, ip: IP) -> Point:
    y, x = (o.space.get(at) for at in pair(o, seen_from(o, ip, ip.vector())))
    return seen_from(o, ip, (x, y))


def indirect_get(o: Oracle, ip: IP) -> None:
    ip.push(o.space.get(target(o, ip)))


def indirect_put(o: Oracle, ip: IP) -> None:
    at = target(o, ip)
    o.write(at, ip.pop())


def indirect_get_vector(o: Oracle, ip: IP) -> None:
    y, x = pair(o, target(o, ip))
    ip.push(o.space.get(x))
    ip.push(o.space.get(y))


def indirect_put_vector(o: Oracle, ip: IP) -> None:
    for at in pair(o, target(o, ip)):
        o.write(at, ip.pop())


INDV = {
    "G": indirect_get, "P": indirect_put, "V": indirect_get_vector, "W": indirect_put_vector,
}  # fmt: skip


def along(o: Oracle, ip: IP) -> list[Point]:
    n, (x, y), (dx, dy) = ip.pop(), ip.vector(), ip.vector()
    o.afford(n)
    return [seen_from(o, ip, (x + at * dx, y + at * dy)) for at in range(n)]


def line_get(o: Oracle, ip: IP) -> None:
    points = along(o, ip)
    o.move(ip, 128 * len(points))
    ip.push(0)
    for at in points:
        ip.push(o.space.get(at))


def line_put(o: Oracle, ip: IP) -> None:
    points = along(o, ip)
    o.move(ip, (64 + 256) * len(points))
    for at in points:
        o.write(at, ip.pop())


JSTR = {"G": line_get, "P": line_put}
