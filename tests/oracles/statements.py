"""A naive interpreter of the intermediate representation of write-once programs."""

from __future__ import annotations

from collections.abc import Iterator

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
    IrProgram,
    Not,
    Number,
    Or,
    PrintByte,
    PrintInt,
    PrintText,
    Read,
    StoreElement,
    Type,
    Value,
    VariableRef,
    While,
)


class TooLarge(Exception):
    """An int exceeds the given maximum."""


def interpret(program: IrProgram, stdin: bytes, largest: int | None = None) -> bytes:
    """Return the output of a program; raise AssertionError if it does something forbidden.

    Raises TooLarge if the absolute value of any result, even intermediate, exceeds ``largest``.
    """
    return bytes(_Run(program, stdin, largest).out)


class _Run:
    def __init__(self, program: IrProgram, stdin: bytes, largest: int | None = None):
        self._largest = largest
        self.out = bytearray()
        self._input: Iterator[int] = iter(stdin)
        self._program = program
        self._values = dict.fromkeys(program.variables, 0)
        self._arrays = {name: [0] * array.length for name, array in program.arrays.items()}
        self._block(program.body)

    def _block(self, block: Block) -> None:
        for one in block:
            match one:
                case Assign(name, value):
                    self._set(name, self._value(value))
                case Append(name, digit):
                    assert self._values[name] >= 0
                    self._set(name, 10 * self._values[name] + self._value(digit))
                case Read(name):
                    self._set(name, next(self._input, 0))
                case StoreElement(array, index, value):
                    type = self._program.arrays[array].type
                    self._arrays[array][self._value(index)] = self._held(self._value(value), type)
                case Clear(array):
                    self._arrays[array] = [0] * len(self._arrays[array])
                case PrintByte(value):
                    self.out.append(self._value(value))
                case PrintText(text):
                    self.out += text.encode()
                case PrintInt(value):
                    self.out += str(self._value(value)).encode()
                case If(condition, then, otherwise):
                    self._block(then if self._holds(condition) else otherwise)
                case While(before, condition, body):
                    self._block(before)
                    while self._holds(condition):
                        self._block(body)
                        self._block(before)

    def _set(self, name: str, value: int) -> None:
        self._values[name] = self._held(value, self._program.variables[name])

    def _value(self, value: Value) -> int:
        match value:
            case Number(number, type):
                return self._held(number, type)
            case VariableRef(name, type):
                assert self._program.variables[name] == type
                return self._values[name]
            case Element(array, index, type):
                assert self._program.arrays[array].type == type
                return self._arrays[array][self._value(index)]
            case Convert(operand, type):
                return self._held(self._value(operand), type)
            case Binary(operator, first, second, type):
                assert first.type == second.type == type
                left, right = self._value(first), self._value(second)
                match operator:
                    case "+":
                        return self._held(left + right, type)
                    case "-":
                        return self._held(left - right, type)
                    case "*":
                        return self._held(left * right, type)
                    case "//" | "%":
                        assert left >= 0
                        assert right > 0
                        return left // right if operator == "//" else left % right

    def _holds(self, condition: Condition) -> bool:
        match condition:
            case Compare(relation, first, second):
                assert first.type == second.type
                left, right = self._value(first), self._value(second)
                return left < right if relation == "<" else left == right
            case Not(one):
                return not self._holds(one)
            case And(first, second):
                return self._holds(first) and self._holds(second)
            case Or(first, second):
                return self._holds(first) or self._holds(second)

    def _held(self, value: int, type: Type) -> int:
        assert type == "int" or 0 <= value <= 255
        if self._largest is not None and abs(value) > self._largest:
            raise TooLarge
        return value
