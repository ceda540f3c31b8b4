"""The result of a back end: a program, the origin of each part, the places of its values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from esoplay.codegen.ir import (
    Append,
    Assign,
    Binary,
    Both,
    Clear,
    Compare,
    Condition,
    Convert,
    Either,
    Element,
    If,
    IrProgram,
    Not,
    Number,
    PrintByte,
    Read,
    SourceOrigin,
    Statement,
    StoreElement,
    Value,
    VariableRef,
    While,
    WriteInt,
    WriteText,
)


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a generated program, ``start`` up to but not including ``end``, from 0.

    what: what the part does, in a few words for people, such as ``x += 1`` or ``print an int``.
    """

    start: int
    end: int
    origin: SourceOrigin
    what: str = ""


Kind = Literal["number", "digits", "folded", "limbs", "slots", "part"]


@dataclass(frozen=True, slots=True)
class VariablePlace:
    """Where a running program keeps a variable, or each element of an array.

    cells: expressions of the debugger's condition language, such as ``cell[12]``.
    number: the one cell holds the value, less ``offset``.  digits: the cells hold decimal digits,
    the lowest first, in ten's complement: from half of the range on the number is negative.
    folded: as digits, but where the last cell is not 0, it holds 10 less the highest digit, and
    the others hold 9 less theirs.
    limbs: the cells hold the digits of the value, less ``offset``, to the base ``base``, the lowest
    first, each from 0 to ``base`` - 1 (but the last one, which may be larger).  So the value is
    ``offset + cells[0] + base * cells[1] + base**2 * cells[2]`` and so on.
    slots: places on stacks, such as ``stack[3, 7]``: what is 7 above the lowest value on the stack
    whose key is 3.  The value is what stands in the first of them that is there.
    part: there are no cells; one value is the state, which every function of a statement is given.
    The one text is the way to the variable in it, such as ``state.KFK`` or ``state.KF[3]``; see
    :mod:`esoplay.codegen.generated`.
    unset: what each cell holds before the program has put a first value there, where that spells
    none; the value is 0 until then.
    """

    kind: Kind
    cells: tuple[str, ...]
    offset: int = 0
    base: int = 10
    unset: int | None = None


@dataclass(frozen=True, slots=True)
class Generated:
    """A program in one of the languages.

    spans: in the order of their starts; those inside another one come after it.
    places: by the program's names of variables; an array has a place for each of its elements,
    named ``array[0]`` and so on.  What a language cannot show is left out.
    begins: the location, as stops name it, at which the program has put itself together and begins
    to do what it is for; None where it does so from its first step on.
    """

    text: str
    spans: tuple[Span, ...]
    places: Mapping[str, VariablePlace] = field(default_factory=dict[str, VariablePlace])
    begins: int | tuple[int, ...] | None = None


class Generator(Protocol):
    """Compiles programs to one language."""

    def __call__(self, program: IrProgram, *, comments: bool = False) -> Generated:
        """The program in this language: always the same text for the same program.

        The text does the same in the dialects ``standard`` and ``benchmark``.  With ``comments``
        it describes its parts, without a change of what it does.
        """
        ...


@dataclass(frozen=True, slots=True)
class BackEnd:
    """A folder of ``esoplay/codegen`` named after its language exports one as ``BACK_END``.

    language: its id in the registry of languages.
    ints: the ints that variables hold; None for any.
    intermediates: the ints that an expression may compute before storing its value; None for any.
    """

    language: str
    generate: Generator
    ints: range | None = None
    intermediates: range | None = None


# What a statement does, in a few words that look like its source.

_LONGEST = 60


class SourceWording:
    """Descriptions of statements with the names that the author gave."""

    def __init__(self, labels: Mapping[str, str]):
        self._labels = labels

    def of(self, statement: Statement) -> str:
        """Describe a statement."""
        words = self._of(statement)
        return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "~"

    def _of(self, statement: Statement) -> str:
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
            case WriteText(text):
                return f"print {text!a}"
            case WriteInt(value):
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
            case Both(first, second):
                return f"{self._condition(first)} and {self._condition(second)}"
            case Either(first, second):
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


# How places other than cells are spelled: on stacks, and in a state that is one value.

_SLOT = re.compile(r"stack\[\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\]")
_WAY = re.compile(r"state(?:\.([KF]{1,256}))?(?:\[([0-9]{1,9})\])?")


class TreePath(NamedTuple):
    """Where a variable is in a tree of pairs, and which element, if an array is there.

    choices: ``K`` for the first half of a pair and ``F`` for the second.
    """

    choices: str
    element: int | None = None

    def __str__(self) -> str:
        choices = f".{self.choices}" if self.choices else ""
        return f"state{choices}" + ("" if self.element is None else f"[{self.element}]")


def way_of(text: str) -> TreePath:
    """Parse a path such as ``state.KF[3]``; ValueError if it is not one."""
    match = _WAY.fullmatch(text)
    if match is None:
        raise ValueError(f"expected a path such as state.KFK or state.KF[3], found {text!r}")
    choices, element = match.groups()
    return TreePath(choices or "", None if element is None else int(element))


def slot_text(stack: int, level: int) -> str:
    """A place on a stack: its key, and the height from the bottom, which is 0."""
    return f"stack[{stack}, {level}]"


def slot_of(text: str) -> tuple[int, int]:
    """Parse a place on a stack; ValueError if it is not one."""
    match = _SLOT.fullmatch(text)
    if match is None:
        raise ValueError(f"expected a place on a stack such as stack[3, 7], found {text!r}")
    return int(match.group(1)), int(match.group(2))
