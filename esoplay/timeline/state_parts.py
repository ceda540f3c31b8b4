r"""Reading variables of a program whose state is one value, as generated Unlambda has it.

The state is a tree of pairs ``\f. f a b``, with variables and arrays at its ends.  The way to an
end is a word of ``K`` for the first half of a pair and ``F`` for the second.  What numbers and
arrays are made of is said in ``docs/codegen/unlambda.md``; ``esoplay/codegen/unlambda`` makes them.
"""

from __future__ import annotations

from esolangs.view import Value
from esoplay.codegen.generated import Way

_MOST_BITS = 1 << 16  # a longer number is not read


class State:
    """One state, read as often as there are variables; what they share is opened once."""

    def __init__(self, state: Value) -> None:
        self._halves = {"": state}
        self._nodes: dict[int, tuple[Value, ...]] = {}
        self._numbers: dict[int, int | None] = {}

    def number(self, way: Way) -> int | None:
        """What a variable or an element holds; None where nothing of the kind is there."""
        part = self._end(way.choices)
        if part is not None and way.element is not None:
            part = self._element(part, way.element)
        if part is None:
            return None
        if part.identity not in self._numbers:
            self._numbers[part.identity] = _number(part)
        return self._numbers[part.identity]

    def _end(self, choices: str) -> Value | None:
        if choices in self._halves:
            return self._halves[choices]
        around = self._end(choices[:-1])
        pair = () if around is None else _kept(around, 2)
        if not pair:
            return None
        first, second = pair
        self._halves[choices[:-1] + "K"], self._halves[choices[:-1] + "F"] = first, second
        return self._halves[choices]

    def _element(self, array: Value, index: int) -> Value | None:
        while True:
            node = self._nodes.get(array.identity)
            if node is None:
                node = self._nodes[array.identity] = _kept(array, 3)
            if not node:
                return None
            if not index:
                return _constant(node[0])
            array, index = node[1 if index & 1 else 2], index >> 1


def _number(value: Value) -> int | None:
    r"""``\e. K (K (e end))``; bit 0 is ``K (K (\x. x rest))``, bit 1 ``K (\x. K (x rest))``."""
    bits: list[str] = []
    while len(bits) < _MOST_BITS:
        behind = _constant(value)
        if behind is None:
            return _whole(bits, value)
        inner = _constant(behind)
        held = _after(behind) if inner is None else inner
        rest = () if held is None else _kept(held, 1)
        if not rest:
            return None
        bits.append("1" if inner is None else "0")
        value = rest[0]
    return None


def _whole(bits: list[str], end: Value) -> int | None:
    """The number of bits, lowest first, that ends as ``end`` says: on -1 or on 0."""
    once = _after(end)
    twice = None if once is None else _after(once)
    last = () if twice is None else _kept(twice, 1)
    if not last:
        return None
    high = int("".join(reversed(bits)) or "0", 2)
    if last[0].head == "k" and not last[0].parts:
        return high - (1 << len(bits))
    zero = _constant(last[0])
    return high if zero is not None and zero.head == "i" else None


def _constant(value: Value) -> Value | None:
    """``x`` of `` `kx``."""
    parts = value.parts
    return parts[0] if len(parts) == 1 and value.head == "k" else None


def _after(value: Value) -> Value | None:
    r"""The function of ``\x. K (function x)``, which is ``s (K K) function``."""
    parts = value.parts
    if len(parts) != 2:
        return None
    outer = _constant(parts[0])
    return parts[1] if outer is not None and outer.head == "k" and not outer.parts else None


def _kept(value: Value, count: int) -> tuple[Value, ...]:
    r"""The operands of ``\f. f a b …``: ``s (… (s I (K a)) …) (K b)``; () if it is no such one."""
    operands: list[Value] = []
    for _ in range(count):
        parts = value.parts
        held = _constant(parts[1]) if len(parts) == 2 else None
        if held is None:
            return ()
        operands.append(held)
        value = parts[0]
    return tuple(reversed(operands)) if value.head == "i" else ()
