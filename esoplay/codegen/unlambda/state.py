"""The state of a running program: one value, a tree of pairs with everything at its ends.

Variables, arrays and the operations that the program needs are ends.  The tree is Huffman's, by
how often each is likely to be used: the more loops around it, the shorter the way.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping

from esoplay.codegen.unlambda.functions import STATE, Function, applied, constant
from esoplay.codegen.unlambda.terms import Library
from esoplay.codegen.unlambda.trees import pair_of
from esoplay.codegen.ways import Way

_Tree = str | tuple["_Tree", "_Tree"]


class State:
    """Where everything is.  ``uses`` says how often, ``starts`` what the ends are at the start.

    ``names`` are those of the ends, the nearest first.
    """

    def __init__(self, library: Library, uses: Mapping[str, float], starts: Mapping[str, str]):
        self._library = library
        self._ways = _ways(_huffman({name: uses[name] for name in starts}))
        self.start = _start(self._ways, starts)
        self.names = sorted(starts, key=lambda name: len(self._ways[name]))

    def way(self, name: str, index: int | None = None) -> Way:
        """Where an end is, or an element of the array there."""
        return Way(self._ways[name], index)

    def get(self, name: str) -> Function:
        """What gives an end."""
        found = STATE
        for choice in self._ways[name]:
            found = applied(found, constant(self._library[choice]))
        return found

    def change(self, name: str, change: Function) -> Function:
        """What gives a function of states: one that does ``change`` to an end."""
        for choice in reversed(self._ways[name]):
            side = self._library["first" if choice == "K" else "second"]
            change = applied(constant(side), change)
        return change


def _huffman(weights: Mapping[str, float]) -> _Tree:
    waiting: list[tuple[float, int, _Tree]] = [
        (weight, order, name) for order, (name, weight) in enumerate(sorted(weights.items()))
    ]
    heapq.heapify(waiting)
    order = len(waiting)
    while len(waiting) > 1:
        light, _, second = heapq.heappop(waiting)
        other, _, first = heapq.heappop(waiting)
        heapq.heappush(waiting, (light + other, order, (first, second)))
        order += 1
    return waiting[0][2] if waiting else ""


def _ways(tree: _Tree) -> dict[str, str]:
    """The choices, ``K`` for the first of a pair and ``F`` for the second, that lead to each."""
    ways: dict[str, str] = {}
    waiting: list[tuple[_Tree, str]] = [(tree, "")]
    while waiting:
        part, way = waiting.pop()
        if isinstance(part, str):
            ways[part] = way
        else:
            waiting += (part[0], way + "K"), (part[1], way + "F")
    return ways


def _start(ways: Mapping[str, str], starts: Mapping[str, str]) -> str:
    """The text of the tree, from its deepest ends up."""
    texts = {way: starts[name] for name, way in ways.items() if name}
    for way in sorted(texts, key=len, reverse=True):
        at = way
        while at and at[:-1] not in texts and at[:-1] + "K" in texts and at[:-1] + "F" in texts:
            at = at[:-1]
            texts[at] = pair_of(texts[at + "K"], texts[at + "F"])
    return texts.get("", "i")
