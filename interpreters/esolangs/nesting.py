"""Arranges a graph of blocks as nested loops, because WebAssembly has no jumps to arbitrary places.

A loop has a header, which comes first, and items: blocks and further loops.  A jump leads back to
the header of a loop around it, or forward to a later item.  A jump into the middle of a loop leads
to the loop itself, whose header then continues at the item that a variable of the loop selects.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_DEPTH = 12
"""Maximum depth of nested loops.

A loop of this depth contains no further loops, only blocks: every jump back between them leads to
the header of this loop, which then continues at the block that the jump selected.
"""


class NestedLoop:
    """A loop of blocks, or the whole graph as the outermost one.

    header: a block, or -1 for the whole graph.  depth: 0 for the whole graph.
    item_values: the value of the loop's variable that selects an item, for each item at which a
    jump from outside of the loop, or a jump back, makes the loop continue.
    """

    __slots__ = ("depth", "header", "item_values", "items")

    def __init__(self, header: int, depth: int):
        self.header = header
        self.depth = depth
        self.items: list[int | NestedLoop] = []
        self.item_values: dict[int, int] = {}  # by item: the value of the variable, from 1 on

    def assign_value(self, item: int) -> int:
        """Return the value of the loop's variable with which the loop continues at ``item``.

        A new item gets the next value, from 1 on.
        """
        return self.item_values.setdefault(item, len(self.item_values) + 1)


class Route:
    """A jump to the header or to an item of a loop.

    loop: the loop.  item: the index of the item in ``loop.items``, or -1 for the header.
    choices: for each variable to set before the jump, the depth of its loop and the value.
    """

    __slots__ = ("choices", "item", "loop")

    def __init__(self, loop: NestedLoop, item: int, choices: list[tuple[int, int]]):
        self.loop = loop
        self.item = item
        self.choices = choices


class Nesting:
    """The blocks of a graph as nested loops.

    order: all blocks in the order of the code.  headers: blocks that jumps lead back to.
    """

    def __init__(self, targets: Sequence[Sequence[int]]):
        """Arrange the blocks of a graph.  targets: for each block, the blocks that can follow."""
        self.targets = targets
        self.order: list[int] = []
        self.headers: set[int] = set()
        self._chains: dict[int, list[tuple[NestedLoop, int]]] = {}
        self._sources: list[list[int]] = [[] for _ in targets]
        for block, found in enumerate(targets):
            for target in found:
                self._sources[target].append(block)
        self.root = NestedLoop(-1, 0)
        self._fill(self.root, list(range(len(targets))), [])
        self._routes = {
            (block, target): self._find_route(block, target)
            for block, found in enumerate(targets)
            for target in found
        }

    def route(self, block: int, target: int) -> Route:
        """Return the jump from the end of ``block`` to ``target``, a block that can follow it."""
        return self._routes[block, target]

    def entry_choices(self, block: int) -> list[tuple[int, int]]:
        """Return the loop variables to set before a jump from outside all loops to ``block``.

        Each is a pair as in ``Route.choices``: the depth of the loop, and the value.
        """
        return self._choices(self._chains[block])

    def _fill(
        self, loop: NestedLoop, blocks: list[int], chain: list[tuple[NestedLoop, int]]
    ) -> None:
        """Add blocks to ``loop`` as items; blocks that form an inner loop become one item.

        chain: the loops around ``loop``, outermost first, each with the index of the item inside.
        """
        if loop.depth >= MAX_DEPTH:
            for block in blocks:
                self._place(loop, block, chain)
            return
        for part in _components(blocks, self.targets):
            first = part[0]
            if len(part) == 1 and first not in self.targets[first]:
                self._place(loop, first, chain)
                continue
            inside = set(part)
            header = max(
                sorted(part),
                key=lambda block: sum(source not in inside for source in self._sources[block]),
            )
            inner = NestedLoop(header, loop.depth + 1)
            below = [*chain, (loop, len(loop.items))]
            loop.items.append(inner)
            self.order.append(header)
            self.headers.add(header)
            self._chains[header] = [*below, (inner, -1)]
            inside.remove(header)
            self._fill(inner, sorted(inside), below)

    def _place(self, loop: NestedLoop, block: int, chain: list[tuple[NestedLoop, int]]) -> None:
        self._chains[block] = [*chain, (loop, len(loop.items))]
        loop.items.append(block)
        self.order.append(block)

    def _find_route(self, block: int, target: int) -> Route:
        here, there = self._chains[block], self._chains[target]
        at = 0
        while at < len(here) - 1 and here[at] == there[at]:
            at += 1
        loop, item = there[at]
        if item < 0:
            return Route(loop, -1, [])
        if here[at][1] < item:
            return Route(loop, item, self._choices(there[at + 1 :]))
        self.headers.add(target)
        return Route(loop, -1, self._choices(there[at:]))

    def _choices(self, chain: list[tuple[NestedLoop, int]]) -> list[tuple[int, int]]:
        return [(loop.depth, loop.assign_value(item)) for loop, item in chain if item >= 0]


def _components(blocks: list[int], targets: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the strongly connected components, each after all components that jump to it.

    This is Tarjan's algorithm without recursion.
    """
    among = set(blocks)
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    stacked: set[int] = set()
    found: list[list[int]] = []
    for first in reversed(blocks):
        if first in number:
            continue
        path = [(first, iter(targets[first]))]
        number[first] = low[first] = len(number)
        stack.append(first)
        stacked.add(first)
        while path:
            block, rest = path[-1]
            for target in rest:
                if target not in among:
                    continue
                if target not in number:
                    number[target] = low[target] = len(number)
                    stack.append(target)
                    stacked.add(target)
                    path.append((target, iter(targets[target])))
                    break
                if target in stacked:
                    low[block] = min(low[block], number[target])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[block])
                if low[block] == number[block]:
                    part: list[int] = []
                    while not part or part[-1] != block:
                        part.append(stack.pop())
                    stacked.difference_update(part)
                    found.append(part)
    found.reverse()
    return found
