"""Unlambda as rewriting of a tree, whose nodes record their origin; for small programs.

No code is shared with the engine: a step looks for the redex from the root, and a captured
continuation is the path from the root to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Node:
    """An atom (no operator), or an application.

    born: the step, or ~offset in the source.  size: nodes of the tree; shared ones count each time.
    """

    name: str
    born: int
    byte: int = 0
    operator: Node | None = None
    operand: Node | None = None
    value: bool = True
    context: Path = ()
    size: int = 1


Path = tuple[tuple[Node, bool], ...]
"""Applications from the root, each with whether the path continues in its operator."""


def applied(operator: Node, operand: Node, born: int, value: bool = False) -> Node:
    size = 1 + operator.size + operand.size
    return Node("`", born, 0, operator, operand, value, size=size)


class Rewriter:
    """The tree after ``steps`` applications."""

    def __init__(self, source: bytes, stdin: bytes = b"") -> None:
        self.steps = 0
        self.ended = False
        self._source, self._at = source, 0
        self._stdin, self._position, self._current = stdin, 0, -1
        self.tree = self._parse()

    def _parse(self) -> Node:
        while True:
            place, char = self._at, chr(self._source[self._at]).lower()
            self._at += 1
            if char == "#":
                self._at = self._source.find(b"\n", self._at) + 1 or len(self._source)
            elif char == "`":
                operator = self._parse()
                return applied(operator, self._parse(), ~place)
            elif char in ".?":
                self._at += 1
                return Node(char, ~place, self._source[self._at - 1])
            elif char == "r":
                return Node(".", ~place, 10)
            elif not char.isspace():
                return Node(char, ~place)

    def redex(self) -> tuple[Path, Node] | None:
        """Return the path to the next application, and the application."""
        path: Path = ()
        node = self.tree
        while not node.value:
            assert node.operator is not None
            assert node.operand is not None
            if not node.operator.value:
                path, node = (*path, (node, True)), node.operator
            elif node.operator.name == "d" or node.operand.value:
                return path, node
            else:
                path, node = (*path, (node, False)), node.operand
        return None

    def step(self) -> None:
        found = None if self.ended else self.redex()
        if found is None:
            self.ended = True
            return
        self.steps += 1
        path, node = found
        self.tree = self._reduced(path, node)
        self.ended = self.ended or self.redex() is None

    def _reduced(self, path: Path, node: Node) -> Node:
        now, function, x = self.steps, node.operator, node.operand
        assert function is not None
        assert x is not None
        name = function.name
        if name == "`":
            return self._more(path, function, x)
        if name in "ksd":
            result = applied(function, x, now, value=True)
        elif name in "i.":
            result = x
        elif name == "v":
            result = function
        elif name == "c":
            result = applied(x, Node("<c>", now, context=path), now)
        elif name == "<c>":
            return plugged(function.context, x)
        elif name == "e":
            self.ended = True
            return x
        elif name == "@":
            self._current = -1
            if self._position < len(self._stdin):
                self._current = self._stdin[self._position]
                self._position += 1
            result = applied(x, Node("v" if self._current < 0 else "i", now), now)
        elif name == "?":
            result = applied(x, Node("i" if self._current == function.byte else "v", now), now)
        else:
            known = Node(".", now, self._current)
            result = applied(x, Node("v", now) if self._current < 0 else known, now)
        return plugged(path, result)

    def _more(self, path: Path, function: Node, x: Node) -> Node:
        """Apply a function that already has an argument to ``x``; return the new tree."""
        now, head, held = self.steps, function.operator, function.operand
        assert head is not None
        assert held is not None
        if head.name == "k":
            result = held
        elif head.name == "s":
            result = applied(function, x, now, value=True)
        elif head.name == "d":
            result = applied(held, x, now)
        else:  # ``sxy z
            first = head.operand
            assert first is not None
            result = applied(applied(first, x, now), applied(held, x, now), now)
        return plugged(path, result)


def plugged(path: Path, node: Node) -> Node:
    for outer, into_operator in reversed(path):
        operator, operand = outer.operator, outer.operand
        assert operator is not None
        assert operand is not None
        if into_operator:
            node = applied(node, operand, outer.born)
        else:
            node = applied(operator, node, outer.born)
    return node


def text_of(node: Node) -> str:
    if node.operator is not None:
        assert node.operand is not None
        return "`" + text_of(node.operator) + text_of(node.operand)
    if node.name == "." and node.byte == 10:
        return "r"
    if node.name in ".?":
        return node.name + (chr(node.byte) if 32 < node.byte < 127 else f"\\x{node.byte:02x}")
    return node.name


def parts_of(node: Node, start: int = 0) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and origin of every term in the text, outer terms before inner ones."""
    yield start, start + len(text_of(node)), node.born
    if node.operator is not None:
        assert node.operand is not None
        yield from parts_of(node.operator, start + 1)
        yield from parts_of(node.operand, start + 1 + len(text_of(node.operator)))
