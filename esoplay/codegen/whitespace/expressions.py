"""Values go on the stack; conditions become jumps."""

from __future__ import annotations

from collections.abc import Mapping

from esoplay.codegen.ir import (
    Binary,
    Both,
    Compare,
    Condition,
    Convert,
    Either,
    Element,
    Not,
    Number,
    Value,
    Variable,
)
from esoplay.codegen.whitespace.assembler import Assembler


class Expressions:
    """Writes values and conditions; ``addresses`` tells where variables and arrays are."""

    def __init__(self, code: Assembler, addresses: Mapping[str, int]):
        self._code = code
        self._addresses = addresses
        self._operations = {
            "+": code.add,
            "-": code.sub,
            "*": code.mul,
            "//": code.div,
            "%": code.mod,
        }

    # Values

    def push(self, value: Value, below: Value | None = None) -> None:
        """Push a value.  below: the variable or element whose address is on top already."""
        code = self._code
        match value:
            case Number(number):
                code.push(number)
            case Variable() | Element() if value == below:
                code.dup()
                code.retrieve()
            case Variable(name):
                code.push(self._addresses[name])
                code.retrieve()
            case Element(array, index):
                self.push_address(array, index)
                code.retrieve()
            case Binary(operator, left, right):
                self.push(left, below)
                self.push(right)
                self._operations[operator]()
            case Convert(inner):
                self.push(inner, below)

    def push_address(self, array: str, index: Value) -> None:
        """Push the address of an element."""
        base = self._addresses[array]
        match index:
            case Number(number):
                self._code.push(base + number)
            case Binary("+" | "-" as operator, left, Number(number)):
                self.push(left)
                self._code.push(base + number if operator == "+" else base - number)
                self._code.add()
            case _:
                self.push(index)
                self._code.push(base)
                self._code.add()

    # Conditions

    def jump(self, condition: Condition, label: str, *, when: bool) -> None:
        """Go to a label when a condition holds, or when it does not; else go on."""
        match condition:
            case Not(inner):
                self.jump(inner, label, when=not when)
            case Both(first, second) | Either(first, second):
                if when == isinstance(condition, Either):
                    self.jump(first, label, when=when)
                    self.jump(second, label, when=when)
                else:
                    past = self._code.fresh("past")
                    self.jump(first, past, when=not when)
                    self.jump(second, label, when=when)
                    self._code.label(past)
            case Compare("<", left, right):
                if when:
                    self._difference(left, right)
                else:
                    self._difference_less_one(right, left)
                self._code.jn(label)
            case Compare(_, left, right) if when:
                self._difference(left, right)
                self._code.jz(label)
            case Compare(_, left, right):
                self._jump_if_different(left, right, label)

    def _difference(self, left: Value, right: Value) -> None:
        self.push(left)
        if not _is_zero(right):
            self.push(right)
            self._code.sub()

    def _difference_less_one(self, left: Value, right: Value) -> None:
        """Negative where ``left`` is not above ``right``."""
        if isinstance(left, Number):
            self._difference(Number(left.value - 1, left.type), right)
            return
        self.push(left)
        match right:
            case Number(number):
                if number != -1:
                    self._code.push(number + 1)
                    self._code.sub()
            case Binary("-", minuend, Number(1)):
                self.push(minuend)
                self._code.sub()
            case _:
                self.push(right)
                self._code.sub()
                self._code.push(1)
                self._code.sub()

    def _jump_if_different(self, left: Value, right: Value, label: str) -> None:
        code = self._code
        if _is_zero(right) and left.type == "byte":
            code.push(0)
            self.push(left)
            code.sub()
            code.jn(label)
            return
        same = code.fresh("same")
        self._difference(left, right)
        code.jz(same)
        code.jump(label)
        code.label(same)


def _is_zero(value: Value) -> bool:
    return isinstance(value, Number) and value.value == 0
