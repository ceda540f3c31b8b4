"""The state of a running program: a tree of pairs with all values at its leaves.

Variables, arrays and the operations that the program uses are leaves.  The tree is a Huffman tree
by the expected number of uses (see ``expected_uses``), so values used in inner loops have short
paths.  A statement is a function of the state; the texts of these functions are built here.
"""

from __future__ import annotations

import heapq
import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from esoplay.codegen.generated import Span, TreePath
from esoplay.codegen.ir import (
    And,
    Append,
    Assign,
    Binary,
    Block,
    Clear,
    Compare,
    Condition,
    Convert,
    Element,
    If,
    Not,
    Number,
    Or,
    PrintByte,
    PrintInt,
    PrintText,
    Read,
    SourceOrigin,
    Statement,
    StoreElement,
    Value,
    VariableRef,
    While,
    expected_runs,
)
from esoplay.codegen.unlambda.numbers import make_pair
from esoplay.codegen.unlambda.operations import comparison, operation, simplify_digit
from esoplay.codegen.unlambda.terms import Library

_Tree = str | tuple["_Tree", "_Tree"]


class StateLayout:
    """The tree that holds all values of a program, with short paths to the values used most.

    uses: the expected number of uses of each leaf.  initial_values: the value of each leaf at the
    start, as text.  names: the leaves, from the shortest path to the longest.
    """

    def __init__(
        self, library: Library, uses: Mapping[str, float], initial_values: Mapping[str, str]
    ):
        self._library = library
        self._paths = _paths(_huffman_tree({name: uses[name] for name in initial_values}))
        self.initial_text = _initial_text(self._paths, initial_values)
        self.names = sorted(initial_values, key=lambda name: len(self._paths[name]))

    def path(self, name: str, index: int | None = None) -> TreePath:
        """Return the path in the state to a variable, or to element ``index`` of an array."""
        return TreePath(self._paths[name], index)

    def get(self, name: str) -> LambdaFunction:
        """Return the function that gets a leaf of the state."""
        found = STATE
        for choice in self._paths[name]:
            found = apply(found, constant(self._library[choice]))
        return found

    def change(self, name: str, change: LambdaFunction) -> LambdaFunction:
        """Return a function that takes a state and returns it with one leaf changed.

        name: the leaf.  change: the function from the old value of the leaf to the new one.
        """
        for choice in reversed(self._paths[name]):
            side = self._library["first" if choice == "K" else "second"]
            change = apply(constant(side), change)
        return change


def _huffman_tree(weights: Mapping[str, float]) -> _Tree:
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


def _paths(tree: _Tree) -> dict[str, str]:
    """Return the path to each leaf: ``K`` for the first of a pair and ``F`` for the second."""
    paths: dict[str, str] = {}
    waiting: list[tuple[_Tree, str]] = [(tree, "")]
    while waiting:
        part, path = waiting.pop()
        if isinstance(part, str):
            paths[part] = path
        else:
            waiting += (part[0], path + "K"), (part[1], path + "F")
    return paths


def _initial_text(paths: Mapping[str, str], initial_values: Mapping[str, str]) -> str:
    """Return the text of the initial state: a tree, built from its deepest leaves up."""
    texts = {path: initial_values[name] for name, path in paths.items() if name}
    for path in sorted(texts, key=len, reverse=True):
        at = path
        while at and at[:-1] not in texts and at[:-1] + "K" in texts and at[:-1] + "F" in texts:
            at = at[:-1]
            texts[at] = make_pair(texts[at + "K"], texts[at + "F"])
    return texts.get("", "i")


# The expected number of uses of variables, arrays and operations.


def expected_uses(block: Block) -> dict[str, float]:
    """Return the expected number of uses of each variable, array and operation.

    The names of operations begin with a colon.
    """
    uses: dict[str, float] = {}
    for statement, weight in expected_runs(block):
        for name, times in _uses_in_statement(statement, weight):
            uses[name] = uses.get(name, 0.0) + times
    return uses


_Uses = Iterator[tuple[str, float]]


def _uses_in_statement(statement: Statement, weight: float) -> _Uses:
    match statement:
        case Assign(name, value):
            yield name, weight
            yield from _uses_in_value(value, weight)
        case StoreElement(array, index, value):
            yield from ((array, weight), (":update", weight))
            yield from _uses_in_value(index, weight)
            yield from _uses_in_value(value, weight)
        case Append(name, digit):
            yield from ((name, 2 * weight), (":append", weight))
            yield from _uses_in_value(simplify_digit(digit), weight)
        case Clear(name):
            yield name, weight
        case Read(name):
            yield from ((name, weight), (":getc", weight))
        case PrintByte(value):
            if not isinstance(value, Number):
                yield ":putc", weight
            yield from _uses_in_value(value, weight)
        case PrintInt(value):
            yield ":print", weight
            yield from _uses_in_value(value, weight)
        case PrintText():
            pass
        case If(condition) | While(_, condition):
            yield from _uses_in_condition(condition, weight)


