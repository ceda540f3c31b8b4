"""FRTH, INDV and JSTR: what copies cells of the stack and of fungespace.

Source: the RC/Funge-98 documentation.
"""

from __future__ import annotations

from esolangs.befunge_98.hands import BLOCK, Hands, Refused
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Hands], None]


# FRTH


def _over(hands: Hands) -> None:
    b, a = hands.pop(), hands.pop()
    for value in (a, b, a):
        hands.push(value)


def _rotate(hands: Hands) -> None:
    c, b, a = hands.pop(), hands.pop(), hands.pop()
    for value in (b, c, a):
        hands.push(value)


def _pick(hands: Hands) -> None:
    down = hands.pop()
    if down < 0:
        hands.reflect()
    else:
        hands.push(hands.value_at(down + 1))


def _roll(hands: Hands) -> None:
    """Take a cell from below to the top, or the top so far down when the count is negative.

    There are zeros below the stack.
    """
    count = hands.pop()
    if abs(count) > BLOCK:
        raise Refused(MEMORY_FULL)
    hands.take(abs(count))
    hands.move(abs(count))
    values = [hands.pop() for _ in range(abs(count) + 1)] if count else []
    values = [values[-1], *values[:-1]] if count > 0 else [*values[1:], *values[:1]]
    for value in reversed(values):
        hands.push(value)


FRTH: dict[str, Semantics] = {
    "D": lambda hands: hands.push(hands.depth),
    "L": _roll,
    "O": _over,
    "P": _pick,
    "R": _rotate,
}


# INDV: a pointer is two cells side by side, y in the left one.


def _target(hands: Hands) -> tuple[int, int]:
    """The place that the pointer at a place from the stack holds; both see the storage offset."""
    x, y = hands.place()
    to_y, to_x = hands.get(x, y), hands.get(x + 1, y)
    wrap = hands.core.wrap
    return wrap(to_x + hands.ip.ox), wrap(to_y + hands.ip.oy)


def _indirect_get(hands: Hands) -> None:
    hands.push(hands.get(*_target(hands)))


def _indirect_put(hands: Hands) -> None:
    (x, y), value = _target(hands), hands.pop()
    hands.afford(hands.outside(x, y), (value,))
    hands.put(x, y, value)


def _indirect_get_vector(hands: Hands) -> None:
    x, y = _target(hands)
    hands.push(hands.get(x + 1, y))
    hands.push(hands.get(x, y))


def _indirect_put_vector(hands: Hands) -> None:
    (x, y), first, second = _target(hands), hands.pop(), hands.pop()
    hands.afford(hands.outside(x, y, 2), (first, second))
    hands.put(x, y, first)
    hands.put(x + 1, y, second)


INDV: dict[str, Semantics] = {
    "G": _indirect_get,
    "P": _indirect_put,
    "V": _indirect_get_vector,
    "W": _indirect_put_vector,
}


# JSTR


class _Line:
    """Places that are computed when they are needed."""

    __slots__ = ("count", "dx", "dy", "x", "y")

    def __init__(self, count: int, x: int, y: int, dx: int, dy: int):
        self.count = count
        self.x, self.y, self.dx, self.dy = x, y, dx, dy

    def place(self, at: int) -> tuple[int, int]:
        return self.x + at * self.dx, self.y + at * self.dy

    def outside(self, hands: Hands) -> int:
        """How many places are outside the window; all of them unless none is."""
        ends = self.place(0), self.place(self.count - 1)
        return self.count if any(hands.outside(x, y) for x, y in ends) else 0


def _line(hands: Hands) -> _Line:
    """As many places as the stack says, from one on along a delta; none if it is negative."""
    count, (x, y), (dx, dy) = hands.pop(), hands.place(), hands.vector()
    if count > BLOCK:
        raise Refused(MEMORY_FULL)
    return _Line(max(0, count), x, y, dx, dy)


def _get_line(hands: Hands) -> None:
    line = _line(hands)
    hands.move(2 * line.count)
    if not hands.core.room_for(line.count + 1):
        raise Refused(MEMORY_FULL)
    hands.push(0)
    for at in range(line.count):
        hands.push(hands.get(*line.place(at)))


def _put_line(hands: Hands) -> None:
    line = _line(hands)
    hands.take(line.count)
    hands.write(line.count)
    values = [hands.pop() for _ in range(line.count)]
    hands.afford(line.outside(hands), values)
    for at, value in enumerate(values):
        hands.put(*line.place(at), value)


JSTR: dict[str, Semantics] = {"G": _get_line, "P": _put_line}
