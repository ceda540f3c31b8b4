"""The intermediate representation: the statements that every back end compiles.

Calls are inlined; all calls of a function use the same variables.  Every value is a ``byte`` (0 to
255) or an ``int`` (any integer); conditions are separate from values.  Expressions have no side
effects: effects that depend on the order of evaluation are statements.  Dividends and divisors are
never negative, so all languages divide alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Literal, cast

Type = Literal["byte", "int"]
Operator = Literal["+", "-", "*", "//", "%"]
Relation = Literal["<", "=="]


@dataclass(frozen=True, slots=True)
class SourceOrigin:
    """The place in the source from which a node was compiled; lines and columns count from 1.

    ``function``: the function that contains the place; ``is_library``: whether the function is
    part of the prelude; ``caller``: the place of the call, None in ``main``.
    """

    line: int
    column: int
    function: str
    is_library: bool = False
    caller: SourceOrigin | None = None

    @property
    def user_origin(self) -> SourceOrigin:
        """This place; for a place in the prelude, the call in the user's source that led to it."""
        place = self
        while place.is_library and place.caller is not None:
            place = place.caller
        return place


# Values


@dataclass(frozen=True, slots=True)
class Number:
    """A constant."""

    value: int
    type: Type


@dataclass(frozen=True, slots=True)
class VariableRef:
    """The value of a variable."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Element:
    """The element of an array at an index; the index is a byte."""

    array: str
    index: Value
    type: Type


@dataclass(frozen=True, slots=True)
class Binary:
    """An arithmetic operation; the operands and the result have the same type.

    Back ends may assume that the result of an operation on bytes is from 0 to 255: sources must
    keep bytes in this range.
    """

    operator: Operator
    left: Value
    right: Value
    type: Type


@dataclass(frozen=True, slots=True)
class Convert:
    """A conversion of a byte to an int, or of an int from 0 to 255 to a byte.

    type: the type after the conversion.
    """

    value: Value
    type: Type


Value = Number | VariableRef | Element | Binary | Convert


# Conditions


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison of two values of the same type."""

    relation: Relation
    left: Value
    right: Value


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of a condition."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class And:
    """The conjunction of two conditions; the second is evaluated only if the first is true."""

    first: Condition
    second: Condition


@dataclass(frozen=True, slots=True)
class Or:
    """The disjunction of two conditions; the second is evaluated only if the first is false."""

    first: Condition
    second: Condition


Condition = Compare | Not | And | Or


# Statements


@dataclass(frozen=True, slots=True)
class Assign:
    """An assignment of a value to a variable of the same type."""

    name: str
    value: Value
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class StoreElement:
    """An assignment to an element; the index is a byte, and the value has the array's type."""

    array: str
    index: Value
    value: Value
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class Clear:
    """A statement that sets every element of an array to 0."""

    array: str
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class Append:
    """A statement that appends a decimal digit, a byte from 0 to 9, to a non-negative int."""

    name: str
    digit: Value
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class Read:
    """A statement that reads a character into a byte variable; 0 at the end of the input."""

    name: str
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class PrintByte:
    """A statement that prints a byte as the character with this code."""

    value: Value
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class PrintText:
    """A statement that prints ASCII text."""

    text: str
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class PrintInt:
    """A statement that prints an int in decimal, with a minus if it is negative."""

    value: Value
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class If:
    """A branch: ``then`` if the condition is true, else ``otherwise``."""

    condition: Condition
    then: Block
    otherwise: Block
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class While:
    """A loop: runs ``before``, ends if the condition is false, else runs ``body`` and repeats."""

    before: Block
    condition: Condition
    body: Block
    origin: SourceOrigin


Statement = (
    Assign | StoreElement | Clear | Append | Read | PrintByte | PrintText | PrintInt | If | While
)
Block = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Array:
    """An array of at most 256 elements, which are initially 0."""

    type: Type
    length: int


@dataclass(frozen=True, slots=True)
class IrProgram:
    """A compiled source; variables are initially 0.

    ``labels`` maps variables and arrays to their names in the source.
    """

    body: Block
    variables: Mapping[str, Type]
    arrays: Mapping[str, Array]
    labels: Mapping[str, str]


# Traversal


def statements(block: Block) -> Iterator[Statement]:
    """Yield every statement of a block, including nested statements, in source order."""
    for statement in block:
        yield statement
        if isinstance(statement, If):
            yield from statements(statement.then)
            yield from statements(statement.otherwise)
        elif isinstance(statement, While):
            yield from statements(statement.before)
            yield from statements(statement.body)


