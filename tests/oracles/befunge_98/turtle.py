"""The instructions of TURT, with sines computed from their series in decimal numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle

SIDE = 2**31
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
Line = tuple[int, int, int, int, int]


@dataclass(frozen=True)
class Turtle:
    """The state of TURT.  printed: the paper and the lines at the last I."""

    x: int = 0
    y: int = 0
    heading: int = 0
    pen: int = 0
    display: int = 0
    color: int = 0
    paper: int = 0xFFFFFF
    lines: tuple[Line, ...] = ()
    printed: tuple[int, tuple[Line, ...]] | None = None


def sine(degrees: int) -> Decimal:
    """Return the sine to 20 decimal places, at which ±½ is exact."""
    x = Decimal(degrees % 360) * PI / 180
    term = total = x
    for n in range(2, 120, 2):
        term = -term * x * x / (n * (n + 1))
        total += term
    return round(total, 20)


def whole(value: Decimal) -> int:
    return int(value.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def turtle(o: Oracle) -> Turtle:
    return o.states.get("TURT", Turtle())


def move_to(o: Oracle, ip: IP, x: int, y: int, draws: bool) -> None:
    if not (-SIDE <= x < SIDE and -SIDE <= y < SIDE):
        ip.reflect()
        return
    t = turtle(o)
    lines = (*t.lines, (t.x, t.y, x, y, t.color)) if draws and t.pen else t.lines
    o.states["TURT"] = replace(t, x=x, y=y, lines=lines)


def walk(o: Oracle, ip: IP, distance: int) -> None:
    t = turtle(o)
    if abs(distance) >= 2 * SIDE:
        ip.reflect()
        return
    x = t.x + whole(distance * sine(t.heading + 90))
    y = t.y + whole(distance * sine(t.heading))
    move_to(o, ip, x, y, True)


def set_pen(o: Oracle, ip: IP) -> None:
    n = ip.pop()
    if n == 0 or n == 1:
        o.states["TURT"] = replace(turtle(o), pen=n)
    else:
        ip.reflect()


def set_display(o: Oracle, ip: IP) -> None:
    n = ip.pop()
    if n == 0 or n == 1:
        o.states["TURT"] = replace(turtle(o), display=n)
    else:
        ip.reflect()


def face(o: Oracle, degrees: int) -> None:
    o.states["TURT"] = replace(turtle(o), heading=degrees % 360)


def set_color(o: Oracle, ip: IP) -> None:
    o.states["TURT"] = replace(turtle(o), color=ip.pop() % 2**24)


def clear(o: Oracle, ip: IP) -> None:
    o.states["TURT"] = replace(turtle(o), paper=ip.pop() % 2**24, lines=())


def print_drawing(o: Oracle, ip: IP) -> None:
    t = turtle(o)
    if t.lines:
        o.states["TURT"] = replace(t, printed=(t.paper, t.lines))
    else:
        ip.reflect()


def push_all(ip: IP, *values: int) -> None:
    for value in values:
        ip.push(value)


TURT = {
    "A": lambda o, ip: ip.push(turtle(o).heading),
    "B": lambda o, ip: walk(o, ip, -ip.pop()),
    "C": set_color,
    "D": set_display,
    "E": lambda o, ip: ip.push(turtle(o).pen),
    "F": lambda o, ip: walk(o, ip, ip.pop()),
    "H": lambda o, ip: face(o, ip.pop()),
    "I": print_drawing,
    "L": lambda o, ip: face(o, turtle(o).heading - ip.pop()),
    "N": clear,
    "P": set_pen,
    "Q": lambda o, ip: push_all(ip, turtle(o).x, turtle(o).y),
    "R": lambda o, ip: face(o, turtle(o).heading + ip.pop()),
    "T": lambda o, ip: move_to(o, ip, *ip.vector(), False),
    "U": lambda o, ip: push_all(ip, -SIDE, -SIDE, SIDE - 1, SIDE - 1),
}
