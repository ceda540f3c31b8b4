"""What a statement does, in a few words that look like its source."""

from __future__ import annotations

from collections.abc import Mapping

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
    Not,
    Number,
    Read,
    Statement,
    Store,
    Value,
    Variable,
    While,
    Write,
    WriteInt,
    WriteText,
)

_LONGEST = 60


class Wording:
    """Words with the names that the source's author gave."""

    def __init__(self, labels: Mapping[str, str]):
        self._labels = labels

    def of(self, statement: Statement) -> str:
        """What a statement does."""
        words = self._of(statement)
        return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "~"

    def _of(self, statement: Statement) -> str:
        match statement:
            case Assign(name, value):
                return f"{self._name(name)} = {self._value(value)}"
            case Store(array, index, value):
                return f"{self._name(array)}[{self._value(index)}] = {self._value(value)}"
            case Clear(array):
                return f"clear {self._name(array)}"
            case Append(name, digit):
                return f"append {self._value(digit)} to {self._name(name)}"
            case Read(name):
                return f"read {self._name(name)}"
            case Write(value):
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
            case Variable(name):
                return self._name(name)
            case Element(array, index):
                return f"{self._name(array)}[{self._value(index)}]"
            case Binary(operator, left, right):
                return f"({self._value(left)} {operator} {self._value(right)})"
            case Convert(inner):
                return self._value(inner)

    def _name(self, name: str) -> str:
        return self._labels.get(name, name)
