"""What a source means, in the few statements that every back end knows.

Functions are gone: each call stands where it was, with variables of its own.  Every value is a
``byte`` (0 to 255) or an ``int`` (any whole number); conditions are apart from values.  Whatever
can be undone by an order of evaluation has been pulled out, so an expression reads and changes
nothing.  Dividends and divisors are never negative, so that no two languages divide differently.
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
    """The place in the source that something was made from; lines and columns count from 1.

    function: the one whose text it is.  library: the text is esoplay's own and not the author's.
    caller: from where that function was called, None in ``main``.
    """

    line: int
    column: int
    function: str
    library: bool = False
    caller: SourceOrigin | None = None

    @property
    def own(self) -> SourceOrigin:
        """The innermost place that the author of the source wrote."""
        place = self
        while place.library and place.caller is not None:
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
    """What a variable holds."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Element:
    """What an array holds at an index, which is a byte."""

    array: str
    index: Value
    type: Type


@dataclass(frozen=True, slots=True)
class Binary:
    """An operation on two values of the type that it gives; a byte never leaves its range."""

    operator: Operator
    left: Value
    right: Value
    type: Type


@dataclass(frozen=True, slots=True)
class Convert:
    """The same number as the other type; as a byte it is in range."""

    value: Value
    type: Type


Value = Number | VariableRef | Element | Binary | Convert


# Conditions


@dataclass(frozen=True, slots=True)
class Compare:
    """Two values of one type, compared."""

    relation: Relation
    left: Value
    right: Value


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Both:
    """Both hold; the second is not looked at where the first does not."""

    first: Condition
    second: Condition


@dataclass(frozen=True, slots=True)
class Either:
    """One of both holds; the second is not looked at where the first does."""

    first: Condition
    second: Condition


Condition = Compare | Not | Both | Either


# Statements


@dataclass(frozen=True, slots=True)
class Assign:
    """Give a variable a value of its type."""

    name: str
    value: Value
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class StoreElement:
    """Give an element of an array a value of the array's type; the index is a byte."""

    array: str
    index: Value
    value: Value
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class Clear:
    """Set every element of an array to 0."""

    array: str
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class Append:
    """Append a decimal digit, a byte from 0 to 9, to an int that is not negative."""

    name: str
    digit: Value
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class Read:
    """Read a character into a byte variable; at the end of the input it gets 0."""

    name: str
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class PrintByte:
    """Print a byte as the character it is the code of."""

    value: Value
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class WriteText:
    """Print a text of characters from 0 to 127."""

    text: str
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class WriteInt:
    """Print an int in decimal, with a minus if it is negative."""

    value: Value
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class If:
    """One of two blocks, by a condition."""

    condition: Condition
    then: Block
    otherwise: Block
    origin: SourceOrigin


@dataclass(frozen=True, slots=True)
class While:
    """``before``, then the condition, then ``body``, and again for as long as it holds."""

    before: Block
    condition: Condition
    body: Block
    origin: SourceOrigin


Statement = (
    Assign | StoreElement | Clear | Append | Read | PrintByte | WriteText | WriteInt | If | While
)
Block = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Array:
    """An array of ``length`` elements, all 0 at the start; ``length`` is at most 256."""

    type: Type
    length: int


@dataclass(frozen=True, slots=True)
class IrProgram:
    """A whole source.  Variables are 0 at the start.

    labels: the name that the author gave to each variable and array.
    """

    body: Block
    variables: Mapping[str, Type]
    arrays: Mapping[str, Array]
    labels: Mapping[str, str]


# Traversal


def statements(block: Block) -> Iterator[Statement]:
    """Every statement of a block, those within others too, in the order of the text."""
    for statement in block:
        yield statement
        if isinstance(statement, If):
            yield from statements(statement.then)
            yield from statements(statement.otherwise)
        elif isinstance(statement, While):
            yield from statements(statement.before)
            yield from statements(statement.body)