def expected_runs(block: Block, weight: float = 1.0) -> Iterator[tuple[Statement, float]]:
    """Yield every statement of a block, with the expected number of its runs.

    A loop is expected to run four times, and a branch half of the time.  A ``while`` is yielded
    between the statements of ``before`` and ``body``, with the expected number of its tests.
    """
    for statement in block:
        if isinstance(statement, While):
            yield from expected_runs(statement.before, 4 * weight)
            yield statement, 4 * weight
            yield from expected_runs(statement.body, 4 * weight)
        else:
            yield statement, weight
            if isinstance(statement, If):
                yield from expected_runs(statement.then, weight / 2)
                yield from expected_runs(statement.otherwise, weight / 2)


def nodes(program: IrProgram) -> Iterator[tuple[object, int, SourceOrigin | None]]:
    """Yield every node of a program with its depth and origin, outer nodes first.

    Not recursive, so nesting is not limited.
    """
    waiting: list[tuple[object, int, SourceOrigin | None]] = [(program.body, 0, None)]
    while waiting:
        node, depth, origin = waiting.pop()
        if isinstance(node, tuple):
            inner = list(cast("tuple[object, ...]", node))
        elif is_dataclass(node) and not isinstance(node, SourceOrigin):
            origin = getattr(node, "origin", origin)
            depth += 1
            yield node, depth, origin
            inner = [getattr(node, field.name) for field in fields(node)]
        else:
            continue
        waiting += [(one, depth, origin) for one in reversed(inner)]


def values_in(statement: Statement) -> Iterator[Value]:
    """Yield the values that a statement reads and the values that its condition compares.

    The statement's blocks are left out.
    """
    match statement:
        case Assign(_, value) | Append(_, value) | PrintByte(value) | PrintInt(value):
            yield value
        case StoreElement(_, index, value):
            yield from (index, value)
        case If(condition) | While(_, condition):
            yield from _compared_values(condition)
        case Clear() | Read() | PrintText():
            pass


def _compared_values(condition: Condition) -> Iterator[Value]:
    match condition:
        case Compare(_, left, right):
            yield from (left, right)
        case Not(inner):
            yield from _compared_values(inner)
        case And(first, second) | Or(first, second):
            yield from _compared_values(first)
            yield from _compared_values(second)


def walk_values(value: Value) -> Iterator[Value]:
    """Yield a value and all values inside it."""
    yield value
    match value:
        case Element(_, inner) | Convert(inner):
            yield from walk_values(inner)
        case Binary(_, left, right):
            yield from walk_values(left)
            yield from walk_values(right)
        case Number() | VariableRef():
            pass


def names_in(value: Value) -> Iterator[str]:
    """Yield the variables and arrays that a value reads, once for each use."""
    for part in walk_values(value):
        if isinstance(part, VariableRef):
            yield part.name
        elif isinstance(part, Element):
            yield part.array


def names_read(statement: Statement) -> Iterator[str]:
    """Yield the variables and arrays that a statement's values read, once for each use."""
    for value in values_in(statement):
        yield from names_in(value)


def names_used(statement: Statement) -> Iterator[str]:
    """Yield the variables and arrays that a statement uses, once for each use.

    The statement's blocks are left out.
    """
    match statement:
        case Assign(name) | Append(name) | Read(name) | StoreElement(name) | Clear(name):
            yield name
        case _:
            pass
    yield from names_read(statement)


def count_uses(program: IrProgram) -> Counter[str]:
    """Count the uses of each variable and array in the text of a program."""
    return Counter(name for one in statements(program.body) for name in names_used(one))


# Bounds of values

MAX_BYTE = 255
"""The largest byte."""

MAX_NUMBER_BITS = 10_000
"""The maximum number of bits of a number in a source, and of an int when CPython runs it."""


def upper_bound(value: Value) -> int:
    """Return an upper bound of a byte expression, at most 255."""
    match value:
        case Number(number):
            return number
        case Convert(inner) if inner.type == "byte":
            return upper_bound(inner)
        case Binary("+", left, right):
            return min(upper_bound(left) + upper_bound(right), MAX_BYTE)
        case Binary("*", left, right):
            return min(upper_bound(left) * upper_bound(right), MAX_BYTE)
        case Binary("-" | "//", left, _):
            return upper_bound(left)
        case Binary("%", left, right):
            return min(upper_bound(left), upper_bound(right) - 1)
        case _:
            return MAX_BYTE


def type_of_loop(first: Value, limit: Value) -> Type:
    """Return the type of a loop's variable: byte if possible, because indices are bytes."""
    for one in (first, limit):
        if isinstance(one, Number):
            if not 0 <= one.value <= 255:
                return "int"
        elif one.type == "int":
            return "int"
    return "byte"