def _uses_in_condition(condition: Condition, weight: float) -> _Uses:
    match condition:
        case Compare():
            name, operands = comparison(condition)
            yield f":{name}", weight
            for operand in operands:
                yield from _uses_in_value(operand, weight)
        case Not(inner):
            yield from _uses_in_condition(inner, weight)
        case And(first, second) | Or(first, second):
            yield from _uses_in_condition(first, weight)
            yield from _uses_in_condition(second, weight / 2)


def _uses_in_value(value: Value, weight: float) -> _Uses:
    match value:
        case Number():
            pass
        case VariableRef(name):
            yield name, weight
        case Element(array, index):
            yield array, weight
            yield from _uses_in_value(index, weight)
        case Binary():
            name, operands = operation(value)
            yield f":{name}", weight
            for operand in operands:
                yield from _uses_in_value(operand, weight)
        case Convert(inner):
            yield from _uses_in_value(inner, weight)


# Functions of the state and their texts.
#
# Statements and expressions are functions of one value, the state.  So there is only one variable
# to eliminate, and applications are built with ``s`` directly.


class LambdaFunction(NamedTuple):
    """A function of the state; ``piece`` is its text, or its result's text if it is constant."""

    piece: Piece
    is_constant: bool = False


STATE = LambdaFunction("i")
"""The identity function, which returns the state."""


def constant(text: Piece) -> LambdaFunction:
    """Return a function with the constant result ``text``.

    The text may be evaluated before the function is called, so it must have no side effects.
    """
    return LambdaFunction(text, is_constant=True)


def apply(function: LambdaFunction, *operands: LambdaFunction) -> LambdaFunction:
    r"""Return ``\s. (function s) (operand s) …``, which applies each part to the state."""
    for operand in operands:
        if function.is_constant and operand.is_constant:
            function = constant(Concatenation(("`", function.piece, operand.piece)))
        elif function.is_constant and operand is STATE:
            function = LambdaFunction(function.piece)
        else:
            function = LambdaFunction(Concatenation(("``s", abstract(function), abstract(operand))))
    return function


def abstract(function: LambdaFunction) -> Piece:
    """Return the text of a function of the state.

    The ``piece`` of a constant is only the text of its result, so ``k`` is applied to it.
    """
    return Concatenation(("`k", function.piece)) if function.is_constant else function.piece


def compose(second: Piece, first: LambdaFunction) -> LambdaFunction:
    r"""Return ``\s. second (first s)``."""
    return apply(constant(second), first)


# Texts that are built without copying, with labelled parts.
#
# A piece is a string of whole tokens, a concatenation of pieces, a labelled piece, or a comment.

WIDTH = 100
"""The column at which a line is full: the next token starts a new line."""

_TOKEN = re.compile(r"[.?].|.", re.DOTALL)


class LabelledPiece(NamedTuple):
    """A piece of the generated text, its place in the source, and a short description of it."""

    piece: Piece
    origin: SourceOrigin
    what: str


class CommentPiece(NamedTuple):
    """A comment in the generated text."""

    text: str


class Concatenation(NamedTuple):
    """Several pieces of the generated text, in order."""

    parts: tuple[Piece, ...]


Piece = str | Concatenation | LabelledPiece | CommentPiece


class _End(NamedTuple):
    start: int
    label: LabelledPiece


def render_piece(piece: Piece, *, comments: bool) -> tuple[str, tuple[Span, ...]]:
    """Return the text of a piece, in lines, and the spans of the labelled pieces inside it."""
    lines = _WrappedSource()
    spans: list[Span] = []
    waiting: list[Piece | _End] = [piece]
    while waiting:
        match waiting.pop():
            case str(text):
                lines.add(text)
            case CommentPiece(text):
                if comments:
                    lines.comment(text)
            case Concatenation(parts):
                waiting += reversed(parts)
            case LabelledPiece(inner, origin, what) as label:
                if comments:
                    lines.comment(f"line {origin.user_origin.line}: {what}")
                waiting += _End(lines.length, label), inner
            case _End(start, label):
                spans.append(Span(start, lines.length, label.origin, label.what))
    spans.sort(key=lambda span: (span.start, -span.end))
    return lines.text() + "\n", tuple(spans)


class _WrappedSource:
    """The source of a program, in lines of limited width; ``length`` is its length so far."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._column = 0
        self.length = 0

    def add(self, text: str) -> None:
        """Append tokens; begin a new line when the current one is full."""
        for token in _TOKEN.findall(text):
            if self._column >= WIDTH:
                self._put("\n")
                self._column = 0
            self._put(token)
            self._column += len(token)

    def comment(self, text: str) -> None:
        """Append a comment on its own lines."""
        # Characters above 0xff are placeholders of letters in names, see esoplay.codegen.back_ends.
        shown = "".join(one if " " <= one <= "~" or one > "\xff" else "?" for one in text)
        if self._column:
            self._put("\n")
        for line in textwrap.wrap(shown, WIDTH - 2):
            self._put(f"# {line}\n")
        self._column = 0

    def text(self) -> str:
        return "".join(self._parts)

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)
