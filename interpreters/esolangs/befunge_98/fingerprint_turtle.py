"""TURT: a turtle that draws lines.

Source: the RC/Funge-98 documentation. There is one turtle for all IPs. Angles are whole degrees,
0 is east, and they grow clockwise, as y grows downwards.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from esolangs.befunge_98.states import PersistentList

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from esolangs.befunge_98._core import Core
    from esolangs.befunge_98.transaction import Transaction
    from esolangs.view import Drawing

    Semantics = Callable[[Transaction], None]

MIN_COORDINATE, MAX_COORDINATE = -(1 << 31), (1 << 31) - 1
"""The limits of the paper's columns and rows."""
TURTLE_COST, LINE_COST = 1024, 256
"""Memory that is charged for the turtle, and for each line, in bytes."""

WHITE, _COLOR_MASK = 0xFFFFFF, 0xFFFFFF


class Sheet(NamedTuple):
    """A sheet of paper with lines, each a tuple of start, end and color.

    low, high: corners of the rectangle around all lines.
    """

    paper: int = WHITE
    lines: PersistentList = PersistentList()
    low: tuple[int, int] = (0, 0)
    high: tuple[int, int] = (0, 0)

    def with_line(self, start: tuple[int, int], end: tuple[int, int], color: int) -> Sheet:
        """Return the sheet with one more line."""
        corners = [start, end, self.low, self.high] if self.lines.length else [start, end]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        lines = self.lines.with_item((*start, *end, color))
        return Sheet(self.paper, lines, (min(xs), min(ys)), (max(xs), max(ys)))


class Turtle(NamedTuple):
    """The saved state of TURT.

    printed: the sheet at the last I. shares_lines: whether its lines are also on ``sheet``.
    """

    x: int = 0
    y: int = 0
    heading: int = 0
    pen: int = 0
    display: int = 0
    color: int = 0
    sheet: Sheet = Sheet()
    printed: Sheet | None = None
    shares_lines: bool = False

    @property
    def cost(self) -> int:
        """The memory to charge, in bytes; includes lines that were printed and then cleared."""
        lines = self.sheet.lines.length
        if self.printed is not None and not self.shares_lines:
            lines += self.printed.lines.length
        return TURTLE_COST + LINE_COST * lines


_START = Turtle()


def _turtle(transaction: Transaction) -> Turtle:
    return transaction.load("TURT", shared=True) or _START


def _change(transaction: Transaction, **changes: Any) -> None:
    turtle = _turtle(transaction)._replace(**changes)
    transaction.save("TURT", turtle, turtle.cost, shared=True)


def cosine(degrees: int) -> float:
    """Return the cosine of an integer number of degrees; exact for results 0, ±½ and ±1."""
    degrees %= 360
    known = {0: 1.0, 60: 0.5, 90: 0.0, 120: -0.5, 180: -1.0, 240: -0.5, 270: 0.0, 300: 0.5}
    return known[degrees] if degrees in known else math.cos(math.radians(degrees))


def _round(value: float) -> int:
    """Round to the nearest integer, halves away from zero."""
    return math.floor(abs(value) + 0.5) * (1 if value >= 0 else -1)


def _is_on_paper(x: int, y: int) -> bool:
    return MIN_COORDINATE <= x <= MAX_COORDINATE and MIN_COORDINATE <= y <= MAX_COORDINATE


def _walk(direction: int) -> Semantics:
    """Return the implementation of F or B, which moves the turtle.

    If the turtle would leave the paper, the instruction reflects instead.
    """

    def run(transaction: Transaction) -> None:
        turtle, distance = _turtle(transaction), direction * transaction.pop()
        if abs(distance) > MAX_COORDINATE - MIN_COORDINATE:
            transaction.reflect()
            return
        x = turtle.x + _round(distance * cosine(turtle.heading))
        y = turtle.y + _round(distance * cosine(turtle.heading - 90))
        if not _is_on_paper(x, y):
            transaction.reflect()
        elif turtle.pen:
            sheet = turtle.sheet.with_line((turtle.x, turtle.y), (x, y), turtle.color)
            _change(transaction, x=x, y=y, sheet=sheet)
        else:
            _change(transaction, x=x, y=y)

    return run


def _turn(direction: int) -> Semantics:
    def run(transaction: Transaction) -> None:
        _change(
            transaction,
            heading=(_turtle(transaction).heading + direction * transaction.pop()) % 360,
        )

    return run


def _switch(field: str) -> Semantics:
    """Return the implementation of P or D, which sets ``field`` to a popped value of 0 or 1.

    For other values, the instruction reflects.
    """

    def run(transaction: Transaction) -> None:
        value = transaction.pop()
        if value in (0, 1):
            _change(transaction, **{field: value})
        else:
            transaction.reflect()

    return run


def _teleport(transaction: Transaction) -> None:
    x, y = transaction.pop_vector()
    if _is_on_paper(x, y):
        _change(transaction, x=x, y=y)
    else:
        transaction.reflect()


def _clear(transaction: Transaction) -> None:
    _change(transaction, sheet=Sheet(transaction.pop() & _COLOR_MASK), shares_lines=False)


def _print(transaction: Transaction) -> None:
    """Print the current drawing (I), as part of the run's output; reflect if it is empty."""
    sheet = _turtle(transaction).sheet
    if sheet.lines.length:
        _change(transaction, printed=sheet, shares_lines=True)
    else:
        transaction.reflect()


def _bounds(transaction: Transaction) -> None:
    transaction.push_vector(MIN_COORDINATE, MIN_COORDINATE)
    transaction.push_vector(MAX_COORDINATE, MAX_COORDINATE)


TURT: dict[str, Semantics] = {
    "A": lambda transaction: transaction.push(_turtle(transaction).heading),
    "B": _walk(-1),
    "C": lambda transaction: _change(transaction, color=transaction.pop() & _COLOR_MASK),
    "D": _switch("display"),
    "E": lambda transaction: transaction.push(_turtle(transaction).pen),
    "F": _walk(1),
    "H": lambda transaction: _change(transaction, heading=transaction.pop() % 360),
    "I": _print,
    "L": _turn(-1),
    "N": _clear,
    "P": _switch("pen"),
    "Q": lambda transaction: transaction.push_vector(
        _turtle(transaction).x, _turtle(transaction).y
    ),
    "R": _turn(1),
    "T": _teleport,
    "U": _bounds,
}


def drawing_of(core: Core, max_lines: int, *, as_printed: bool = False) -> Drawing | None:
    """Return the turtle and its last ``max_lines`` lines, or None if TURT was not used.

    as_printed: whether to return the lines at the last I, if there was an I.
    """
    from esolangs.view import Drawing, Line

    turtle: Turtle | None = core.states.get("TURT", (None, 0))[0]
    if turtle is None:
        return None
    here = turtle.x, turtle.y
    sheet = turtle.printed if as_printed and turtle.printed is not None else turtle.sheet
    lines, count = sheet.lines, sheet.lines.length
    latest = [lines.item(at) for at in range(max(0, count - max_lines), count)]
    return Drawing(
        "drawing",
        tuple([Line((x1, y1), (x2, y2), color) for x1, y1, x2, y2, color in latest]),
        count,
        sheet.low if count else here,
        sheet.high if count else here,
        here,
        turtle.heading,
        turtle.pen == 1,
        turtle.color,
        sheet.paper,
    )
