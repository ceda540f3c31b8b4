"""Instructions that move, end and split pointers."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from oracles.befunge_98.ip import EAST, IP, NORTH, SOUTH, WEST
from oracles.befunge_98.space import Point
from oracles.work import work_of

if TYPE_CHECKING:
    from oracles.befunge_98.oracle import Oracle


def east(o: Oracle, ip: IP) -> None:
    ip.turn(EAST)


def west(o: Oracle, ip: IP) -> None:
    ip.turn(WEST)


def south(o: Oracle, ip: IP) -> None:
    ip.turn(SOUTH)


def north(o: Oracle, ip: IP) -> None:
    ip.turn(NORTH)


def away(o: Oracle, ip: IP) -> None:
    ip.delta = (EAST, WEST, SOUTH, NORTH)[o.draw() >> 62]


def east_or_west(o: Oracle, ip: IP) -> None:
    ip.turn(WEST if ip.pop() else EAST)


def south_or_north(o: Oracle, ip: IP) -> None:
    ip.turn(NORTH if ip.pop() else SOUTH)


def left(o: Oracle, ip: IP) -> None:
    ip.delta = ip.delta[1], -ip.delta[0]


def right(o: Oracle, ip: IP) -> None:
    ip.delta = -ip.delta[1], ip.delta[0]


def reflect(o: Oracle, ip: IP) -> None:
    ip.reflect()


def compare(o: Oracle, ip: IP) -> None:
    b, a = ip.pop(), ip.pop()
    o.spend(work_of("+", a, b))
    if a < b:
        left(o, ip)
    elif a > b:
        right(o, ip)


def vector(o: Oracle, ip: IP) -> None:
    ip.delta = ip.vector()


def nothing(o: Oracle, ip: IP) -> None:
    pass


def trampoline(o: Oracle, ip: IP) -> None:
    o.jump(ip, 1)


def jump(o: Oracle, ip: IP) -> None:
    times = ip.pop()
    o.near(times)
    o.jump(ip, times)


def iterate(o: Oracle, ip: IP) -> None:
    times = ip.pop()
    o.near(times)
    there = operand(o, ip)
    if times < 0:
        ip.reflect()
    elif times == 0:
        ip.at = there
    else:
        ip.repeats.append([times, o.space.get(there)])


def operand(o: Oracle, ip: IP) -> Point:
    """Return the place of the instruction that ``k`` repeats."""
    ahead = copy.copy(ip)
    ahead.at = o.next_to(ip.at, ip.delta)
    there, units = o.fetch(ahead)
    o.move(ip, units)
    return there


def stop(o: Oracle, ip: IP) -> None:
    if not o.bits and len(o.ips) > 1:
        o.move(ip, 32 * sum(map(len, ip.stacks)))
    ip.dead = True


def quit(o: Oracle, ip: IP) -> None:
    o.exit_code = ip.pop()
    o.status = "halted"


def split(o: Oracle, ip: IP) -> None:
    meanings = sum(map(len, ip.bindings.values()))
    values = (2 if o.bits else 32) * sum(map(len, ip.stacks))
    o.move(ip, 64 * (len(ip.stacks) - 1) + 2 * meanings + values)
    child = ip.copied()
    o.last_id += 1
    child.id = o.last_id
    child.repeats.clear()
    child.reflect()
    o.jump(child, 1)
    o.ips.insert(o.turn, child)  # before its parent, hence in the next tick
    o.turn += 1


MOVING = {
    ">": east, "<": west, "v": south, "^": north, "?": away, "_": east_or_west,
    "|": south_or_north, "[": left, "]": right, "r": reflect, "w": compare, "x": vector,
    "z": nothing, "#": trampoline, "j": jump, "k": iterate, "@": stop, "q": quit, "t": split,
}  # fmt: skip
