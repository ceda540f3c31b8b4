"""STRN: strings that end with 0, their first character uppermost on the stack.

Source: the RC/Funge-98 documentation.
"""

from __future__ import annotations

from esolangs.befunge_98.hands import BLOCK, FREE, Hands, Refused
from esolangs.numbers import MOST_BITS, decimal, from_decimal
from esolangs.reasons import FLUSH, MEMORY_FULL, NEEDS_INPUT
from esolangs.work import of_reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Hands], None]


def print_string(hands: Hands) -> None:
    """D, and S of ORTH."""
    hands.print(bytes([char & 255 for char in hands.string()]))


def _append(hands: Hands) -> None:
    upper, lower = hands.string(), hands.string()
    hands.push_string(upper + lower)


def _compare(hands: Hands) -> None:
    upper, lower = hands.string(), hands.string()
    hands.push((upper > lower) - (upper < lower))


def _find(hands: Hands) -> None:
    upper, lower = hands.string(), hands.string()
    at = _index(upper, lower)
    hands.push_string([] if at is None else upper[at:])


def _index(text: list[int], part: list[int]) -> int | None:
    """Where ``part`` begins first, in time that their sum bounds (Knuth, Morris, Pratt)."""
    if not part:
        return 0
    borders, length = [0], 0
    for char in part[1:]:
        while length and char != part[length]:
            length = borders[length - 1]
        length += char == part[length]
        borders.append(length)
    length = 0
    for at, char in enumerate(text):
        while length and char != part[length]:
            length = borders[length - 1]
        length += char == part[length]
        if length == len(part):
            return at + 1 - length
    return None


def _get(hands: Hands) -> None:
    """From a cell eastwards up to a 0; reflects when there is none in the space in use."""
    core = hands.core
    x, y = hands.vector()
    x, y = x + hands.ip.ox, y + hands.ip.oy
    core.tighten()
    found: list[int] = []
    taken = 0  # how many of them have been charged
    if core.low_y <= y <= core.high_y and core.low_x <= x:
        while x <= core.high_x:
            value = core.get(x, y)
            if value == 0:
                hands.take(len(found) - taken)
                hands.push_string(found)
                return
            found.append(value)
            if len(found) > BLOCK:
                raise Refused(MEMORY_FULL)
            if len(found) - taken == FREE:
                hands.take(FREE)
                taken += FREE
            x += 1
        hands.take(len(found) - taken)
    hands.reflect()


def _input(hands: Hands) -> None:
    """A line, whose newline is read too; reflects when there is nothing at all."""
    core = hands.core
    rest = core.read_ahead()
    end = rest.find(b"\n")
    if end < 0 and not core.closed:
        raise Refused(NEEDS_INPUT)
    line = rest if end < 0 else rest[: end + 1]
    if not line:
        core.consume(b"")
        hands.reflect()
        return
    if len(core.reads) and len(core.reads) + len(line) > 4096:
        raise Refused(FLUSH)
    hands.push_string(list(line.removesuffix(b"\n")))
    core.consume(line)


def _part(cut: Callable[[list[int], int], list[int]]) -> Callable[[Hands], None]:
    """L and R: as many characters as the stack says, or a reflection."""

    def run(hands: Hands) -> None:
        count, text = hands.pop(), hands.string()
        if 0 <= count <= len(text):
            hands.push_string(cut(text, count))
        else:
            hands.reflect()

    return run


def _middle(hands: Hands) -> None:
    count, start, text = hands.pop(), hands.pop(), hands.string()
    if count >= 0 and start >= 0 and start + count <= len(text):
        hands.push_string(text[start : start + count])
    else:
        hands.reflect()


def _length(hands: Hands) -> None:
    text = hands.string()
    hands.push_string(text)
    hands.push(len(text))


def _put(hands: Hands) -> None:
    x, y = hands.place()
    text = [*hands.string(), 0]
    hands.write(len(text))
    hands.afford(hands.outside(x, y, len(text)), text)
    for at, char in enumerate(text):
        hands.put(x + at, y, char)


def _spell(hands: Hands) -> None:
    hands.push_string(list(decimal(hands.pop())))


def _value(hands: Hands) -> None:
    """The whole number at the front of a string, after white space; 0 when there is none."""
    text = bytes([char if 0 < char < 128 else 63 for char in hands.string()])
    text = text.lstrip(b" \t\n\v\f\r")
    sign = text[:1] if text[:1] in (b"-", b"+") else b""
    end = len(sign)
    while text[end : end + 1].isdigit():
        end += 1
    if 4 * end > MOST_BITS:
        raise Refused(MEMORY_FULL)
    hands.spend(of_reading(end) if hands.core.unbounded else 0)
    hands.push(from_decimal(text[:end]) if end > len(sign) else 0)


STRN: dict[str, Semantics] = {
    "A": _append,
    "C": _compare,
    "D": print_string,
    "F": _find,
    "G": _get,
    "I": _input,
    "L": _part(lambda text, count: text[:count]),
    "M": _middle,
    "N": _length,
    "P": _put,
    "R": _part(lambda text, count: text[len(text) - count :]),
    "S": _spell,
    "V": _value,
}