def likely_runs(block: Block, often: float = 1.0) -> Iterator[tuple[Statement, float]]:
    """Every statement of a block, with how often it is likely to run.

    A loop is taken to run four times, a branch every other time.  The number of a ``while`` is how
    often its condition is checked, and it stands between the statements before that and the body.
    """
    for statement in block:
        if isinstance(statement, While):
            yield from likely_runs(statement.before, 4 * often)
            yield statement, 4 * often
            yield from likely_runs(statement.body, 4 * often)
        else:
            yield statement, often
            if isinstance(statement, If):
                yield from likely_runs(statement.then, often / 2)
                yield from likely_runs(statement.otherwise, often / 2)


def nodes(program: IrProgram) -> Iterator[tuple[object, int, SourceOrigin | None]]:
    """Every node of a program, from the outside in, with its depth and where it comes from.

    It takes no call for each level, so that no program is nested too deeply for it.
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

    The blocks inside it are left out.
    """
    match statement:
        case Assign(_, value) | Append(_, value) | PrintByte(value) | WriteInt(value):
            yield value
        case StoreElement(_, index, value):
            yield from (index, value)
        case If(condition) | While(_, condition):
            yield from _compared(condition)
        case Clear() | Read() | WriteText():
            pass


def _compared(condition: Condition) -> Iterator[Value]:
    match condition:
        case Compare(_, left, right):
            yield from (left, right)
        case Not(inner):
            yield from _compared(inner)
        case Both(first, second) | Either(first, second):
            yield from _compared(first)
            yield from _compared(second)


def parts_of(value: Value) -> Iterator[Value]:
    """A value and those within it."""
    yield value
    match value:
        case Element(_, inner) | Convert(inner):
            yield from parts_of(inner)
        case Binary(_, left, right):
            yield from parts_of(left)
            yield from parts_of(right)
        case Number() | VariableRef():
            pass


def names_in(value: Value) -> Iterator[str]:
    """The variables and arrays that a value looks at, as often as it does."""
    for part in parts_of(value):
        if isinstance(part, VariableRef):
            yield part.name
        elif isinstance(part, Element):
            yield part.array


def names_read(statement: Statement) -> Iterator[str]:
    """The variables and arrays that the values of a statement look at, as often as they do."""
    for value in values_in(statement):
        yield from names_in(value)


def mentioned(statement: Statement) -> Iterator[str]:
    """The variables and arrays of a statement, as often as it names them.

    The blocks inside it are left out.
    """
    match statement:
        case Assign(name) | Append(name) | Read(name) | StoreElement(name) | Clear(name):
            yield name
        case _:
            pass
    yield from names_read(statement)


def count_mentions(program: IrProgram) -> Counter[str]:
    """How often the text of a program names each variable and array."""
    return Counter(name for one in statements(program.body) for name in mentioned(one))


# Bounds of values

LARGEST = 255
"""The largest byte."""

LONGEST_NUMBER = 10_000
"""Bits of a number in a source, and of what it becomes in CPython."""


def most(value: Value) -> int:
    """No value of this byte expression is larger; 255 where nothing better is known."""
    match value:
        case Number(number):
            return number
        case Convert(inner) if inner.type == "byte":
            return most(inner)
        case Binary("+", left, right):
            return min(most(left) + most(right), LARGEST)
        case Binary("*", left, right):
            return min(most(left) * most(right), LARGEST)
        case Binary("-" | "//", left, _):
            return most(left)
        case Binary("%", left, right):
            return min(most(left), most(right) - 1)
        case _:
            return LARGEST


def type_of_loop(first: Value, limit: Value) -> Type:
    """The type of a loop's variable: a byte if it can be, as indices are bytes."""
    for one in (first, limit):
        if isinstance(one, Number):
            if not 0 <= one.value <= 255:
                return "int"
        elif one.type == "int":
            return "int"
    return "byte"
