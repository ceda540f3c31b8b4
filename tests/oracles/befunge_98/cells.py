"""Instructions that read and write cells of fungespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracles.befunge_98.ip import IP
from oracles.befunge_98.space import Point

if TYPE_CHECKING:
    from oracles.befunge_98.oracle import Oracle


def string(o: Oracle, ip: IP) -> None:
    ip.in_string, ip.after_space = True, False


def fetch(o: Oracle, ip: IP) -> None:
    o.jump(ip, 1)
    ip.push(o.space.get(ip.at))


def store(o: Oracle, ip: IP) -> None:
    value = ip.pop()
    if o.space.torus is None:
        ip.at = o.fit(ip.at[0] + ip.delta[0]), o.fit(ip.at[1] + ip.delta[1])
    else:
        o.jump(ip, 1)
    o.write(ip.at, o.kept(value))


def outside(o: Oracle, at: Point) -> bool:
    """Return whether a cell is outside the page of Befunge-93."""
    return o.old and not (0 <= at[0] < 80 and 0 <= at[1] < 25)


def get(o: Oracle, ip: IP) -> None:
    x, y = ip.vector()
    at = o.wrap_point((x + ip.offset[0], y + ip.offset[1]))
    ip.push(0 if outside(o, at) else o.space.get(at))


def put(o: Oracle, ip: IP) -> None:
    (x, y), value = ip.vector(), ip.pop()
    at = o.wrap_point((x + ip.offset[0], y + ip.offset[1]))
    if not outside(o, at):
        o.write(at, o.kept(value))


CELLS = {'"': string, "'": fetch, "s": store, "g": get, "p": put}
