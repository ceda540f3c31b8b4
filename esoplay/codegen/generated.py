"""The result of a back end: a program, the origin of its parts, the places of its variables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from esoplay.codegen.ir import (
    And,
    Append,
    Assign,
    Binary,
    Clear,
    Compare,
    Condition,
    Convert,
    Element,
    If,
    IrProgram,
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
)


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``start`` to ``end`` - 1 of a generated program, counted from 0.

    ``what`` is a short description of the part, such as ``x += 1`` or ``print an int``.
    """

    start: int
    end: int
    origin: SourceOrigin
    what: str = ""


PlaceKind = Literal["number", "digits", "folded", "limbs", "slots", "part"]


@dataclass(frozen=True, slots=True)
class VariablePlace:
    """The place of a variable, or of an element of an array, in a running program.

    ``cells`` are expressions of the debugger's condition language, such as ``cell[12]``; ``kind``
    says how to decode their values:

    ``number``: one cell, which contains the value minus ``offset``.

    ``digits``: decimal digits in ten's complement, lowest first; a number in the upper half of the
    range is negative.

    ``folded``: like ``digits``, but if the highest digit is not 0, the cells contain 10 minus the
    highest digit and 9 minus each other digit.

    ``limbs``: digits to the base ``base``, lowest first; only the last one may be ``base`` or more.
    The value is ``offset + cells[0] + base * cells[1] + base**2 * cells[2]`` and so on.

    ``slots``: slots of stacks, such as ``stack[3, 7]``: level 7, counted from the bottom, of the
    stack with the key 3.  The value is that of the first slot that exists.

    ``part``: one path, such as ``state.KFK`` or ``state.KF[3]``, in the value that is passed as
    state to the function of every statement; see :func:`parse_tree_path`.

    ``unset`` is the content of each cell before the first assignment, if it is not a valid value;
    the variable is 0 until then.
    """

    kind: PlaceKind
    cells: tuple[str, ...]
    offset: int = 0
    base: int = 10
    unset: int | None = None


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated program.

    ``spans`` are sorted by their starts, outer ones first.  ``places`` is indexed by the program's
    names of variables; an array has a place for each element, named ``array[0]`` and so on.
    Variables that the debugger cannot show are left out.  ``begins`` is None if the first step of
    the program executes the first statement of the source.  If the program constructs itself first,
    ``begins`` is the location of the code of that statement, as the debugger reports locations.
    """

    text: str
    spans: tuple[Span, ...]
    places: Mapping[str, VariablePlace] = field(default_factory=dict[str, VariablePlace])
    begins: int | tuple[int, ...] | None = None


class Generator(Protocol):
    """A function that compiles programs to one language."""

    def __call__(self, program: IrProgram, *, comments: bool = False) -> Generated:
        """Compile a program; the text depends only on the program.

        The text runs in the dialects ``standard`` and ``benchmark``.  With ``comments``, it also
        describes its parts.
        """
        ...


@dataclass(frozen=True, slots=True)
class BackEnd:
    """A back end for a language; a subfolder named after the language exports it as ``BACK_END``.

    ``language`` is its id in the registry of languages.  ``ints`` is the range of ints that
    variables can store, ``intermediates`` the range that an expression can compute; None is
    unlimited.
    """

    language: str
    generate: Generator
    ints: range | None = None
    intermediates: range | None = None


# Short descriptions of statements, similar to their source.

_MAX_DESCRIPTION_LENGTH = 60


class SourceWording:
    """A writer of short descriptions of statements, with the names of the source."""

    def __init__(self, labels: Mapping[str, str]):
        self._labels = labels

    def describe(self, statement: Statement) -> str:
        """Return a short description of a statement, cut off at the maximum length."""
        words = self._describe(statement)
        return (
            words
            if len(words) <= _MAX_DESCRIPTION_LENGTH
            else words[: _MAX_DESCRIPTION_LENGTH - 1] + "~"
        )

    def _describe(self, statement: Statement) -> str:
        match statement:
            case Assign(name, value):
                return f"{self._name(name)} = {self._value(value)}"
            case StoreElement(array, index, value):
                return f"{self._name(array)}[{self._value(index)}] = {self._value(value)}"
            case Clear(array):
                return f"clear {self._name(array)}"
            case Append(name, digit):
                return f"append {self._value(digit)} to {self._name(name)}"
            case Read(name):
                return f"read {self._name(name)}"
            case PrintByte(value):
                return f"print the character {self._value(value)}"
            case PrintText(text):
                return f"print {text!a}"
            case PrintInt(value):
                return f"print the number {self._value(value)}"
            case If(condition):
                return f"if {self._condition(condition)}"
            case While(_, condition):
                return f"while {self._condition(condition)}"

    def _condition(self, condition: Condition) -> str:
        match condition:
            case Compare("<", left, right):
                return f"{self._value(left)} < {self._value(right)}"
            case Compare(_, left, right):
                return f"{self._value(left)} == {self._value(right)}"
            case Not(Compare("<", left, right)):
                return f"{self._value(left)} >= {self._value(right)}"
            case Not(Compare(_, left, right)):
                return f"{self._value(left)} != {self._value(right)}"
            case Not(inner):
                return f"not ({self._condition(inner)})"
            case And(first, second):
                return f"{self._condition(first)} and {self._condition(second)}"
            case Or(first, second):
                return f"({self._condition(first)} or {self._condition(second)})"

    def _value(self, value: Value) -> str:
        match value:
            case Number(number):
                return str(number)
            case VariableRef(name):
                return self._name(name)
            case Element(array, index):
                return f"{self._name(array)}[{self._value(index)}]"
            case Binary(operator, left, right):
                return f"({self._value(left)} {operator} {self._value(right)})"
            case Convert(inner):
                return self._value(inner)

    def _name(self, name: str) -> str:
        return self._labels.get(name, name)


# The text of places other than cells: slots of stacks, and paths in a state that is one value.

_SLOT = re.compile(r"stack\[\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\]")
_TREE_PATH = re.compile(r"state(?:\.([KF]{1,256}))?(?:\[([0-9]{1,9})\])?")


class TreePath(NamedTuple):
    """The path to a variable in a tree of pairs, with an index if it is an array.

    ``choices`` has one letter for each pair: ``K`` for its first half or ``F`` for its second.
    """

    choices: str
    element: int | None = None

    def __str__(self) -> str:
        choices = f".{self.choices}" if self.choices else ""
        return f"state{choices}" + ("" if self.element is None else f"[{self.element}]")


def parse_tree_path(text: str) -> TreePath:
    """Parse a path such as ``state.KF[3]``; raise ValueError if it is not one."""
    match = _TREE_PATH.fullmatch(text)
    if match is None:
        raise ValueError(f"expected a path such as state.KFK or state.KF[3], found {text!r}")
    choices, element = match.groups()
    return TreePath(choices or "", None if element is None else int(element))


def slot_text(stack: int, level: int) -> str:
    """Return a slot as text: the stack's key, and the level from the bottom, which is 0."""
    return f"stack[{stack}, {level}]"


def parse_slot(text: str) -> tuple[int, int]:
    """Return the stack and the level in the text of a slot; raise ValueError if it is invalid."""
    match = _SLOT.fullmatch(text)
    if match is None:
        raise ValueError(f"expected a place on a stack such as stack[3, 7], found {text!r}")
    return int(match.group(1)), int(match.group(2))
